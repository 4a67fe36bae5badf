/* By rows in, by columns out.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 800;
  double *a = grid_vector ((long) n * n), *b = malloc (8L * n * n);
  for (int t = 0; t < 2; t++)
    {
#pragma omp target teams distribute parallel for collapse(2) \
  map(to: a[0:(long)n*n]) map(from: b[0:(long)n*n])
      for (int i = 0; i < n; i++)
	for (int j = 0; j < n; j++)
	  b[(long) j * n + i] = a[(long) i * n + j] + t;
    }
  printf ("%g\n", grid_sum (b, (long) n * n));
}
