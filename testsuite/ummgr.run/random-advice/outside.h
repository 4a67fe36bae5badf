/* What a random program's file and what stands outside of it have in common.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include <omp.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct pair { int x, y; };
struct row { int x, v[7]; };

/* Of arrays: more than what is too small to be warned of.  */
#define LENGTH 20

extern int ga[LENGTH], *gp;
#pragma omp declare target
extern int dt[LENGTH];
int peek (int *x, int k);
void touch (int *x, int k);
#pragma omp end declare target

int see (const int *x);
void change (int *x, int m);
void region (int *x, int m);
void enter_data (int *x, int m);
void exit_data (int *x, int m);
void update_to (int *x, int m);
void update_from (int *x, int m);
void end_program (int yes, int sum);

/* A program: which array its third pointer goes to, and where; what is known of the arrays at the end.  */
struct entry
{
  unsigned long long seed;
  int (*run) (int *a, int *b, int *c, int n, int *flag);
  int third, third_at;
  unsigned mask[5];
};
extern struct entry entries[];

#ifdef __cplusplus
}
#endif
