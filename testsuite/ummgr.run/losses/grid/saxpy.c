/* Three arrays in one region, one of them in the next.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 300000;
  int it = argc > 2 ? atoi (argv[2]) : 8;
  double *x = grid_vector (n), *y = grid_vector (n), *z = malloc (8 * n), s = 0;
#pragma omp target data map(to: x[0:n], y[0:n]) map(from: z[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for
      for (long i = 0; i < n; i++)
	z[i] = 2 * x[i] + y[i];
#pragma omp target teams distribute parallel for reduction(+:s) map(tofrom: s)
      for (long i = 0; i < n; i++)
	s += z[i];
    }
  printf ("%g %g\n", s, grid_sum (z, n));
}
