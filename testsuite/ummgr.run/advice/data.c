/* A data construct or a region by itself: advice.exp says what is in it.  ADVISED
   stands for the clause as it is to be.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "host.h"

#ifndef ADVISED
#define ADVISED map(TYPE: a[0:n])
#endif

static int *global;

__attribute__ ((noipa)) void
region_there (int *x, int n)
{
#pragma omp target map(tofrom: x[0:n])
  for (int i = 0; i < 8; i++)
    x[i] = x[i] * 2 + 1;
}

__attribute__ ((noipa)) int
run (int *a, int *b, int n, int *flag)
{
  int sum = 0;
#ifdef BEFORE
  BEFORE
#endif
#ifdef DATA
#pragma omp target data ADVISED map(tofrom: b[0:n]) CLAUSES
  {
#ifdef FIRST
    FIRST
#endif
#pragma omp target parallel for REGION
    for (int i = 0; i < n; i++)
      {
	BODY
      }
#ifdef LAST
    LAST
#endif
  }
#else
#pragma omp target parallel for ADVISED map(tofrom: b[0:n]) CLAUSES
  for (int i = 0; i < n; i++)
    {
      BODY
    }
#endif
#ifdef AFTER
  AFTER
#endif
  for (int i = 0; i < n; i++)
    sum = sum * 3 + a[i] + b[i] * 2;
  (void) flag;
  return sum;
}

int
main (void)
{
  static int a[N], b[N], flag[N];
  global = a;
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = i % 7, flag[i] = i % 2;
  printf ("sum %d\n", run (a, b, N - 100, flag));
  return 0;
}
