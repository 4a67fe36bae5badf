/* Atomic updates by all threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 20000;
  int h[64] = { 0 };
  double d = 0;
  int cap = 0;
#pragma omp target teams distribute parallel for map(tofrom : h, d, cap)
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      h[(i * 31) & 63]++;
#pragma omp atomic
      d += 0.5;
      int v;
#pragma omp atomic capture
      v = cap++;
      (void)v;
    }
  long s = 0;
  for (int i = 0; i < 64; i++)
    s += h[i] * (i + 1);
  printf ("%ld %.1f %d\n", s, d, cap);
}
