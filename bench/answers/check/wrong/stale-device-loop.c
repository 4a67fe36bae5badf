// The boundary is set by the host in each step, and stays there.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target enter data map(to: a[0:N], b[0:N])
  for (int step = 0; step < 3; step++)
    {
      b[0] = step + 1;
#pragma omp target teams distribute parallel for
      for (int i = 0; i < N; i++)
	a[i] += b[i]; // fault: stale on the device
    }
#pragma omp target exit data map(from: a[0:N]) map(release: b[0:N])
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
