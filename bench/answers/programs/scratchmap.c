/* A region uses what is only mapped to it as room to work in, and needs the host's bytes anew: they come
   again, and have to.  The fault is that the table comes each time, too.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 12 };

int
main (void)
{
  double *table = malloc (N * sizeof *table), *values = malloc (N * sizeof *values);
  double *out = malloc (N * sizeof *out), all = 0;
  for (int i = 0; i < N; i++)
    {
      table[i] = (i % 13) / 4.0;
      values[i] = i % 7;
    }
#ifdef MENDED
#pragma omp target data map(to: table[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target teams distribute parallel for map(to: table[0:N], values[0:N]) map(from: out[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	{
	  values[i] = values[i] * table[i] + 1;
	  out[i] = values[i] * values[i];
	}
      for (int i = 0; i < N; i++)
	all += out[i];
    }
  printf ("%.15g\n", all);
}
