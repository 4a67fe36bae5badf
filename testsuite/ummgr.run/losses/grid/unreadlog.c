/* A log that is copied back and read by nobody.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 200000;
  int it = argc > 2 ? atoi (argv[2]) : 5;
  double *a = grid_vector (n), *b = grid_vector (n), *lg = malloc (8 * n),
	 *e = malloc (8 * n);
#pragma omp target data map(tofrom: a[0:n]) map(to: b[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for map(from: lg[0:n], e[0:n])
      for (long i = 0; i < n; i++)
	{
	  double o = a[i];
	  a[i] = 0.5 * (o + b[i]);
	  lg[i] = a[i] - o;
	  e[i] = o;
	}
    }
  printf ("%g\n", grid_sum (a, n));
}
