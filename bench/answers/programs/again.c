/* Three constructs in a loop copy the same table in; the host looks at what each makes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 15 };

int
main (void)
{
  double *table = malloc (N * sizeof *table), *out = malloc (N * sizeof *out), sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = (i % 13) / 4.0;
#ifdef MENDED
#pragma omp target data map(to: table[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target teams distribute parallel for map(to: table[0:N]) map(from: out[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	out[i] = table[i] + round;
      for (int i = 0; i < N; i++)
	sum += out[i];
#pragma omp target teams distribute parallel for map(to: table[0:N]) map(from: out[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	out[i] = table[i] * round;
      for (int i = 0; i < N; i++)
	sum += out[i];
#pragma omp target teams distribute parallel for map(to: table[0:N]) map(from: out[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	out[i] = table[N - 1 - i] - round;
      for (int i = 0; i < N; i++)
	sum += out[i];
    }
  printf ("%.15g\n", sum);
}
