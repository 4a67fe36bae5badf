// The host reads within the data region, before the copy back.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double sum = 0;
#pragma omp target data map(tofrom: a[0:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      a[i] = i + 1;
    for (int i = 0; i < N; i++)
      sum += a[i]; // fault: stale on the host
  }
  printf ("%g\n", sum);
  free (a);
  free (b);
  return 0;
}
