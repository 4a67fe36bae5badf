// Device memory is used after it was freed.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

enum { N = 1000 };

int
main (void)
{
  int device = omp_get_default_device ();
  double s = 0, *d = omp_target_alloc (N * sizeof (double), device);
#pragma omp target is_device_ptr(d)
  for (int i = 0; i < N; i++)
    d[i] = i;
  omp_target_free (d, device);
#pragma omp target is_device_ptr(d) map(tofrom: s)
  for (int i = 0; i < N; i++)
    s += d[i]; // fault: freed
  printf ("%g\n", s);
  return 0;
}
