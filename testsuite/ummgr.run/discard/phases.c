/* Phases that use two of three arrays each, of which the device has room for two: what a region
   overwrites comes, though what is in it is of no use.  With READS each region reads what it
   writes.  Ends with 1 if a value is wrong.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

#ifdef READS
#define KEEP(X) (X)
#else
#define KEEP(X) 0
#endif

enum { PHASES = 6, LAUNCHES = 4 };

int
main (void)
{
  const size_t n = 1 << 19;
  double *a = malloc (n * sizeof *a), *b = malloc (n * sizeof *b), *c = malloc (n * sizeof *c);
  if (!a || !b || !c)
    return 2;
  for (size_t i = 0; i < n; i++)
    {
      a[i] = (double) i;
      b[i] = c[i] = -1;
    }
#pragma omp target data map(tofrom: a[0:n], b[0:n], c[0:n])
  for (int p = 0; p < PHASES; p++)
    {
      for (int k = 0; k < LAUNCHES; k++)
#pragma omp target teams distribute parallel for
	for (size_t i = 0; i < n; i++)
	  b[i] = KEEP (b[i]) + a[i] + k;
      for (int k = 0; k < LAUNCHES; k++)
#pragma omp target teams distribute parallel for
	for (size_t i = 0; i < n; i++)
	  c[i] = KEEP (c[i]) + 2 * b[i] + k;
#pragma omp target teams distribute parallel for
      for (size_t i = 0; i < n; i++)
	a[i] = c[i] + 1;
    }
  size_t wrong = 0;
  for (size_t i = 0; i < n; i++)
    {
      double x = (double) i, y = -1, z = -1;
      for (int p = 0; p < PHASES; p++)
	{
	  for (int k = 0; k < LAUNCHES; k++)
	    y = KEEP (y) + x + k;
	  for (int k = 0; k < LAUNCHES; k++)
	    z = KEEP (z) + 2 * y + k;
	  x = z + 1;
	}
      wrong += a[i] != x || b[i] != y || c[i] != z;
    }
  printf ("wrong %zu\n", wrong);
  free (a);
  free (b);
  free (c);
  return wrong != 0;
}
