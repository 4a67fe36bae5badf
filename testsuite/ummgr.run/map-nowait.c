/* A construct that maps before what it depends on has run takes old data with
   it: chains of nowait and depend over all target constructs.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <stdlib.h>

enum { N = 4000, STEPS = 10 };

static void
chain (int *a)
{
#pragma omp parallel num_threads(3)
#pragma omp single
  {
    for (int step = 0; step < STEPS; step++)
      {
#pragma omp task depend(inout: a[0])
	for (int i = 0; i < N; i++)
	  a[i]++;
#pragma omp target enter data map(to: a[:N]) depend(inout: a[0]) nowait
#pragma omp target map(alloc: a[:N]) depend(inout: a[0]) nowait
	for (int i = 0; i < N; i++)
	  a[i] *= 2;
#pragma omp target update from(a[:N / 2]) depend(inout: a[0]) nowait
#pragma omp task depend(inout: a[0])
	CHECK_EQ (a[0], a[N / 2 - 1]);
#pragma omp target exit data map(from: a[:N]) depend(inout: a[0]) nowait
      }
#pragma omp taskwait
  }
}

/* Firstprivate data is that of the encounter, and a region outside of any
   team may be put off too.  */
static void
privates (int *a)
{
  int x = 1, sum = 0;
  int v[3] = { 1, 2, 3 };
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(out: a[0]) shared(a)
    a[0] = 100;
#pragma omp target map(tofrom: a[:N]) firstprivate(x, v) depend(inout: a[0]) nowait
    a[0] += x + v[2];
    x = 50;
    v[2] = 60;
#pragma omp taskwait
  }
  CHECK_EQ (a[0], 104);
#pragma omp target map(tofrom: sum) map(to: a[:N]) nowait
  sum = a[0];
#pragma omp taskwait
  CHECK_EQ (sum, 104);
#pragma omp target map(tofrom: a[:N]) depend(inout: a[0])
  a[0] = 7;
#pragma omp taskwait
  CHECK_EQ (a[0], 7);
}

int
main (void)
{
  int *a = calloc (N, sizeof *a), expected = 0;
  CHECK (a);
  chain (a);
  for (int step = 0; step < STEPS; step++)
    expected = (expected + 1) * 2;
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], expected);
  privates (a);
  free (a);
  return 0;
}
