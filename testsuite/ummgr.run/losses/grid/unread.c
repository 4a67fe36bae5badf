/* What is copied back and read by nobody.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 300000;
  int it = argc > 2 ? atoi (argv[2]) : 4;
  double *a = grid_vector (n), *tmp = malloc (8 * n), *r = malloc (8 * n),
	 s = 0;
  for (int t = 0; t < it; t++)
    {
#pragma omp target data map(to: a[0:n]) map(tofrom: tmp[0:n]) map(from: r[0:n])
      {
#pragma omp target teams distribute parallel for
	for (long i = 0; i < n; i++)
	  tmp[i] = a[i] * a[i] + t;
#pragma omp target teams distribute parallel for
	for (long i = 0; i < n; i++)
	  r[i] = tmp[i] + a[i];
      }
      s += r[t];
    }
  printf ("%g %g\n", s, grid_sum (r, n));
}
