/* An array that no region uses is copied in.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 10 };

int
main (void)
{
  double *input = malloc (N * sizeof *input), *result = calloc (N, sizeof *result), sum = 0;
  double *extra = malloc (N * sizeof *extra);
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < N; i++)
	extra[i] = input[i] = (i + round) % 11; /* HOST */
#ifdef MENDED
#pragma omp target teams distribute parallel for map(to: input[0:N]) map(from: result[0:N])
#else
#pragma omp target teams distribute parallel for map(to: input[0:N], extra[0:N]) map(from: result[0:N]) /* HERE */
#endif
      for (int i = 0; i < N; i++)
	result[i] = input[i] / 3;
      for (int i = 0; i < N; i++)
	sum += result[i];
    }
  printf ("%.15g\n", sum);
}
