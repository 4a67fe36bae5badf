/* Arrays of variable length.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 33;
  double s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s) reduction(+ : s)
  for (int i = 1; i < n; i++)
    {
      double v[i];
      for (int k = 0; k < i; k++)
        v[k] = k;
      for (int k = 0; k < i; k++)
        s += v[k];
    }
  printf ("%.1f\n", s);
}
