/* Breaks if data that only goes back unchanged goes unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding unchanged-copy input } */
/* { dg-ummgr-no-finding unused-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  int *input = malloc (N * sizeof *input);
  long sum = 0;
  for (int i = 0; i < N; i++)
    input[i] = 3;
#pragma omp target teams distribute parallel for map(tofrom: input[:N]) \
  reduction (+: sum) map (tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += input[i];
  free (input);
  return expect (sum, 3L * N);
}
