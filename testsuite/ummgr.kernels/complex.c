/* Complex numbers and their reductions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <complex.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 100;
  double complex *z = malloc (n * 16);
  for (int i = 0; i < n; i++)
    z[i] = i + 2.0 * I;
  double complex s = 0;
#pragma omp target teams distribute parallel for map(tofrom : z[:n])
  for (int i = 0; i < n; i++)
    z[i] = z[i] * z[i] + 1.0;
  for (int i = 0; i < n; i++)
    s += z[i];
  printf ("%.1f %.1f\n", creal (s), cimag (s));
}
