/* Collapsed loops.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 200, m = 150;
  double *a = calloc (n * m, 8);
#pragma omp target teams distribute parallel for collapse(2) map(tofrom : a[:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++)
      a[i * m + j] += i * 1000 + j;
  double s = 0;
  for (int i = 0; i < n * m; i++)
    s += a[i] * (i % 7);
  printf ("%.1f\n", s);
}
