/* Breaks if data that leaves the device only to come back goes unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding round-trip state } */
/* { dg-ummgr-no-finding duplicate-copy } */

#include "pattern.h"

int
main (void)
{
  int *state = malloc (N * sizeof *state);
  long sum = 0;
  for (int i = 0; i < N; i++)
    state[i] = i;
  for (int step = 0; step < 3; step++)
#pragma omp target teams distribute parallel for map(tofrom: state[:N])
    for (int i = 0; i < N; i++)
      state[i] += 1;
  for (int i = 0; i < N; i++)
    sum += state[i] - i;
  free (state);
  return expect (sum, 3L * N);
}
