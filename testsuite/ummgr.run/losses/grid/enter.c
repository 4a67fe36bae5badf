/* Two arrays in turn, each mapped for three launches, and one for all.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 200000;
  int it = argc > 2 ? atoi (argv[2]) : 4;
  double s = 0;
  double *t1 = grid_vector (n), *t2 = grid_vector (n), *w = grid_vector (n);
#pragma omp target enter data map(to: w[0:n])
  for (int t = 0; t < it; t++)
    {
      double *p = t & 1 ? t1 : t2;
#pragma omp target enter data map(to: p[0:n])
      for (int k = 0; k < 3; k++)
	{
#pragma omp target teams distribute parallel for map(p[0:n], w[0:n])
	  for (long i = 0; i < n; i++)
	    p[i] = p[i] * 0.25 + w[i];
	}
#pragma omp target exit data map(from: p[0:n])
      s += p[t];
    }
#pragma omp target exit data map(release: w[0:n])
  printf ("%g\n", s + grid_sum (t1, n));
}
