/* Of a long table the loop copies the first sixtieth again and again: a construct that maps the whole
   of it would copy more than is copied now.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 1200000, PART = 20000, ROUNDS = 10 };

int
main (void)
{
  double *table = malloc (N * sizeof *table), *result = malloc (PART * sizeof *result), sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = (i % 13) / 4.0;
#ifdef MENDED
#pragma omp target data map(to: table[0:PART])
#endif
  for (int round = 0; round < ROUNDS; round++) /* LOOP */
    {
#pragma omp target teams distribute parallel for map(to: table[0:PART]) map(from: result[0:PART]) /* HERE */
      for (int i = 0; i < PART; i++)
	result[i] = table[i] + round;
      for (int i = 0; i < PART; i++)
	sum += result[i];
    }
  printf ("%.15g %.15g\n", sum, table[N - 1]);
}
