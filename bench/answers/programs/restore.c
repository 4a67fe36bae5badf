/* Sums begin at what the host has, nothing, in each round, since the construct copies that in: it is the
   same bytes again, and has to come.  The fault is that the table comes each time, too.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *table = malloc (N * sizeof *table), *sums = calloc (N, sizeof *sums);
  double *out = malloc (N * sizeof *out), all = 0;
  for (int i = 0; i < N; i++)
    table[i] = (i % 13) / 4.0;
#ifdef MENDED
#pragma omp target data map(to: table[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target data map(to: table[0:N], sums[0:N]) map(from: out[0:N]) /* HERE */
      {
#pragma omp target teams distribute parallel for map(to: table[0:N], sums[0:N])
	for (int i = 0; i < N; i++)
	  sums[i] += table[i] * round;
#pragma omp target teams distribute parallel for map(to: sums[0:N]) map(from: out[0:N])
	for (int i = 0; i < N; i++)
	  out[i] = sums[i] + sums[N - 1 - i];
      }
      for (int i = 0; i < N; i++)
	all += out[i];
    }
  printf ("%.15g\n", all);
}
