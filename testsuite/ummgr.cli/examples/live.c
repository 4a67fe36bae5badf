/* The example of gcc-plugin/live/live.h.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

float
total (long n)
{
  float *a = malloc (n * sizeof *a), *t = malloc (n * sizeof *t), sum = 0;
#pragma omp target map(from: a[0:n], t[0:n])
  for (long i = 0; i < n; i++)
    a[i] = t[i] = i;
  for (long i = 0; i < n; i++)
    sum += a[i];
  free (a);
  free (t);
  return sum;
}
