/* The length of each row is in memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 4000, w = 256,
      it = argc > 2 ? atoi (argv[2]) : 3;
  int *len = malloc (4L * n);
  double *a = grid_vector ((long) n * w), *s = malloc (8L * n);
  for (int i = 0; i < n; i++)
    len[i] = w - grid_random () % 40;
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for \
  map(to: a[0:(long)n*w], len[0:n]) map(from: s[0:n])
      for (int i = 0; i < n; i++)
	{
	  double x = 0;
	  for (int k = 0; k < len[i]; k++)
	    x += a[(long) i * w + k];
	  s[i] = x + t;
	}
    }
  printf ("%g\n", grid_sum (s, n));
}
