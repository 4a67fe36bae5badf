/* Bounds in a structure that is mapped.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

struct dims
{
  int rows, cols;
};

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 900;
  struct dims *d = malloc (sizeof *d);
  d->rows = d->cols = n;
  double *a = grid_vector ((long) n * n), *s = malloc (8L * n);
#pragma omp target data map(to: a[0:(long)n*n], d[0:1]) map(from: s[0:n])
  for (int t = 0; t < 3; t++)
    {
#pragma omp target teams distribute parallel for
      for (int j = 0; j < n; j++)
	{
	  double x = t;
	  for (int i = 0; i < d->rows; i++)
	    x += a[(long) i * d->cols + j];
	  s[j] = x;
	}
    }
  printf ("%g\n", grid_sum (s, n));
}
