/* Points against few centres that the host moves.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 20000, f = 16, K = 8, it = 4;
  double *x = grid_vector ((long) n * f), *ce = grid_vector (K * f);
  int *as = malloc (4L * n);
#pragma omp target data map(to: x[0:(long)n*f]) map(from: as[0:n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for map(to: ce[0:K*f])
      for (int i = 0; i < n; i++)
	{
	  double bd = 1e300;
	  int b = 0;
	  for (int k = 0; k < K; k++)
	    {
	      double d = 0;
	      for (int j = 0; j < f; j++)
		{
		  double q = x[(long) i * f + j] - ce[k * f + j];
		  d += q * q;
		}
	      if (d < bd)
		bd = d, b = k;
	    }
	  as[i] = b;
	}
      ce[t] += 1;
    }
  long s = 0;
  for (int i = 0; i < n; i++)
    s += as[i];
  printf ("%ld\n", s);
}
