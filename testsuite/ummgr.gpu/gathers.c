/* Reads whose places only the data tells: a report for each.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdio.h>
#include <stdlib.h>

enum { N = 1 << 16 };

int
main (void)
{
  double *a = malloc (N * sizeof *a), sum = 0;
  int *at = malloc (N * sizeof *at);
  for (int i = 0; i < N; i++)
    {
      a[i] = i;
      at[i] = i * 7919L % N;
    }
#pragma omp target teams distribute parallel for map(to: a[:N], at[:N]) map(tofrom: sum) reduction(+: sum)
  for (int i = 0; i < N; i++)
    sum += a[at[i]];
  printf ("sum %.0f\n", sum);
  free (a);
  free (at);
  return 0;
}
