// Half of what the loop goes over is mapped; the rest is read and written: 10000 times.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom: a[0:N/2]) map(to: b[0:N])
  for (int i = 0; i < N; i++)
    a[i] += b[i]; // fault: beyond
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
