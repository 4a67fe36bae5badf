/* Breaks if words that both sides write in turns go unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding alternating shared } */

#include "pattern.h"

int
main (void)
{
  int *shared = ummgr_malloc (N * sizeof *shared);
  long sum = 0;
  for (int i = 0; i < N; i++)
    shared[i] = 0;
  for (int step = 0; step < 4; step++)
    {
#pragma omp target teams distribute parallel for is_device_ptr (shared)
      for (int i = 0; i < N; i++)
	shared[i] += 1;
      for (int i = 0; i < N; i++)
	shared[i] += 2;
      ummgr_mark ("step");
    }
  for (int i = 0; i < N; i++)
    sum += shared[i];
  ummgr_free (shared);
  return expect (sum, 12L * N);
}
