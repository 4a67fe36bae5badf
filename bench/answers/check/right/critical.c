// Teams take turns.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target teams distribute num_teams(4) map(tofrom: a[0:N])
  for (int i = 0; i < 100; i++)
    {
#pragma omp critical
      a[3] += i;
    }
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
