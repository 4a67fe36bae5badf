/* What random programs for the use analysis include.
   SPDX-License-Identifier: GPL-3.0-or-later

   Compiled as C and as C++.  The functions are random-use-check.c's.  */

#pragma once

#include <stddef.h>

#define MIN(A, B) ((A) < (B) ? (A) : (B))

struct use_pair { int a; float b; short c; };
struct use_body { double x; int v[3]; };

#ifdef __cplusplus
extern "C" {
#endif

/* The program of SEED begins.  AFFINE: nothing in it depends on data; CONSTANT:
   nor how often it launches.  */
void use_program (unsigned long seed, int affine, int constant);
/* SIZE bytes of elements of TYPE (random-use.h), filled.  */
void *use_new (const char *name, size_t size, unsigned type);
/* OWN: each device has one.  */
void use_static (const char *name, void *object, size_t size, unsigned type, int own);
/* Fill with values from 0 to RANGE - 1, or with multiples of STEP.  */
void use_indices (int *a, long count, long range);
void use_starts (int *a, long count, long step);
/* The structs at OBJECT have pointers, no data of the program's: GCC 14 and later map no more of them than the members
   that clauses name, where earlier ones mapped all.  */
void use_holders (const void *object, size_t size);
/* Of the program's objects.  */
void use_release (void);
/* V, which the compiler doesn't see.  */
long use_value (long v);
/* So many iterations the next launch's work-shared loops have.  */
void use_trip (long trip);
/* The next launches are of form NUMBER (bench/analysis/forms.awk).  */
void use_form (unsigned number);
/* The exit status.  */
int use_end (void);
extern double use_sink;

#ifdef __cplusplus
}
#endif
