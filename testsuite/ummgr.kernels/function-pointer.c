/* Calls through pointers to device functions.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma omp declare target
int
a1 (int x)
{
  return x + 1;
}
int
a2 (int x)
{
  return x * 2;
}
#pragma omp end declare target
int
main ()
{
  int r = 0;
#pragma omp target map(tofrom : r)
  {
    int (*fp[2]) (int) = { a1, a2 };
    for (int i = 0; i < 10; i++)
      r = fp[i & 1](r);
  }
  printf ("%d\n", r);
}
