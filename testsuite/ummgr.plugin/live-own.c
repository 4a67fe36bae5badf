/* Which data nobody else gets at, begins where malloc said, and ends by free: would break if a copy were kept of what
   others write, of a part, or of a frame that another function has later.  */
/* { dg-do compile } */

#include <stdlib.h>

extern void unseen (double *);
double *shared, *kept;

#define PRAGMA(X) _Pragma (#X)
#define REGION(X, N) PRAGMA (omp target map(tofrom: X[0:N])) X[0]++;

/* As malloc, calloc or a function of the unit gave it, here or handed on.  */
static double *
make (int n)
{
  double *p = malloc (n * sizeof *p);
  p[0] = 1;
  return p;
}

static __attribute__ ((noinline)) void
handed (double *own1, int n)
{
  REGION (own1, n)
}

void
owned (int n)
{
  double *own2 = calloc (n, sizeof *own2), *own3 = make (n);
  REGION (own2, n)
  REGION (own3, n)
  handed (own2, n);
  handed (own3, n);
  free (own2);
  free (own3);
}

/* Within it.  */
static __attribute__ ((noinline)) void
within (double *no1, int n)
{
  REGION (no1, n)
}

void
parts (int n)
{
  double *p = malloc (n * sizeof *p), *no2 = p + 5;
  REGION (no2, n - 5)
  within (p, n);
  within (p + 1, n - 1);
#pragma omp target map(tofrom: p[2:n])
  p[2]++;
  free (p);
}

/* A frame's, alloca's, the unit's, an escaped one, what came from elsewhere.  */
void
others (double *no3, int n)
{
  double no4[100];
  double *no5 = __builtin_alloca (n * sizeof *no5), *no6 = malloc (n * sizeof *no6), *no7 = shared;
  double *no8 = malloc (n * sizeof *no8), *no9 = realloc (kept, n * sizeof *no9);
  no4[0] = no5[0] = 1;
  unseen (no6);
  kept = no8;
  REGION (no3, n)
  REGION (no4, 100)
  REGION (no5, n)
  REGION (no6, n)
  REGION (no7, n)
  REGION (no8, n)
  REGION (no9, n)
}

/* { dg-final { scan-ummgr-dump-times {own own[123]$} 3 ummgr-tables } } */
/* Of the call with all of it alone.  */
/* { dg-final { scan-ummgr-dump-times {own no1$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {called at line 52\n;; ummgr:   live no1 [^\n]*\n;; ummgr:   own no1} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {own (no[2-9]|p)} 0 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {live no[3-9] } 7 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
