/* Large members of a struct that are mapped by themselves: would break if they were left to
   libgomp where a policy wants them managed, if a member were copied that no clause copies, or
   if what lies between two members were copied.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-counter um gpu_faults > 0 } */
/* { dg-ummgr-counter explicit gpu_faults == 0 } */
/* { dg-ummgr-counter lru h2d_bytes < 9000000 } */

#include "check.h"

enum { N = 60000, M = 50 };

static struct mesh
{
  int n;
  double a[N], b[N];
  int between[M];
  double c[N];
} d;

/* One after another, in one region.  */
static void
neighbours (void)
{
  d.n = N;
  for (int i = 0; i < N; i++)
    d.a[i] = i, d.b[i] = 1, d.c[i] = 2;
  for (int step = 0; step < 3; step++)
    {
#pragma omp target teams distribute parallel for map(to: d.n, d.a) map(tofrom: d.b)
      for (int i = 0; i < d.n; i++)
	d.b[i] += d.a[i];
    }
  CHECK (d.b[7] == 22 && d.b[N - 1] == 1 + 3. * (N - 1));
#pragma omp target teams distribute parallel for map(to: d.a) map(from: d.b)
  for (int i = 0; i < N; i++)
    d.b[i] = 2 * d.a[i];
  CHECK (d.b[7] == 14 && d.a[7] == 7 && d.c[7] == 2);
}

/* Something lies between them.  */
static void
gap (void)
{
  for (int i = 0; i < M; i++)
    d.between[i] = i;
#pragma omp target data map(tofrom: d.b, d.c)
  {
#pragma omp target map(tofrom: d.b, d.c)
    d.c[3] = d.b[3] + 1;
    CHECK (d.c[3] == 2);
    d.between[4] = 77;
  }
  CHECK (d.c[3] == d.b[3] + 1);
  CHECK_EQ (d.between[4], 77);
  CHECK_EQ (d.between[M - 1], M - 1);
}

static void
entered (void)
{
  d.a[9] = 1;
#pragma omp target enter data map(to: d.n, d.a, d.b)
#pragma omp target teams distribute parallel for map(to: d.n, d.a) map(tofrom: d.b)
  for (int i = 0; i < d.n; i++)
    d.b[i] = d.a[i];
  CHECK (d.b[9] == 18);
#pragma omp target update from(d.b)
  CHECK (d.b[9] == 1);
  d.a[9] = 4;
#pragma omp target update to(d.a)
#pragma omp target map(to: d.a) map(tofrom: d.b)
  d.b[10] = d.a[9];
#pragma omp target exit data map(from: d.b) map(release: d.n, d.a)
  CHECK (d.b[10] == 4);
#pragma omp target map(tofrom: d.b)
  d.b[10] = 6;
  CHECK (d.b[10] == 6);
}

int
main (void)
{
  neighbours ();
  gap ();
  entered ();
  return 0;
}
