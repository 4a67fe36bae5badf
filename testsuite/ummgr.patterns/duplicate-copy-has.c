/* Breaks if the same bytes, copied again to the same place, go unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding duplicate-copy table } */

#include "pattern.h"

int
main (void)
{
  int *table = malloc (N * sizeof *table);
  long sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = i % 5;
  for (int step = 0; step < 3; step++)
#pragma omp target teams distribute parallel for map(to: table[:N]) \
  reduction (+: sum) map (tofrom: sum)
    for (int i = 0; i < N; i++)
      sum += table[i] - i % 5 + 1;
  free (table);
  return expect (sum, 3L * N);
}
