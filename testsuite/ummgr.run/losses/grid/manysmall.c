/* Many small objects, each with its neighbour.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

enum { M = 120 };

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 9000;
  int it = argc > 2 ? atoi (argv[2]) : 3;
  double *o[M];
  for (int i = 0; i < M; i++)
    {
      o[i] = grid_vector (n);
      double *p = o[i];
#pragma omp target enter data map(to: p[0:n])
    }
  for (int t = 0; t < it; t++)
    for (int i = 0; i + 1 < M; i++)
      {
	double *p = o[i], *q = o[i + 1];
#pragma omp target teams distribute parallel for map(p[0:n], q[0:n])
	for (long k = 0; k < n; k++)
	  q[k] += 0.5 * p[k];
      }
  double s = 0;
  for (int i = 0; i < M; i++)
    {
      double *p = o[i];
#pragma omp target exit data map(from: p[0:n])
      s += grid_sum (p, n);
    }
  printf ("%g\n", s);
}
