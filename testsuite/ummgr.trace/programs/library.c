/* Part of trace.exp: code of a shared library.  The program that loads it says
   which host array it works on.
   SPDX-License-Identifier: GPL-3.0-or-later  */
#include <stdlib.h>

int
library_work (void)
{
  int *inside = malloc (100 * sizeof *inside), sum = 0;
  for (int i = 0; i < 100; i++)
    inside[i] = i;
#pragma omp target map(tofrom: inside[:100])
  for (int i = 0; i < 100; i++)
    inside[i]++;
  for (int i = 0; i < 100; i++)
    sum += inside[i];
  free (inside);
  return sum;
}
