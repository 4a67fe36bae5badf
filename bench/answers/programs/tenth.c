/* The host looks at the result of each tenth iteration only.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000, ROUNDS = 40 };

int
main (void)
{
  double *field = malloc (N * sizeof *field), *source = malloc (N * sizeof *source), seen = 0;
  for (int i = 0; i < N; i++)
    {
      field[i] = i % 8;
      source[i] = (i % 5) / 5.0;
    }
#ifdef MENDED
#pragma omp target data map(to: source[0:N]) map(tofrom: field[0:N])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target teams distribute parallel for map(to: source[0:N]) map(tofrom: field[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	field[i] = 0.75 * field[i] + source[i];
      if (round % 10 == 9)
	{
#ifdef MENDED
#pragma omp target update from(field[0:N])
#endif
	  for (int i = 0; i < N; i++) /* HOST */
	    seen += field[i];
	}
    }
  printf ("%.15g\n", seen + field[1]);
}
