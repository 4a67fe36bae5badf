/* Elimination: each region uses less of the matrix.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 260;
  long N = (long) n * n;
  double *a = grid_vector (N), *m = malloc (8L * n);
  for (int i = 0; i < n; i++)
    a[(long) i * n + i] += 12 * n;
#pragma omp target data map(tofrom: a[0:N]) map(alloc: m[0:n])
  for (int k = 0; k < n - 1; k += 8)
    {
#pragma omp target teams distribute parallel for
      for (int i = k + 1; i < n; i++)
	m[i] = a[(long) i * n + k] / a[(long) k * n + k];
#pragma omp target teams distribute parallel for
      for (int i = k + 1; i < n; i++)
	for (int j = k; j < n; j++)
	  a[(long) i * n + j] -= m[i] * a[(long) k * n + j];
    }
  printf ("%g\n", grid_sum (a, N));
}
