/* One thread's copies are put off and freed while another's data constructs make up for all of them.  Would break if
   memory were copied to that is freed, or that another allocation has by then.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin] -O2" } */
/* { dg-ummgr-policies "auto explicit" } */
/* { dg-ummgr-env "UMMGR_MIN_SIZE=4K" } */

#include "check.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { N = 1 << 15, TURNS = 300 };

static bool done;

static __attribute__ ((noinline)) void
set (int *x, int n, int k)
{
#pragma omp target teams distribute parallel for map(from: x[:n])
  for (int i = 0; i < n; i++)
    x[i] = k;
}

static __attribute__ ((noinline)) long
sum (const int *x, int n)
{
  long s = 0;
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: s) reduction(+: s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static void *
others (void *unused)
{
  int *y = calloc (N, sizeof *y);
  CHECK (y);
  while (!__atomic_load_n (&done, __ATOMIC_RELAXED))
    {
#pragma omp target enter data map(to: y[:N])
#pragma omp target exit data map(delete: y[:N])
    }
  free (y);
  return unused;
}

int
main (void)
{
  pthread_t thread;
  CHECK_EQ (pthread_create (&thread, NULL, others, NULL), 0);
  for (int t = 0; t < TURNS; t++)
    {
      int *x = malloc (N * sizeof *x);
      CHECK (x);
      set (x, N, t);
      if (t % 3)
	CHECK_EQ (sum (x, N), (long) t * N);
      free (x);
      /* Large enough to be unmapped, and mapped anew.  */
      int *z = calloc (N, sizeof *z);
      CHECK (z);
      for (int i = 0; i < N; i += 512)
	CHECK_EQ (z[i], 0);
      free (z);
    }
  __atomic_store_n (&done, true, __ATOMIC_RELAXED);
  CHECK_EQ (pthread_join (thread, NULL), 0);
  return 0;
}
