/* Breaks if data that stays on the device is said to leave it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding round-trip } */
/* { dg-ummgr-no-finding duplicate-copy } */

#include "pattern.h"

int
main (void)
{
  int *state = malloc (N * sizeof *state);
  long sum = 0;
  for (int i = 0; i < N; i++)
    state[i] = i;
#pragma omp target data map(tofrom: state[:N])
  for (int step = 0; step < 3; step++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	state[i] += 1;
      ummgr_mark ("step");
    }
  for (int i = 0; i < N; i++)
    sum += state[i] - i;
  free (state);
  return expect (sum, 3L * N);
}
