/* A region that calls abort must end the program, not hang it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdlib.h>
int
main (void)
{
  int x = 1;
#pragma omp target map(tofrom: x)
  if (x)
    abort ();
  return 0;
}
