/* One large array block by block, each of its own mapping.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 800000, B = n / 8;
  int it = argc > 2 ? atoi (argv[2]) : 3;
  double *a = grid_vector (n), *o = malloc (8 * n);
  for (int t = 0; t < it; t++)
    for (long k = 0; k < 8; k++)
      {
	double *p = a + k * B, *q = o + k * B;
#pragma omp target teams distribute parallel for map(to: p[0:B]) \
  map(from: q[0:B])
	for (long i = 0; i < B; i++)
	  q[i] = p[i] * p[i] + t;
      }
  printf ("%g\n", grid_sum (o, n));
}
