/* What goes from one region to the next is allocated anew in each iteration: no construct around the
   loop can hold it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *result = malloc (N * sizeof *result), sum = 0;
  for (int round = 0; round < ROUNDS; round++)
    {
      double *fresh = malloc (N * sizeof *fresh);
#ifdef MENDED
#pragma omp target data map(alloc: fresh[0:N])
      {
#endif
#pragma omp target teams distribute parallel for map(from: fresh[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	fresh[i] = (i + round) % 9;
#pragma omp target teams distribute parallel for map(to: fresh[0:N]) map(from: result[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	result[i] = fresh[i] * fresh[N - 1 - i];
#ifdef MENDED
      }
#endif
      for (int i = 0; i < N; i++)
	sum += result[i];
      free (fresh);
    }
  printf ("%.15g\n", sum);
}
