/* Breaks if advice is proposed for what the device has for itself, and the host reads once.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unadvised } */
/* { dg-ummgr-no-remedy * answers } */

#include "pattern.h"

int
main (void)
{
  int *answers = ummgr_malloc (N * sizeof *answers);
  long sum = 0;
  for (int step = 0; step < 3; step++)
    {
#pragma omp target teams distribute parallel for is_device_ptr (answers)
      for (int i = 0; i < N; i++)
	answers[i] = step;
    }
  for (int i = 0; i < N; i++)
    sum += answers[i];
  ummgr_free (answers);
  return expect (sum, 2L * N);
}
