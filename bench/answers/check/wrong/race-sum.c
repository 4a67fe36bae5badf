// Teams add to one variable, and nothing reduces.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  double sum = 0;
#pragma omp target teams distribute num_teams(8) map(tofrom: sum) map(to: a[0:N])
  for (int i = 0; i < N; i++)
    sum += a[i]; // fault: race
  printf ("%g\n", sum);
  free (a);
  free (b);
  return 0;
}
