/* Would break: host threads that map, launch and copy at the same time, some of it
   data that all of them have mapped: a table of objects, a policy, the simulated
   machine or statistics that one of them changes while another reads them.  A build
   with ThreadSanitizer says where.  Each goes through UMMGR_THREAD_REGIONS regions
   if that is set.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "um lru rdm auto" } */
/* { dg-ummgr-counter um launches >= 3200 } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { THREADS = 32, N = 64 };

int
main (void)
{
  const char *asked = getenv ("UMMGR_THREAD_REGIONS");
  int *shared = malloc (N * sizeof *shared), bad = 0;
  int regions = asked ? atoi (asked) : 100;
  CHECK (shared);
  for (int i = 0; i < N; i++)
    shared[i] = i;
#pragma omp parallel num_threads (THREADS) reduction (+: bad)
  {
    int *own = calloc (N, sizeof *own);
    CHECK (own);
    for (int round = 1; round <= regions; round++)
      {
#pragma omp target map(to: shared[:N]) map(tofrom: own[:N])
	for (int i = 0; i < N; i++)
	  own[i] += shared[i];
	bad += own[N - 1] != round * (N - 1);
      }
    free (own);
  }
  CHECK_EQ (bad, 0);
  CHECK (!omp_target_is_present (shared, omp_get_default_device ()));
  free (shared);
  return 0;
}
