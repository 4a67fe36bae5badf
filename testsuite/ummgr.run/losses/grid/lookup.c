/* Binary search: few places of a large table.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "grid.h"

int
main (int argc, char **argv)
{
  long n = argc > 1 ? atol (argv[1]) : 1000000, m = 40;
  long *tab = malloc (8 * n), *q = malloc (8 * m), *r = malloc (8 * m);
  for (long i = 0; i < n; i++)
    tab[i] = 3 * i;
  for (long i = 0; i < m; i++)
    q[i] = grid_random () % (3 * n / 50);
#pragma omp target teams distribute parallel for map(to: tab[0:n], q[0:m]) \
  map(from: r[0:m])
  for (long i = 0; i < m; i++)
    {
      long lo = 0, hi = n;
      while (hi - lo > 1)
	{
	  long k = (lo + hi) / 2;
	  if (tab[k] <= q[i])
	    lo = k;
	  else
	    hi = k;
	}
      r[i] = lo;
    }
  long s = 0;
  for (long i = 0; i < m; i++)
    s += r[i];
  printf ("%ld\n", s);
}
