/* Two arrays change places after each iteration, by their pointers.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 13 };

int
main (void)
{
  double *old = malloc (N * sizeof *old), *new = malloc (N * sizeof *new), sum = 0;
  for (int i = 0; i < N; i++)
    old[i] = new[i] = i % 10;
#ifdef MENDED
#pragma omp target data map(tofrom: old[0:N], new[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target teams distribute parallel for map(to: old[0:N]) map(tofrom: new[0:N]) /* HERE */
      for (int i = 1; i < N - 1; i++)
	new[i] = 0.25 * old[i - 1] + 0.5 * old[i] + 0.25 * old[i + 1];
      double *other = old;
      old = new;
      new = other;
    }
  for (int i = 0; i < N; i++)
    sum += old[i] + 2 * new[i];
  printf ("%.15g\n", sum);
}
