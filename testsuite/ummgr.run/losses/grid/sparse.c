/* One column in 512 of a matrix, sixteen times each element.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 2000, w = 512;
  double *a = grid_vector ((long) n * w), *s = malloc (8L * n);
#pragma omp target data map(to: a[0:(long)n*w]) map(from: s[0:n])
  for (int t = 0; t < 3; t++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	s[i] = a[(long) (i / 16) * w + t] + i;
    }
  printf ("%g\n", grid_sum (s, n));
}
