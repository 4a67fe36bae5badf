/* Breaks if it goes unnoticed that the host fills pages of which the device reads a word each,
   and that the device could read them where they are.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-remedy accessed-by orders } */

#include "pattern.h"

int
main (void)
{
  int *orders = ummgr_malloc (N * sizeof *orders);
  long sum = 0;
  for (int step = 0; step < 4; step++)
    {
      long part = 0;
      for (int i = 0; i < N; i++)
	orders[i] = step;
#pragma omp target teams distribute parallel for reduction (+ : part) map (tofrom: part) is_device_ptr (orders)
      for (int i = 0; i < N / 1024; i++)
	part += orders[1024 * i];
      sum += part;
    }
  ummgr_free (orders);
  return expect (sum, 6L * N / 1024);
}
