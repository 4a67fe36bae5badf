// A loop that reads what its iteration before wrote.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target map(from: a[0:N])
  {
    a[0] = 1;
    for (int i = 1; i < N; i++)
      a[i] = a[i - 1] + 1;
  }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
