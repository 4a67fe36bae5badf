/* Breaks if data that is needed by the launch after the next counts as early.
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
#pragma omp target data map(to: late[:N], work[:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      work[i] += 1;
    ummgr_mark ("sum");
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
    for (int i = 0; i < N; i++)
      sum += work[i] + late[i];
  }
  free (late);
  free (work);
  return expect (sum, 3L * N);
}
