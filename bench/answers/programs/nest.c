/* A nest of loops: sweeps of each of some time steps; nothing is looked at before the end.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, STEPS = 4, SWEEPS = 5 };

int
main (void)
{
  double *u = malloc (N * sizeof *u), *k = malloc (N * sizeof *k);
  for (int i = 0; i < N; i++)
    {
      u[i] = i % 10;
      k[i] = 1.0 / (2 + i % 3);
    }
#ifdef MENDED
#pragma omp target data map(to: k[0:N]) map(tofrom: u[0:N])
#endif
  for (int s = 0; s < STEPS; s++) /* LOOP */
    for (int sweep = 0; sweep < SWEEPS; sweep++)
      {
#pragma omp target teams distribute parallel for map(to: k[0:N]) map(tofrom: u[0:N]) /* HERE */
	for (int i = 0; i < N; i++)
	  u[i] = k[i] * u[i] + s - sweep;
      }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += u[i];
  printf ("%.15g\n", sum);
}
