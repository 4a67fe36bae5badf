/* Breaks if advice is proposed for what the host fills once and the device reads then.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unadvised } */
/* { dg-ummgr-no-remedy * orders } */

#include "pattern.h"

int
main (void)
{
  int *orders = ummgr_malloc (N * sizeof *orders);
  long sum = 0;
  for (int i = 0; i < N; i++)
    orders[i] = 1;
  for (int step = 0; step < 4; step++)
    {
      long part = 0;
#pragma omp target teams distribute parallel for reduction (+ : part) map (tofrom: part) is_device_ptr (orders)
      for (int i = 0; i < N / 1024; i++)
	part += orders[1024 * i];
      sum += part;
    }
  ummgr_free (orders);
  return expect (sum, 4L * N / 1024);
}
