// An index array leads out of what is mapped.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  int *at = malloc (N * sizeof *at);
  for (int i = 0; i < N; i++)
    at[i] = i % 97 == 5 ? N + 10 : i;
#pragma omp target teams distribute parallel for map(from: a[0:N]) map(to: at[0:N], b[0:N])
  for (int i = 0; i < N; i++)
    a[i] = b[at[i]]; // fault: beyond
  free (at);
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
