// A section in the middle is mapped, and used.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute parallel for map(tofrom: a[100:N - 200]) map(to: b[0:N])
  for (int i = 100; i < N - 100; i++)
    a[i] = b[i] + b[i - 100];
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
