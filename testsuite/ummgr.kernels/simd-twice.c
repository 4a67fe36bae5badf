/* A simd loop after another.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
int
main ()
{
  int n = 4000;
  double *a = calloc (n, 8);
  for (int i = 0; i < n; i++)
    a[i] = i;
#pragma omp target simd map(tofrom : a[:n])
  for (int i = 0; i < n; i++)
    a[i] *= 3;
  double s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  printf ("%.1f\n", s);
  for (int i = 0; i < 70; i++)
    if (a[i] != 3 * i)
      printf ("%d:%g ", i, a[i]);
  puts ("");
}
