// exit data releases what should have been copied back.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target enter data map(to: a[0:N])
#pragma omp target teams distribute parallel for
  for (int i = 0; i < N; i++)
    a[i] = 2 * i + 1;
#pragma omp target exit data map(release: a[0:N])
  for (int i = 0; i < N; i++)
    b[i] = a[i]; // fault: stale on the host
  printf ("%g\n", b[3]);
  free (a);
  free (b);
  return 0;
}
