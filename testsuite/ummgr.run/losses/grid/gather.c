/* Any element, by an index.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 500000, m = n / 4;
  int it = argc > 2 ? atoi (argv[2]) : 3;
  double *x = grid_vector (n), *y = malloc (8 * m);
  int *ix = malloc (4 * m);
  for (long i = 0; i < m; i++)
    ix[i] = grid_random () % n;
#pragma omp target data map(to: x[0:n], ix[0:m]) map(from: y[0:m])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for
      for (long i = 0; i < m; i++)
	y[i] = x[ix[i]] + t;
    }
  printf ("%g\n", grid_sum (y, m));
}
