/* Exit from within a region, or with another thread inside of one, must
   neither hang nor lose the statistics.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-counter all launches >= 1 } */

#include "check.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 50000 };

static int a[N];
static int started;

static void *
leave (void *unused)
{
  while (!__atomic_load_n (&started, __ATOMIC_ACQUIRE))
    usleep (1000);
  usleep (50000);
  /* libgomp alone closes the device at exit while the other thread waits for it
     there; that may be an error to that one, which then fails first.  */
  if (!getenv ("UMMGR_POLICY"))
    _exit (0);
  exit (0);
}

int
main (void)
{
  pthread_t thread;
#pragma omp target enter data map(to: a)
  CHECK (pthread_create (&thread, NULL, leave, NULL) == 0);
  for (;;)
    {
#pragma omp target map(always, tofrom: a)
      for (int i = 0; i < N; i++)
	a[i]++;
#pragma omp target data map(alloc: a)
      {
#pragma omp target
	a[0]++;
      }
      __atomic_store_n (&started, 1, __ATOMIC_RELEASE);
    }
}
