/* Sums of columns, then what is left of each element.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 900;
  double *a = grid_vector ((long) n * n), *s = malloc (8L * n),
	 *m = malloc (8L * n * n);
#pragma omp target data map(to: a[0:(long)n*n]) \
  map(from: s[0:n], m[0:(long)n*n])
  {
#pragma omp target teams distribute parallel for
    for (int j = 0; j < n; j++)
      {
	double x = 0;
	for (int i = 0; i < n; i++)
	  x += a[(long) i * n + j];
	s[j] = x / n;
      }
#pragma omp target teams distribute parallel for collapse(2)
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
	m[(long) i * n + j] = a[(long) i * n + j] - s[j];
  }
  printf ("%g\n", grid_sum (m, (long) n * n) + grid_sum (s, n));
}
