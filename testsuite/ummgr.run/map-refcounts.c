/* A count that is off would copy too early, too late or not at all: nested
   and repeated mappings of the same data.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <stdlib.h>

enum { N = 4096 };

static void
add (int *a, int n, int x)
{
#pragma omp target map(tofrom: a[:n])
  for (int i = 0; i < n; i++)
    a[i] += x;
}

static void
nested (int *a)
{
#pragma omp target data map(tofrom: a[:N])
  {
    add (a, N, 1);
    CHECK_EQ (a[0], 0);
#pragma omp target data map(alloc: a[16:32])
    {
      add (a, N, 1);
#pragma omp target update from(a[:8])
      CHECK_EQ (a[7], 2);
      CHECK_EQ (a[8], 0);
    }
    CHECK_EQ (a[20], 0);
  }
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], 2);
}

static void
dynamic (int *a)
{
#pragma omp target enter data map(to: a[:N])
#pragma omp target enter data map(to: a[:N])
  add (a, N, 5);
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[0], 2);
  add (a, 10, 5);
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[0], 12);
  CHECK_EQ (a[N - 1], 7);
  /* Gone: mapped anew by itself.  */
  add (a, N, 1);
  CHECK_EQ (a[0], 13);
}

/* Mixed: the structured region outlives the dynamic mapping and the other way
   round.  */
static void
mixed (int *a)
{
  for (int i = 0; i < N; i++)
    a[i] = 0;
#pragma omp target data map(tofrom: a[:N])
  {
#pragma omp target enter data map(to: a[:N])
    add (a, N, 1);
  }
  CHECK_EQ (a[0], 0);
  add (a, N, 1);
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[0], 2);
#pragma omp target enter data map(to: a[:N])
#pragma omp target data map(to: a[:N])
  {
    add (a, N, 1);
#pragma omp target exit data map(from: a[:N])
    CHECK_EQ (a[0], 2);
  }
  CHECK_EQ (a[0], 2);
  add (a, N, 1);
  CHECK_EQ (a[0], 3);
}

/* Twice in one construct is once.  */
static void
twice (int *a)
{
  int *b = a;
  for (int i = 0; i < N; i++)
    a[i] = 0;
#pragma omp target enter data map(to: a[:N], b[:N])
  add (a, N, 4);
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[N / 2], 4);
}

int
main (void)
{
  int *a = calloc (N, sizeof *a);
  CHECK (a);
  nested (a);
  dynamic (a);
  mixed (a);
  twice (a);
  free (a);
  return 0;
}
