/* What one kernel leaves for the next only, and the host never sees, goes over the host.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *input = malloc (N * sizeof *input), *scratch = malloc (N * sizeof *scratch);
  double *result = malloc (N * sizeof *result), sum = 0;
#ifdef MENDED
#pragma omp target data map(alloc: scratch[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
      for (int i = 0; i < N; i++)
	input[i] = (i * 3 + round) % 19; /* HOST */
#pragma omp target teams distribute parallel for map(to: input[0:N]) map(from: scratch[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	scratch[i] = input[i] * input[N - 1 - i];
#pragma omp target teams distribute parallel for map(to: scratch[0:N]) map(from: result[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	result[i] = scratch[i] + scratch[N - 1 - i];
      for (int i = 0; i < N; i++)
	sum += result[i];
    }
  printf ("%.15g\n", sum);
}
