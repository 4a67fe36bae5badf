/* Two faults: the table is copied in again each time, and the result, which is overwritten, as well.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *table = malloc (N * sizeof *table), *result = calloc (N, sizeof *result), sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = (i % 13) / 4.0;
#ifdef MENDED
#pragma omp target data map(to: table[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
      for (int i = 0; i < N; i++)
	result[i] = -i - round;
#ifdef MENDED
#pragma omp target teams distribute parallel for map(to: table[0:N]) map(from: result[0:N])
#else
#pragma omp target teams distribute parallel for map(to: table[0:N]) map(tofrom: result[0:N]) /* HERE */
#endif
      for (int i = 0; i < N; i++)
	result[i] = table[i] + round;
      for (int i = 0; i < N; i++)
	sum += result[i];
    }
  printf ("%.15g\n", sum);
}
