/* Recursion without an end leaves the stack.
   SPDX-License-Identifier: GPL-3.0-or-later

   { expect "illegal address" }
   { expect "illegal memory access" } */

#include <stdio.h>

#pragma omp declare target
int __attribute__ ((noipa))
deeper (int n)
{
  volatile char a[1000];
  a[n % 1000] = n;
  return deeper (n + 1) + a[5];
}
#pragma omp end declare target

int
main (void)
{
  int x = 0;
#pragma omp target map (x)
  x = deeper (3);
  printf ("%d\n", x);
}
