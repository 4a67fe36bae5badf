/* Breaks if it goes unnoticed that pages in which the device leaves a word each for the host come
   into being on the wrong side.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-remedy preferred-host answers } */

#include "pattern.h"

int
main (void)
{
  int *answers = ummgr_malloc (N * sizeof *answers);
  long sum = 0;
  for (int step = 0; step < 3; step++)
    {
#pragma omp target teams distribute parallel for is_device_ptr (answers)
      for (int i = 0; i < N / 1024; i++)
	answers[1024 * i] = step;
      for (int i = 0; i < N / 1024; i++)
	sum += answers[1024 * i];
    }
  ummgr_free (answers);
  return expect (sum, 3L * N / 1024);
}
