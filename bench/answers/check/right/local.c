// Arrays in the region.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute num_teams(8) map(from: a[0:N])
  for (int i = 0; i < N; i++)
    {
      double own[32];
      for (int j = 0; j < 32; j++)
	own[j] = i + j;
      a[i] = own[i % 32];
    }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
