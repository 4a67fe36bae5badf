/* The length of a loop is in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 900, *bound = malloc (sizeof *bound);
  *bound = n;
  double *a = grid_vector ((long) n * n), *r = grid_vector (n),
	 *s = malloc (8L * n);
#pragma omp target teams distribute parallel for \
  map(to: a[0:(long)n*n], r[0:n], bound[0:1]) map(from: s[0:n])
  for (int j = 0; j < n; j++)
    {
      double t = 0;
      for (int i = 0; i < *bound; i++)
	t += a[(long) i * n + j] * r[i];
      s[j] = t;
    }
  printf ("%g\n", grid_sum (s, n));
}
