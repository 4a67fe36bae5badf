// The rows are mapped without the last one.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 64 };

int
main (void)
{
  double *a = calloc (N * N, sizeof *a);
#pragma omp target teams distribute map(tofrom: a[0:(N - 1) * N])
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      a[i * N + j] = i + j; // fault: beyond
  printf ("%g\n", a[3]);
  free (a);
  return 0;
}
