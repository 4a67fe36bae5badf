// A pointer of the host is passed as one of the device.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom: a[0:N]) is_device_ptr(b)
  for (int i = 0; i < N; i++)
    a[i] += b[i]; // fault: not mapped
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
