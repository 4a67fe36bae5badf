// A coefficient is mapped once and changed later.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 1000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), scale[8] = { 1 };
#pragma omp target data map(to: scale) map(tofrom: a[0:N])
  for (int step = 0; step < 4; step++)
    {
      scale[0] = step + 2;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	a[i] += scale[0]; // fault: stale on the device
    }
  printf ("%g\n", a[3]);
  free (a);
  return 0;
}
