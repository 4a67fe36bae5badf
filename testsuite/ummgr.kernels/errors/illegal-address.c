/* A pointer that is the GPU's nowhere.
   SPDX-License-Identifier: GPL-3.0-or-later

   { expect "illegal address 0x10, [^ ]*illegal-address.c:15: team 0, thread 0" }
   { expect "illegal memory access" } */

#include <stdio.h>

int
main (void)
{
  int *p = (int *) 16, x = 0;
#pragma omp target map (x) firstprivate (p)
  {
    x = *p;
  }
  printf ("%d\n", x);
}
