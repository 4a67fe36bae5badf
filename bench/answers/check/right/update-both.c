// The host works within a data region, with updates both ways.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target data map(to: b[0:N]) map(tofrom: a[0:N])
  for (int step = 0; step < 3; step++)
    {
      b[0] = step;
#pragma omp target update to(b[0:1])
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	a[i] += b[i] + 1;
#pragma omp target update from(a[0:10])
      if (a[3] < 0)
	abort ();
    }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
