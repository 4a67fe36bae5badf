// A part is entered, and the region uses all.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target enter data map(to: b[0:100])
#pragma omp target teams distribute parallel for map(from: a[0:N])
  for (int i = 0; i < N; i++)
    a[i] = b[i]; // fault: beyond
#pragma omp target exit data map(delete: b[0:100])
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
