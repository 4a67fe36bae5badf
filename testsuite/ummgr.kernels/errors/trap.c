/* One thread of one team stops the launch.
   SPDX-License-Identifier: GPL-3.0-or-later

   { expect "trap in [^ ]*, [^ ]*trap.c:16: team [0-9]+, thread [0-9]+" }
   { expect "illegal instruction" } */

#include <stdio.h>

int
main (void)
{
  int x = 0;
#pragma omp target teams distribute parallel for map (x)
  for (int i = 0; i < 100; i++)
    if (i == 57)
      __builtin_trap ();
  printf ("%d\n", x);
}
