/* Lanes share the iterations of a simd loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 10000;
  float *a = malloc (n * 4), *b = malloc (n * 4);
  for (int i = 0; i < n; i++)
    {
      a[i] = i;
      b[i] = 1;
    }
  int last = 0;
#pragma omp target teams distribute parallel for simd map(to                                       \
                                                          : a[:n]) map(tofrom                      \
                                                                       : b[:n], last)              \
    lastprivate(last)
  for (int i = 0; i < n; i++)
    {
      b[i] += a[i] * 2;
      last = i * 3;
    }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += b[i];
  printf ("%.1f %d\n", s, last);
}
