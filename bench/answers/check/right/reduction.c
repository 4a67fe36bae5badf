// A reduction over teams and threads.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: a[0:N]) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += a[i];
  a[3] = sum;
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
