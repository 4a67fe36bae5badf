/* One of four arrays is in every launch.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 200000;
  int it = 3;
  double s = 0;
  double *a = grid_vector (n), *b = grid_vector (n), *d = grid_vector (n),
	 *w = grid_vector (n);
#pragma omp target data map(to: a[0:n], b[0:n], d[0:n], w[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for reduction(+:s) map(tofrom: s)
      for (long i = 0; i < n; i++)
	s += a[i] * w[i];
#pragma omp target teams distribute parallel for reduction(+:s) map(tofrom: s)
      for (long i = 0; i < n; i++)
	s += b[i] * w[i];
#pragma omp target teams distribute parallel for reduction(+:s) map(tofrom: s)
      for (long i = 0; i < n; i++)
	s += d[i] * w[i];
    }
  printf ("%g\n", s);
}
