/* enter data and exit data within the loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *cost = malloc (N * sizeof *cost), *load = malloc (N * sizeof *load);
  for (int i = 0; i < N; i++)
    {
      cost[i] = 1 + i % 4;
      load[i] = i % 6;
    }
#ifdef MENDED
#pragma omp target enter data map(to: cost[0:N], load[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#ifndef MENDED
#pragma omp target enter data map(to: cost[0:N], load[0:N]) /* HERE */
#endif
#pragma omp target teams distribute parallel for map(to: cost[0:N]) map(tofrom: load[0:N])
      for (int i = 0; i < N; i++)
	load[i] = load[i] / cost[i] + round;
#ifndef MENDED
#pragma omp target exit data map(from: load[0:N]) map(release: cost[0:N])
#endif
    }
#ifdef MENDED
#pragma omp target exit data map(from: load[0:N]) map(release: cost[0:N])
#endif
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += load[i];
  printf ("%.15g\n", sum);
}
