/* Two threads that map the same data: the second must not see it before the
   first has copied it, and the last one copies it out.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 20000, THREADS = 4, ROUNDS = 100 };

int
main (void)
{
  int *shared = malloc (N * sizeof *shared), bad = 0;
  CHECK (shared);
  for (int i = 0; i < N; i++)
    shared[i] = i;
#pragma omp parallel num_threads(THREADS) reduction(+: bad)
  {
    int *own = malloc (N * sizeof *own);
    CHECK (own);
    for (int round = 0; round < ROUNDS; round++)
      {
	int wrong = 0;
#pragma omp target map(to: shared[:N]) map(from: own[:N]) map(tofrom: wrong)
	for (int i = 0; i < N; i++)
	  {
	    own[i] = shared[i] + round;
	    wrong += shared[i] != i;
	  }
	bad += wrong;
	for (int i = 0; i < N; i++)
	  bad += own[i] != i + round;
#pragma omp target enter data map(to: shared[:N])
#pragma omp target exit data map(release: shared[:N])
      }
    free (own);
  }
  CHECK_EQ (bad, 0);
  CHECK (!omp_target_is_present (shared, omp_get_default_device ()));
  free (shared);
  return 0;
}
