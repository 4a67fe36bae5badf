/* Some rows of a matrix, by a flag each.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 8000, w = 128,
      every = argc > 2 ? atoi (argv[2]) : 60;
  char *flag = malloc (n);
  double *a = grid_vector ((long) n * w), *s = malloc (8L * n);
  for (int i = 0; i < n; i++)
    flag[i] = i % every == 0;
#pragma omp target data map(to: flag[0:n], a[0:(long)n*w]) map(from: s[0:n])
  for (int t = 0; t < 3; t++)
    {
#pragma omp target teams distribute parallel for
      for (int i = 0; i < n; i++)
	{
	  double x = 0;
	  if (flag[i])
	    for (int k = 0; k < w; k++)
	      x += a[(long) i * w + k];
	  s[i] = x + t;
	}
    }
  printf ("%g\n", grid_sum (s, n));
}
