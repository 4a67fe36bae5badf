/* Breaks if pages are to stay with the host in which the device works many times for each look
   that the host takes.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-remedy preferred-* answers } */

#include "pattern.h"

int
main (void)
{
  int *answers = ummgr_malloc (N * sizeof *answers);
  long sum = 0;
  for (int step = 0; step < 3; step++)
    {
      for (int again = 0; again < 200; again++)
	{
#pragma omp target teams distribute parallel for is_device_ptr (answers)
	  for (int i = 0; i < N; i++)
	    answers[i] = (step + again ? answers[i] : 0) + 1;
	}
      for (int i = 0; i < N / 1024; i++)
	sum += answers[1024 * i];
    }
  ummgr_free (answers);
  return expect (sum, 1200L * N / 1024);
}
