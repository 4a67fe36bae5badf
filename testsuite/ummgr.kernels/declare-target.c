/* Variables of the device, and what the host makes of them.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 5000;
  double *a = malloc (n * 8), *b = malloc (n * 8);
  for (int i = 0; i < n; i++)
    a[i] = i, b[i] = 0;
#pragma omp target data map(to : a[:n]) map(tofrom : b[:n])
  {
    for (int it = 0; it < 5; it++)
      {
#pragma omp target teams distribute parallel for
        for (int i = 1; i < n - 1; i++)
          b[i] += 0.5 * (a[i - 1] + a[i + 1]);
      }
  }
#pragma omp target enter data map(to : b[:n])
#pragma omp target teams distribute parallel for nowait depend(out : b)
  for (int i = 0; i < n; i++)
    b[i] += 1;
#pragma omp taskwait
#pragma omp target exit data map(from : b[:n])
  double s = 0;
  for (int i = 0; i < n; i++)
    s += b[i];
  printf ("%.1f\n", s);
}
