/* Pairs of four arrays, each pair for a while.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

static void
step (double *x, double *y, long n)
{
#pragma omp target teams distribute parallel for map(x[0:n], y[0:n])
  for (long i = 0; i < n; i++)
    y[i] = y[i] * 0.5 + x[i];
}

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 150000;
  int it = argc > 2 ? atoi (argv[2]) : 5;
  double *a = grid_vector (n), *b = grid_vector (n), *d = grid_vector (n),
	 *e = grid_vector (n);
#pragma omp target data map(tofrom: a[0:n], b[0:n], d[0:n], e[0:n])
  {
    for (int t = 0; t < it; t++)
      step (a, b, n);
    for (int t = 0; t < it; t++)
      step (b, d, n);
    for (int t = 0; t < it; t++)
      step (d, e, n);
    for (int t = 0; t < it; t++)
      {
	step (e, a, n);
	step (a, b, n);
      }
  }
  printf ("%g\n", grid_sum (a, n) + grid_sum (b, n) + grid_sum (d, n)
		      + grid_sum (e, n));
}
