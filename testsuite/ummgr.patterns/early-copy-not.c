/* Breaks if data that is updated right before it is used counts as early.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding early-copy } */
/* { dg-ummgr-no-finding overlap } */

#include "pattern.h"

int
main (void)
{
  int *late = malloc (N * sizeof *late), *work = malloc (N * sizeof *work);
  long sum = 0;
  for (int i = 0; i < N; i++)
    late[i] = work[i] = 1;
#pragma omp target data map(alloc: late[:N]) map(to: work[:N])
  {
    for (int step = 0; step < 4; step++)
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	work[i] += 1;
#pragma omp target update to(late[:N])
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
    for (int i = 0; i < N; i++)
      sum += work[i] + late[i];
  }
  free (late);
  free (work);
  return expect (sum, 6L * N);
}
