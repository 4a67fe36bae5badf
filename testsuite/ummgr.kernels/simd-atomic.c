/* An atomic update between two simd loops: where lanes part is marked.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
int
main ()
{
  int n = 1000;
  double *a = calloc (n, 8), *b = calloc (n, 8);
  for (int i = 0; i < n; i++)
    a[i] = b[i] = i;
  int k = 0;
#pragma omp target map(tofrom : a[:n], b[:n], k)
  {
#pragma omp simd
    for (int i = 0; i < n; i++)
      a[i] *= 3;
#pragma omp atomic
    k++;
    a[5] += 1;
#pragma omp simd
    for (int i = 0; i < n - 3; i++)
      {
        b[i] *= a[n - 1 - i];
      }
  }
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i] * (i % 3) + b[i];
  printf ("%.1f %d\n", s, k);
}
