/* Atomic capture, min, max, exchange.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  float f = 0;
  long m = 0;
  unsigned c = 0;
  int sh = 0;
#pragma omp target teams distribute parallel for map(tofrom : f, m, c, sh)
  for (int i = 0; i < 1000; i++)
    {
#pragma omp atomic
      f += 0.25f;
#pragma omp atomic
      m ^= (long)i * i;
#pragma omp atomic
      c += 1;
#pragma omp atomic
      sh -= 1;
    }
  printf ("%g %ld %d %d\n", f, m, c, sh);
}
