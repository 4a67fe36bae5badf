// Half is updated, and all is read.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double sum = 0;
#pragma omp target enter data map(to: a[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = 2 * i + 1;
#pragma omp target update from(a[0:N/2])
  for (int i = 0; i < N; i++)
    sum += a[i]; // fault: stale on the host
#pragma omp target exit data map(delete: a[0:N])
  printf ("%g\n", sum);
  free (a);
  free (b);
  return 0;
}
