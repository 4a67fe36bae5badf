// omp_target_alloc counts bytes, not elements.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>
#include <omp.h>

enum { N = 1000 };

int
main (void)
{
  int device = omp_get_default_device ();
  double s = 0, *d = omp_target_alloc (N * sizeof (float), device);
#pragma omp target is_device_ptr(d) map(tofrom: s)
  for (int i = 0; i < N; i++)
    {
      d[i] = i; // fault: beyond
      s += 1;
    }
  omp_target_free (d, device);
  printf ("%g\n", s);
  return 0;
}
