/* One product of matrices.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 320;
  double *a = grid_vector (n * n), *b = grid_vector (n * n),
	 *r = malloc (8L * n * n);
#pragma omp target teams distribute parallel for collapse(2) \
  map(to: a[0:n*n], b[0:n*n]) map(from: r[0:n*n])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      {
	double s = 0;
	for (int k = 0; k < n; k++)
	  s += a[i * n + k] * b[k * n + j];
	r[i * n + j] = s;
      }
  printf ("%g\n", grid_sum (r, n * n));
}
