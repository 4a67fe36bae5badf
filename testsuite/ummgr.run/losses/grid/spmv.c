/* A sparse matrix by its rows, and a vector.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 30000, it = argc > 2 ? atoi (argv[2]) : 4;
  int *rp = malloc (4 * (n + 1));
  rp[0] = 0;
  for (int i = 0; i < n; i++)
    rp[i + 1] = rp[i] + 4 + grid_random () % 16;
  long nz = rp[n];
  int *ci = malloc (4 * nz);
  double *va = grid_vector (nz), *x = grid_vector (n), *y = malloc (8L * n);
  for (long i = 0; i < nz; i++)
    ci[i] = grid_random () % n;
#pragma omp target data map(to: rp[0:n+1], ci[0:nz], va[0:nz]) \
  map(tofrom: x[0:n]) map(alloc: y[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	{
	  double s = 0;
	  for (int k = rp[i]; k < rp[i + 1]; k++)
	    s += va[k] * x[ci[k]];
	  y[i] = s;
	}
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	x[i] = y[i] * 0.001;
    }
  printf ("%g\n", grid_sum (x, n));
}
