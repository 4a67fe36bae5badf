// Of an array of pointers the rows are not mapped.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 20 };

int
main (void)
{
  double *rows[N], sum = 0;
  for (int i = 0; i < N; i++)
    rows[i] = calloc (N, sizeof (double));
#pragma omp target map(to: rows) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += rows[i][i]; // fault: not mapped
  printf ("%g\n", sum);
  return 0;
}
