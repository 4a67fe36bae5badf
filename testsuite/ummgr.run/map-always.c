/* `always' that is taken for an ordinary map copies nothing while the data is
   present; one that is done twice overwrites results.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

enum { N = 2048 };

static int a[N], b[N];

static void
present (void)
{
#pragma omp target data map(to: a)
  {
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp target map(to: a) map(from: b)
    for (int i = 0; i < N; i++)
      b[i] = a[i];
    CHECK_EQ (b[5], 0);
#pragma omp target map(always, to: a) map(from: b)
    for (int i = 0; i < N; i++)
      b[i] = a[i];
    CHECK_EQ (b[5], 5);
#pragma omp target map(always, tofrom: a)
    for (int i = 0; i < N; i++)
      a[i]++;
    CHECK_EQ (a[5], 6);
#pragma omp target map(always, from: a[:4])
    for (int i = 0; i < 4; i++)
      a[i] = -1;
    CHECK_EQ (a[3], -1);
    CHECK_EQ (a[4], 5);
  }
}

static void
absent (void)
{
  for (int i = 0; i < N; i++)
    a[i] = 1;
#pragma omp target map(always, tofrom: a)
  for (int i = 0; i < N; i++)
    a[i] *= 7;
  CHECK_EQ (a[N - 1], 7);
#pragma omp target data map(always, tofrom: a)
  {
#pragma omp target map(alloc: a)
    for (int i = 0; i < N; i++)
      a[i]++;
    CHECK_EQ (a[0], 7);
  }
  CHECK_EQ (a[0], 8);
#pragma omp target enter data map(always, to: a)
#pragma omp target map(alloc: a)
  for (int i = 0; i < N; i++)
    a[i]++;
#pragma omp target enter data map(to: a)
#pragma omp target exit data map(always, from: a)
  CHECK_EQ (a[1], 9);
#pragma omp target exit data map(release: a)
}

int
main (void)
{
  present ();
  absent ();
  return 0;
}
