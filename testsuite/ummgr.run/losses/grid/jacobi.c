/* Two arrays in turn, one of which is never copied.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  int n = argc > 1 ? atoi (argv[1]) : 700, it = argc > 2 ? atoi (argv[2]) : 6;
  double *a = grid_vector (n * n), *b = malloc (8L * n * n);
#pragma omp target data map(tofrom: a[0:n*n]) map(alloc: b[0:n*n])
  for (int t = 0; t < it; t++)
    {
#pragma omp target teams distribute parallel for collapse(2)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  b[i * n + j] = 0.25
			 * (a[(i - 1) * n + j] + a[(i + 1) * n + j]
			    + a[i * n + j - 1] + a[i * n + j + 1]);
#pragma omp target teams distribute parallel for collapse(2)
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < n - 1; j++)
	  a[i * n + j] = b[i * n + j];
    }
  printf ("%g\n", grid_sum (a, n * n));
}
