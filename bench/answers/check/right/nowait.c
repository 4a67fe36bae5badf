// Regions that are put off, with what they depend on.
// SPDX-License-Identifier: GPL-3.0-or-later

#include <stdio.h>
#include <stdlib.h>

enum { N = 10000 };

int
main (void)
{
  double *a = calloc (N, sizeof *a), *b = calloc (N, sizeof *b);
#pragma omp target enter data map(to: a[0:N]) nowait depend(out: a[0])
#pragma omp target teams distribute parallel for nowait depend(inout: a[0])
  for (int i = 0; i < N; i++)
    a[i] += i;
#pragma omp target exit data map(from: a[0:N]) nowait depend(inout: a[0])
#pragma omp taskwait
  printf ("%g\n", a[3]);
  free (a);
  free (b);
  return 0;
}
