/* A stencil in three dimensions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 80, it = argc > 2 ? atoi (argv[2]) : 4;
  long N = (long) n * n * n;
  double *k = grid_vector (N), *a = grid_vector (N), *o = malloc (8 * N);
#pragma omp target data map(to: a[0:N], k[0:N]) map(from: o[0:N])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for collapse(3)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  for (int l = 1; l < n - 1; l++)
	    {
	      long p = ((long) i * n + j) * n + l;
	      o[p] = k[p]
		     * (a[p - 1] + a[p + 1] + a[p - n] + a[p + n] + a[p - n * n]
			+ a[p + n * n]);
	    }
    }
  double s = 0;
  for (int i = 1; i < n - 1; i++)
    for (int j = 1; j < n - 1; j++)
      for (int l = 1; l < n - 1; l++)
	s += o[((long) i * n + j) * n + l];
  printf ("%g\n", s);
}
