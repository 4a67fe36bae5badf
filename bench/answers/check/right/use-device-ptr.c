// A device address within the data region.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target data map(tofrom: a[0:N])
#pragma omp target data use_device_ptr(a)
#pragma omp target teams distribute parallel for is_device_ptr(a)
  for (int i = 0; i < N; i++)
    a[i] = i;
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
