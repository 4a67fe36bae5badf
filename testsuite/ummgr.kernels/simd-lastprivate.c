/* Two simd loops with lastprivate, in a function that marks neither: lanes part and
   meet again as the code has it.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
int
main ()
{
  int n = 1000;
  double *a = calloc (n, 8), *b = calloc (n, 8);
  double last = 0;
  for (int i = 0; i < n; i++)
    a[i] = b[i] = i;
#pragma omp target map(tofrom : a[:n], b[:n], last)
  {
#pragma omp simd
    for (int i = 0; i < n; i++)
      a[i] *= 3;
    a[5] += 1;
    last += 2;
#pragma omp simd lastprivate(last)
    for (int i = 0; i < n - 3; i++)
      {
        b[i] *= a[n - 1 - i];
        last = b[i] + i;
      }
    last += 1;
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * (i % 3) + b[i];
  printf ("%.1f %.1f\n", s, last);
}
