/* Breaks if a copy to the same place is taken for a duplicate though one byte of
   it, or the place in the object, is another.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding duplicate-copy } */
/* { dg-ummgr-no-finding round-trip } */

#include "pattern.h"

int
main (void)
{
  unsigned char *table = malloc (2 * N);
  long sum = 0;
  for (int i = 0; i < 2 * N; i++)
    table[i] = 1;
  for (int step = 0; step < 4; step++)
    {
      int at = step % 2 * N;
      table[at + step * 100] += step;
#pragma omp target teams distribute parallel for map(to: table[at:N]) \
  reduction (+: sum) map (tofrom: sum)
      for (int i = at; i < at + N; i++)
	sum += table[i];
      ummgr_mark ("step");
    }
  free (table);
  return expect (sum, 4L * N + 0 + 1 + 2 + 1 + 3);
}
