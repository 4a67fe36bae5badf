/* Products of matrices, each of the last.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

static void
mul (int n, double *a, double *b, double *r)
{
#pragma omp target teams distribute parallel for collapse(2) \
  map(to: a[0:n*n], b[0:n*n]) map(from: r[0:n*n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
	r[i * n + j] = 0;
	for (int k = 0; k < n; k++)
	  r[i * n + j] += a[i * n + k] * b[k * n + j];
      }
}

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 256;
  double *a = grid_vector (n * n), *b = grid_vector (n * n),
	 *d = grid_vector (n * n), *t = malloc (8L * n * n),
	 *r = malloc (8L * n * n);
#pragma omp target data map(to: a[0:n*n], b[0:n*n], d[0:n*n]) \
  map(alloc: t[0:n*n]) map(from: r[0:n*n])
  {
    mul (n, a, b, t);
    mul (n, t, d, r);
    mul (n, r, b, t);
    mul (n, t, a, r);
  }
  printf ("%g\n", grid_sum (r, n * n));
}
