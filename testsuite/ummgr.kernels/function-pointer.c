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
int calls;
void
a3 (void)
{
  calls += 3;
}
void
a4 (void)
{
  calls *= 2;
}
int
a5 (void)
{
  return calls;
}
int
a6 (void)
{
  return -1;
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
    void (*no_result[2]) (void) = { a3, a4 };
    int (*no_argument[2]) (void) = { a5, a6 };
    for (int i = 0; i < 10; i++)
      {
	no_result[i & 1]();
	r += no_argument[i & 1]();
      }
  }
  printf ("%d\n", r);
}
