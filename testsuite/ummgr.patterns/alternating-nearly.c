/* Breaks if two sides that take turns on a page, each with words of its own, are
   said to share words.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding alternating } */

#include "pattern.h"

int
main (void)
{
  int *shared = ummgr_malloc (N * sizeof *shared);
  long sum = 0;
  for (int step = 0; step < 4; step++)
    {
#pragma omp target teams distribute parallel for is_device_ptr (shared)
      for (int i = 0; i < N; i += 2)
	shared[i] = (step ? shared[i] : 0) + 1;
      for (int i = 1; i < N; i += 2)
	shared[i] = (step ? shared[i] : 0) + 2;
      ummgr_mark ("step");
    }
  for (int i = 1; i < N; i += 2)
    sum += shared[i];
  ummgr_free (shared);
  return expect (sum, 4L * N);
}
