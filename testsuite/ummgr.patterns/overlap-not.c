/* Breaks if a copy that every launch uses as a whole could be overlapped.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding overlap } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  int *wall = malloc (N * sizeof *wall);
  long sum = 0;
  for (int i = 0; i < N; i++)
    wall[i] = 1;
#pragma omp target data map(to: wall[:N])
  for (int step = 0; step < 8; step++)
    {
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
      for (int i = 0; i < N; i++)
	sum += wall[i];
      ummgr_mark ("step");
    }
  free (wall);
  return expect (sum, 8L * N);
}
