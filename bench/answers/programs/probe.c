/* The host looks at one element of the result in each iteration.
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
#pragma omp target teams distribute parallel for map(tofrom: u[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	u[i] = 0.5 * u[i] + round;
#ifdef MENDED
#pragma omp target update from(u[100:1])
#endif
      sum += u[100]; /* HOST */
    }
  for (int i = 0; i < N; i++)
    sum += u[i];
  printf ("%.15g\n", sum);
}
