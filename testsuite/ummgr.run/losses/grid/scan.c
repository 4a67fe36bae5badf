/* One array, over and over.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 800000;
  int it = argc > 2 ? atoi (argv[2]) : 5;
  double *a = grid_vector (n);
#pragma omp target data map(tofrom: a[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for
      for (long i = 0; i < n; i++)
	a[i] = a[i] * 0.5 + 1;
    }
  printf ("%g\n", grid_sum (a, n));
}
