/* The host changes one array in each iteration; the others stay.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *forcing = malloc (N * sizeof *forcing), *mass = malloc (N * sizeof *mass);
  double *speed = malloc (N * sizeof *speed);
  for (int i = 0; i < N; i++)
    {
      mass[i] = 1 + i % 3;
      speed[i] = i % 4;
    }
#ifdef MENDED
#pragma omp target data map(to: mass[0:N]) map(tofrom: speed[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
      for (int i = 0; i < N; i++)
	forcing[i] = (i + round) % 21; /* HOST */
#pragma omp target teams distribute parallel for map(to: forcing[0:N], mass[0:N]) map(tofrom: speed[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	speed[i] += forcing[i] / mass[i];
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += speed[i];
  printf ("%.15g\n", sum);
}
