// Device memory of the program, copied both ways.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  int device = omp_get_default_device (), host = omp_get_initial_device ();
  double *d = omp_target_alloc (N * sizeof *d, device);
  omp_target_memcpy (d, b, N * sizeof *d, 0, 0, device, host);
#pragma omp target teams distribute parallel for is_device_ptr(d)
  for (int i = 0; i < N; i++)
    d[i] += 1;
  omp_target_memcpy (a, d, N * sizeof *d, 0, 0, host, device);
  omp_target_free (d, device);
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
