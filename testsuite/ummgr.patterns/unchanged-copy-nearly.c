/* Breaks if a copy back is reported of which less than a tenth is unchanged, or
   which holds the same values because the device wrote them again.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unchanged-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  enum { KEPT = N / 100 * 8 };
  int *data = malloc (N * sizeof *data), *same = malloc (N * sizeof *same);
  long sum = 0;
  for (int i = 0; i < N; i++)
    data[i] = same[i] = i % 4;
#pragma omp target teams distribute parallel for map(tofrom: data[:N], same[:N])
  for (int i = 0; i < N; i++)
    {
      same[i] = same[i] * 2 - i % 4;
      if (i >= KEPT)
	data[i] += same[i] * 0 + 1;
    }
  for (int i = 0; i < N; i++)
    sum += data[i] - same[i];
  free (data);
  free (same);
  return expect (sum, N - KEPT);
}
