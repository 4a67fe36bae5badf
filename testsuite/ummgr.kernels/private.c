/* Private arrays, of lanes and of threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 1000;
  int *a = calloc (n, 4);
  int x = 3, y = 4;
#pragma omp target teams distribute parallel for firstprivate(x) private(y) map(tofrom             \
                                                                                : a[:n])           \
    dist_schedule(static, 13) schedule(static, 3)
  for (int i = 0; i < n; i++)
    {
      int t[8];
      for (int k = 0; k < 8; k++)
        t[(k + i) & 7] = k * x;
      y = t[3];
      a[i] = y + i;
    }
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  printf ("%ld\n", s);
}
