/* A region in a loop: advice.exp says what is in the clauses and around it, and
   ADVISED does as the warning says.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include "host.h"

#ifndef TYPE
#define TYPE tofrom
#endif
#ifndef SECTION
#define SECTION a[0:n]
#endif
#ifndef STEPS
#define STEPS 6
#endif

int table[N];
#pragma omp declare target (table)
struct pair { int *first; int second[8]; };

__attribute__ ((noipa)) int
run (int *a, int *b, int *other, int n, int *flag)
{
  int sum = 0, local[N];
  struct pair s = { other, { 1, 2, 3 } };
  int first = omp_get_initial_device ();
  memset (local, 0, sizeof local);
#if defined ADVISED && defined LEFT
  /* No jump may lead out of a data construct.  */
#pragma omp target enter data map(TYPE: SECTION) ADVISED
#elif defined ADVISED
#pragma omp target data map(TYPE: SECTION) ADVISED
#endif
  for (int t = 0; t < STEPS; t++)
    {
#ifdef BEFORE
      BEFORE
#endif
#pragma omp target map(TYPE: SECTION) map(tofrom: b[0:n]) CLAUSES
      for (int i = 0; i < 8; i++)
	{
	  BODY
	}
#ifdef AFTER
      AFTER
#endif
    }
#ifdef LEFT
out:
#endif
  for (int i = 0; i < 8; i++)
    sum = sum * 3 + a[i] + b[i] * 2 + other[i] + local[i] + s.second[i] + table[i];
  (void) first;
  (void) flag;
  return sum;
}

int
main (void)
{
  static int a[N], b[N], other[N], flag[N];
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = i % 7, other[i] = i % 5, flag[i] = i % 2;
  printf ("sum %d\n", run (a, b, other, N - 100, flag));
  return 0;
}
