/* The device's libm.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 200;
  double *a = malloc (n * 8);
  float *b = malloc (n * 4);
#pragma omp target teams distribute parallel for map(from : a[:n], b[:n])
  for (int i = 0; i < n; i++)
    {
      double x = i * 0.1;
      a[i] = sin (x) + exp (-x) + sqrt (x) + pow (x + 1, 0.3) + floor (x) + fabs (x - 5)
             + log (x + 1);
      b[i] = sinf (x) + sqrtf (x) + fminf (x, 3) + ceilf (x);
    }
  double s = 0, q = 0;
  for (int i = 0; i < n; i++)
    {
      s += a[i];
      q += b[i];
    }
  printf ("%.6f %.3f\n", s, q);
}
