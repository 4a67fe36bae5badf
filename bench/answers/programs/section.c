/* Of an array that is copied in whole, the region uses the first quarter.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 10 };

int
main (void)
{
  double *input = malloc (N * sizeof *input), *result = calloc (N, sizeof *result), sum = 0;
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < N; i++)
	input[i] = (i + round) % 11; /* HOST */
#ifdef MENDED
#pragma omp target teams distribute parallel for map(to: input[0:N / 4]) map(from: result[0:N / 4])
#else
#pragma omp target teams distribute parallel for map(to: input[0:N]) map(from: result[0:N / 4]) /* HERE */
#endif
      for (int i = 0; i < N / 4; i++)
	result[i] = 2 * input[i];
      for (int i = 0; i < N; i++)
	sum += result[i];
    }
  printf ("%.15g\n", sum);
}
