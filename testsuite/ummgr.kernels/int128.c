/* Integers of 128 bits.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  unsigned long r = 0;
#pragma omp target map(from : r)
  {
    unsigned __int128 x = 1;
    for (int i = 1; i < 30; i++)
      x *= i;
    r = (unsigned long)(x >> 64) ^ (unsigned long)x;
  }
  printf ("%lu\n", r);
}
