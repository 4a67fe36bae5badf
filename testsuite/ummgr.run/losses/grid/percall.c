/* Each launch maps for itself.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 150000;
  int it = argc > 2 ? atoi (argv[2]) : 5;
  double *a = grid_vector (n), *b = malloc (8 * n), *d = malloc (8 * n);
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for map(to: a[0:n]) \
  map(from: b[0:n])
      for (long i = 0; i < n; i++)
	b[i] = a[i] * 3;
#pragma omp target teams distribute parallel for map(to: a[0:n], b[0:n]) \
  map(from: d[0:n])
      for (long i = 0; i < n; i++)
	d[i] = a[i] + b[i];
    }
  printf ("%g\n", grid_sum (d, n));
}
