/* A thread that is cancelled while it waits for a region must not take a lock along:
   others then wait for ever.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit um lru" } */

#include "check.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

enum { N = 20000 };

static volatile int started;

static void
region (void)
{
  int *a = calloc (N, sizeof *a);
  CHECK (a);
#pragma omp target teams distribute parallel for map(tofrom: a[:N])
  for (int i = 0; i < N; i++)
    a[i]++;
  CHECK_EQ (a[N - 1], 1);
  free (a);
}

static void *
regions (void *unused)
{
  for (;;)
    {
      region ();
      started = 1;
      pthread_testcancel ();
    }
  return unused;
}

int
main (void)
{
  for (int k = 0; k < 5; k++)
    {
      pthread_t thread;
      void *result;
      started = 0;
      CHECK (pthread_create (&thread, NULL, regions, NULL) == 0);
      while (!started)
	sched_yield ();
      CHECK (pthread_cancel (thread) == 0);
      CHECK (pthread_join (thread, &result) == 0);
      CHECK (result == PTHREAD_CANCELED);
      region ();
    }
  return 0;
}
