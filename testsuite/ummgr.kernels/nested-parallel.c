/* Parallel regions in parallel regions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 64;
  double *a = calloc (n * n, 8);
#pragma omp target teams distribute num_teams(7) map(tofrom : a[:n * n])
  for (int i = 0; i < n; i++)
    {
      double base = i * 10;
#pragma omp parallel for
      for (int j = 0; j < n; j++)
        a[i * n + j] = base + j;
#pragma omp parallel for simd
      for (int j = 0; j < n; j++)
        a[i * n + j] *= 2;
    }
  double s = 0;
  for (int i = 0; i < n * n; i++)
    s += a[i] * (i % 5);
  printf ("%.1f\n", s);
}
