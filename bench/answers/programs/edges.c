/* A region overwrites all but the edges of the result, which the host looks at: map(from:) of all
   would lose them.  The fault is that the input comes back.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 10 };

int
main (void)
{
  double *input = malloc (N * sizeof *input), *result = malloc (N * sizeof *result), sum = 0;
  for (int i = 0; i < N; i++)
    result[i] = 1000;
  for (int round = 0; round < ROUNDS; round++)
    {
      for (int i = 0; i < N; i++)
	input[i] = (i * round) % 17; /* HOST */
#ifdef MENDED
#pragma omp target teams distribute parallel for map(to: input[0:N]) map(tofrom: result[0:N])
#else
#pragma omp target teams distribute parallel for map(tofrom: input[0:N], result[0:N]) /* HERE */
#endif
      for (int i = 1; i < N - 1; i++)
	result[i] = input[i - 1] + input[i + 1];
      sum += result[0] + result[N - 1];
      for (int i = 0; i < N; i++)
	sum += result[i];
    }
  printf ("%.15g\n", sum);
}
