// Device memory is given to an array of the host.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  int device = omp_get_default_device ();
  double *d = omp_target_alloc (N * sizeof *d, device);
  omp_target_associate_ptr (a, d, N * sizeof *d, 0, device);
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target update from(a[0:N])
  omp_target_disassociate_ptr (a, device);
  omp_target_free (d, device);
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
