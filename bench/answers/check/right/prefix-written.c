// A part of what is mapped from is written, and that part is read.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute parallel for map(from: a[0:N])
  for (int i = 0; i < N / 2; i++)
    a[i] = i;
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
