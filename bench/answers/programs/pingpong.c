/* What one kernel leaves, the other reads, and both map all of it both ways.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 15 };

int
main (void)
{
  double *red = malloc (N * sizeof *red), *black = malloc (N * sizeof *black);
  for (int i = 0; i < N; i++)
    {
      red[i] = i % 7;
      black[i] = i % 5;
    }
#ifdef MENDED
#pragma omp target data map(tofrom: red[0:N], black[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target teams distribute parallel for map(tofrom: red[0:N], black[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	red[i] = 0.5 * (red[i] + black[i]);
#pragma omp target teams distribute parallel for map(tofrom: red[0:N], black[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	black[i] = 0.25 * (3 * black[i] + red[i]);
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += red[i] + 2 * black[i];
  printf ("%.15g\n", sum);
}
