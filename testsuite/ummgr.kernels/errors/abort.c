/* abort () of device code ends the program with an error.
   SPDX-License-Identifier: GPL-3.0-or-later

   { expect "trap in abort|libgomp: " } */

#include <stdio.h>
#include <stdlib.h>

int
main (void)
{
  int x = 1;
#pragma omp target map (x)
  if (x)
    abort ();
  printf ("%d\n", x);
}
