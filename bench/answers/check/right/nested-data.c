// A data region in another, of the same array.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target data map(tofrom: a[0:N])
  {
#pragma omp target data map(tofrom: a[0:N])
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      a[i] = i;
#pragma omp target update from(a[3:1])
    b[0] = a[3];
  }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
