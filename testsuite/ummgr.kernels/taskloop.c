/* Taskloops.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 500, *a = calloc (n, 4);
#pragma omp target map(tofrom : a[:n])
#pragma omp parallel num_threads(4)
#pragma omp single
#pragma omp taskloop grainsize(20)
  for (int i = 0; i < n; i++)
    a[i] = i * 2;
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  printf ("%ld\n", s);
}
