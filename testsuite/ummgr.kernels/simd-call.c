/* Calls out of a simd loop: each lane's own.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma omp declare target
__attribute__ ((noinline)) double
h (double *w, int n)
{
  double t[16];
  for (int i = 0; i < 16; i++)
    t[i] = w[(n + i) & 15] * i;
  double s = 0;
  for (int i = 0; i < 16; i++)
    s += t[(i * 5) & 15];
  return s;
}
#pragma omp end declare target
int
main ()
{
  int n = 3000;
  double w[16];
  for (int i = 0; i < 16; i++)
    w[i] = i + 1;
  double *a = malloc (n * 8);
  double s = 0;
#pragma omp target teams distribute parallel for simd map(to:w) map(from:a[:n]) map(tofrom:s) reduction(+:s)
  for (int i = 0; i < n; i++)
    {
      a[i] = h (w, i);
      s += a[i];
    }
  printf ("%.1f\n", s);
}
