// A small array of each team its own.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double own[16] = { 1, 2 };
#pragma omp target teams distribute firstprivate(own) map(from: a[0:N])
  for (int i = 0; i < N; i++)
    {
      own[i % 16] += 1;
      a[i] = own[1];
    }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
