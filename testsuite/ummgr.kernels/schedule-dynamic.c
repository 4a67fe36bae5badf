/* Dynamic and guided schedules: the run time's mutexes.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int n = 3000;
  int *a = calloc (n, 4);
#pragma omp target map(tofrom : a[:n])
#pragma omp parallel for schedule(dynamic, 7)
  for (int i = 0; i < n; i++)
    a[i] += i;
#pragma omp target map(tofrom : a[:n])
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < n; i++)
    a[i] += i;
  long s = 0;
  for (int i = 0; i < n; i++)
    s += a[i];
  printf ("%ld\n", s);
}
