// Scratch memory of the device, written and then read.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target data map(alloc: b[0:N]) map(from: a[0:N])
  {
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      b[i] = i;
#pragma omp target teams distribute parallel for
    for (int i = 0; i < N; i++)
      a[i] = b[N - 1 - i];
  }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
