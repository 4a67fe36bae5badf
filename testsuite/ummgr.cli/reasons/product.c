/* c += a * b, of which b is read again for each row of a, on a device that has room for one and a half of the three.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

enum { N = 160 };

int
main (void)
{
  float *a = malloc (N * N * sizeof *a), *b = malloc (N * N * sizeof *b), *c = malloc (N * N * sizeof *c);
  for (long i = 0; i < N * N; i++)
    {
      a[i] = (float) (i % 7);
      b[i] = (float) (i % 5);
      c[i] = 0;
    }
#pragma omp target data map(to: a[0:N * N], b[0:N * N]) map(tofrom: c[0:N * N])
  for (int round = 0; round < 3; round++)
    {
#pragma omp target teams distribute parallel for collapse(2)
      for (long i = 0; i < N; i++)
	for (long j = 0; j < N; j++)
	  for (long k = 0; k < N; k++)
	    c[i * N + j] += a[i * N + k] * b[k * N + j];
    }
  double sum = 0, expected = 0;
  for (long i = 0; i < N * N; i++)
    sum += c[i];
  for (long k = 0; k < N; k++)
    {
      double column = 0, row = 0;
      for (long i = 0; i < N; i++)
	{
	  column += a[i * N + k];
	  row += b[k * N + i];
	}
      expected += 3 * column * row;
    }
  printf ("%.0f %s\n", sum, sum == expected ? "right" : "wrong");
  return sum != expected;
}
