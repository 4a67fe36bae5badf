// A sweep reads what the next team writes.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute num_teams(8) map(tofrom: a[0:N])
  for (int i = 0; i < N - 1; i++)
    a[i] = a[i + 1] + 1; // fault: race
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
