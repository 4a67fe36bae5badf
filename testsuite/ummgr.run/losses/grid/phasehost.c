/* The host changes an array between two launches.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 200000;
  int it = argc > 2 ? atoi (argv[2]) : 6;
  double *a = grid_vector (n), *b = grid_vector (n), *w = grid_vector (n);
#pragma omp target data map(tofrom: a[0:n], b[0:n]) map(to: w[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for
      for (long i = 0; i < n; i++)
	a[i] = a[i] * 0.5 + w[i];
#pragma omp target update from(a[0:n])
      for (long i = 0; i < n; i += 8)
	a[i] += 1;
#pragma omp target update to(a[0:n])
#pragma omp target teams distribute parallel for
      for (long i = 0; i < n; i++)
	b[i] += a[i];
    }
  printf ("%g\n", grid_sum (a, n) + grid_sum (b, n));
}
