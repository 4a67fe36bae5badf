/* Structs by value and by reference.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef struct
{
  int a;
  double b[3];
  char c;
} S;
#pragma omp declare target
S
mk (int i)
{
  S s = { i, { i, i * 2, i * 3 }, (char)i };
  return s;
}
double
use (S s)
{
  return s.a + s.b[0] + s.b[2] + s.c;
}
#pragma omp end declare target
int
main ()
{
  double s = 0;
#pragma omp target teams distribute parallel for map(tofrom : s) reduction(+ : s)
  for (int i = 0; i < 100; i++)
    {
      S x = mk (i);
      s += use (x);
    }
  printf ("%.1f\n", s);
}
