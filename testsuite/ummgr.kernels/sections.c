/* Sections.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int a = 0, b = 0, c = 0;
#pragma omp target map(tofrom : a, b, c)
#pragma omp parallel sections
  {
#pragma omp section
    a = 1;
#pragma omp section
    b = 2;
#pragma omp section
    c = 3;
  }
  printf ("%d\n", a + b * 10 + c * 100);
}
