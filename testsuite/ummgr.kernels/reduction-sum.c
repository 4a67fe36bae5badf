/* A reduction over teams and threads.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 100000;
  double *a = malloc (n * 8), s = 0;
  for (int i = 0; i < n; i++)
    a[i] = i % 17;
#pragma omp target teams distribute parallel for map(to : a[:n]) map(tofrom : s) reduction(+ : s)
  for (int i = 0; i < n; i++)
    s += a[i];
  printf ("%.1f\n", s);
}
