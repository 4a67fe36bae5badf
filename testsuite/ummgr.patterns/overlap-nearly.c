/* Breaks if two halves, each used by a launch of its own, are said to be worth
   copying apart.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding overlap } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  enum { PARTS = 2 };
  int *wall = malloc (N * sizeof *wall);
  long sum = 0;
  for (int i = 0; i < N; i++)
    wall[i] = 1;
#pragma omp target data map(to: wall[:N])
  for (int part = 0; part < PARTS; part++)
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum)
    for (int i = part * (N / PARTS); i < (part + 1) * (N / PARTS); i++)
      sum += wall[i];
  free (wall);
  return expect (sum, N);
}
