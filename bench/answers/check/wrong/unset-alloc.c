// Nobody has written what the region adds up.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double sum = 0;
#pragma omp target data map(alloc: b[0:N])
#pragma omp target teams distribute parallel for map(tofrom: sum) reduction(+: sum)
  for (int i = 0; i < N; i++)
    sum += b[i]; // fault: unset on the device
  printf ("%g\n", sum);
  free (a);
  free (b);
  return 0;
}
