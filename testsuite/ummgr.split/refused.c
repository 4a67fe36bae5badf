/* Launches that can't go in pieces say why, and run as a whole: each would compute
   something else.  What the compiler refuses is in ummgr.plugin/split-refused.c.  */
/* { split-whole beside {statements beside its loop} } */
/* { split-whole serial {no work-shared loop} } */
/* { split-whole last {lastprivate} } */
/* { split-whole counted {its iterations are counted by what the device has} } */
/* { split-whole unknown {it isn't known how many iterations it has} } */
/* { split-pieces host 0 } */

#include "check.h"

#include <stdlib.h>

enum { N = 100 };

static void
beside (int *x)
{
  int runs = 0;
#pragma omp target map(tofrom: runs, x[0:N])
  {
    runs++;
#pragma omp parallel for
    for (int i = 0; i < N; i++)
      x[i] = i;
  }
  CHECK_EQ (runs, 1);
}

static void
serial (int *x)
{
#pragma omp target map(tofrom: x[0:N])
  for (int i = 1; i < N; i++)
    x[i] = x[i - 1] + 1;
  CHECK_EQ (x[N - 1], x[0] + N - 1);
}

static void
last (int *x)
{
  int k = 0;
#pragma omp target teams distribute parallel for lastprivate(k) map(tofrom: x[0:N], k)
  for (int i = 0; i < N; i++)
    {
      x[i] = i;
      k = i;
    }
  CHECK_EQ (k, N - 1);
}

/* The device's n is another than the host's.  */
static void
counted (int *x)
{
  long n = N;
  int done = 0;
#pragma omp target data map(to: n)
  {
    n = 3;
#pragma omp target teams distribute parallel for map(to: n) map(tofrom: x[0:N], done)
    for (int i = 0; i < n; i++)
      {
#pragma omp atomic
	done++;
      }
  }
  CHECK_EQ (done, N);
}

static void
unknown (int *x, const long *limit)
{
  int done = 0;
#pragma omp target teams distribute parallel for map(to: limit[0:2]) map(tofrom: x[0:N], done)
  for (long i = 0; i < limit[1]; i++)
    {
#pragma omp atomic
      done++;
    }
  CHECK_EQ (done, N);
}

/* Not the device's at all.  */
static void
host (int *x, int never)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:N]) if(target: never)
  for (int i = 0; i < N; i++)
    x[i] = i;
  CHECK_EQ (x[N - 1], N - 1);
}

int
main (void)
{
  int *x = calloc (N, sizeof *x);
  const long limit[2] = { 1, N };
  CHECK (x);
  beside (x);
  serial (x);
  last (x);
  counted (x);
  unknown (x, limit);
  host (x, 0);
  free (x);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
