// Memory is freed on the host and comes again.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  for (int step = 0; step < 4; step++)
    {
      double *c = malloc (N * sizeof *c);
      for (int i = 0; i < N; i++)
	c[i] = step;
#pragma omp target teams distribute parallel for map(to: c[0:N]) map(tofrom: a[0:N])
      for (int i = 0; i < N; i++)
	a[i] += c[i]++;
      free (c);
    }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
