/* Counts, by any key.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 300000, m = 200000;
  int *key = malloc (4 * n), *h = calloc (m, 4);
  for (long i = 0; i < n; i++)
    key[i] = grid_random () % m;
#pragma omp target data map(to: key[0:n]) map(tofrom: h[0:m])
  for (int t = 0; t < 3; t++)
    {
#pragma omp target teams distribute parallel for
      for (long i = 0; i < n; i++)
#pragma omp atomic
	h[key[i]]++;
    }
  long s = 0;
  for (long i = 0; i < m; i++)
    s += (long) h[i] * (i % 13);
  printf ("%ld\n", s);
}
