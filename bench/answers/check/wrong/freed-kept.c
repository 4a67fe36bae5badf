// A device address is kept beyond the end of the data region.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double *kept;
#pragma omp target data map(to: b[0:N]) use_device_ptr(b)
  kept = b;
#pragma omp target teams distribute parallel for map(tofrom: a[0:N]) is_device_ptr(kept)
  for (int i = 0; i < N; i++)
    a[i] += kept[i]; // fault: freed
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
