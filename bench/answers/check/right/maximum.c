// The greatest, over teams and threads.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
  int most = 0;
#pragma omp target teams distribute parallel for reduction(max: most) map(to: a[0:N]) map(tofrom: most)
  for (int i = 0; i < N; i++)
    most = a[i] > most ? a[i] : most;
  a[3] = most;
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
