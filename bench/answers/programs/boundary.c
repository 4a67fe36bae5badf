/* The host sets the boundary, one element, in each iteration; all else need not move.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *u = malloc (N * sizeof *u), sum = 0;
  for (int i = 0; i < N; i++)
    u[i] = i % 10;
#ifdef MENDED
#pragma omp target data map(tofrom: u[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
      u[0] = round; /* HOST */
#ifdef MENDED
#pragma omp target update to(u[0:1])
#endif
#pragma omp target teams distribute parallel for map(tofrom: u[0:N]) /* HERE */
      for (int i = 1; i < N; i++)
	u[i] = 0.5 * u[i] + 0.5 * u[0];
    }
  for (int i = 0; i < N; i++)
    sum += u[i];
  printf ("%.15g\n", sum);
}
