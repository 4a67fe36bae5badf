/* An iteration until a reduction, at which the host looks each time, is small.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 20000 };

struct problem
{
  double *matrix, *guess, *next;
};

int
main (void)
{
  struct problem p = { malloc (N * sizeof (double)), malloc (N * sizeof (double)),
		       malloc (N * sizeof (double)) };
  for (int i = 0; i < N; i++)
    {
      p.matrix[i] = 0.5 + (i % 4) / 16.0;
      p.guess[i] = i % 8;
    }
  double change = 1e9, *m = p.matrix, *g = p.guess, *n = p.next;
#ifdef MENDED
#pragma omp target data map(to: m[0:N]) map(tofrom: g[0:N]) map(from: n[0:N])
#endif
  while (change > 100) /* LOOP */
    {
      change = 0;
#pragma omp target teams distribute parallel for map(to: m[0:N], g[0:N]) map(from: n[0:N]) /* HERE */
      for (int i = 0; i < N; i++)
	n[i] = m[i] * g[i];
#pragma omp target teams distribute parallel for map(to: n[0:N]) map(tofrom: g[0:N]) reduction(+: change) /* HERE */
      for (int i = 0; i < N; i++)
	{
	  change += g[i] - n[i];
	  g[i] = n[i];
	}
    }
  double sum = 0;
  for (int i = 0; i < N; i++)
    sum += g[i];
  printf ("%.10g\n", sum);
}
