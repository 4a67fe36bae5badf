// enter data, regions, exit data.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target enter data map(to: a[0:N]) map(alloc: b[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    b[i] = i;
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = b[i];
#pragma omp target exit data map(from: a[0:N]) map(delete: b[0:N])
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
