/* Breaks if read-mostly is proposed for what both sides write, where each write ends the
   copies.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding alternating both } */
/* { dg-ummgr-no-remedy * both } */

#include "pattern.h"

int
main (void)
{
  int *both = ummgr_malloc (N * sizeof *both);
  long sum = 0;
  for (int i = 0; i < N; i++)
    both[i] = 0;
  for (int step = 0; step < 4; step++)
    {
      for (int again = 0; again < 200; again++)
	{
#pragma omp target teams distribute parallel for is_device_ptr (both)
	  for (int i = 0; i < N; i++)
	    both[i] += 1;
	}
      for (int i = 0; i < N; i++)
	both[i] += 2;
    }
  for (int i = 0; i < N; i++)
    sum += both[i];
  ummgr_free (both);
  return expect (sum, (4 * 200 + 8L) * N);
}
