// A nest of loops that fills and reads rows.
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
    for (int j = 0; j < 100; j++)
      a[j] = j;
    for (int i = 1; i < 100; i++)
      for (int j = 0; j < 100; j++)
	a[i * 100 + j] = a[(i - 1) * 100 + j] + 1;
  }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
