/* Integers of all widths, and conversions.
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
  signed char *c = malloc (n);
  unsigned short *u = malloc (2 * n);
  long long *l = malloc (8 * n);
#pragma omp target teams distribute parallel for map(from : c[:n], u[:n], l[:n])
  for (int i = 0; i < n; i++)
    {
      c[i] = (signed char)(i * 37);
      u[i] = (unsigned short)(i * 777);
      l[i] = (long long)(c[i]) * u[i] / (i - 500 ? i - 500 : 1) % 97;
      double d = i * 1e6;
      int k = (int)(d / 3);
      unsigned q = (unsigned)d;
      l[i] += k % 11 + (q >> 3) + __builtin_popcount (i) + __builtin_clz (i + 1) + (c[i] << 2)
              + (c[i] >> 1);
    }
  long s = 0;
  for (int i = 0; i < n; i++)
    s += l[i] * (i % 3 + 1);
  printf ("%ld\n", s);
}
