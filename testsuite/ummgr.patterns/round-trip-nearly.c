/* Breaks if data is said to come back as it left though the host has changed one
   word of it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding round-trip } */
/* { dg-ummgr-no-finding duplicate-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  int *state = malloc (N * sizeof *state);
  long sum = 0;
  for (int i = 0; i < N; i++)
    state[i] = i;
  for (int step = 0; step < 3; step++)
    {
#pragma omp target teams distribute parallel for map(tofrom: state[:N])
      for (int i = 0; i < N; i++)
	state[i] += 1;
      state[step * 1000]++;
    }
  for (int i = 0; i < N; i++)
    sum += state[i] - i;
  free (state);
  return expect (sum, 3L * N + 3);
}
