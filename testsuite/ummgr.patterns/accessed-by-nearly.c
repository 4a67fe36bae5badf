/* Breaks if the device is to read over the link what it reads in many launches for each time that
   the host writes it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding alternating orders } */
/* { dg-ummgr-no-remedy accessed-by orders } */

#include "pattern.h"

int
main (void)
{
  int *orders = ummgr_malloc (N * sizeof *orders);
  long sum = 0;
  for (int step = 0; step < 4; step++)
    {
      for (int i = 0; i < N; i++)
	orders[i] = (step ? orders[i] : 0) + 1;
      for (int again = 0; again < 200; again++)
	{
	  long part = 0;
#pragma omp target teams distribute parallel for reduction (+ : part) map (tofrom: part) is_device_ptr (orders)
	  for (int i = 0; i < N; i++)
	    part += orders[i];
	  sum += part;
	}
    }
  ummgr_free (orders);
  return expect (sum, 2000L * N);
}
