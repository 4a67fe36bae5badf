/* Breaks if it goes unnoticed that pages which nobody writes any more go to and fro, and that
   read-mostly would spare it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-remedy read-mostly table } */

#include "pattern.h"

int
main (void)
{
  int *table = ummgr_malloc (N * sizeof *table);
  int *out = ummgr_malloc (N * sizeof *out);
  long sum = 0;
  for (int i = 0; i < N; i++)
    table[i] = i % 7;
  for (int step = 0; step < 4; step++)
    {
      for (int again = 0; again < 16; again++)
	{
#pragma omp target teams distribute parallel for is_device_ptr (table, out)
	  for (int i = 0; i < N; i++)
	    out[i] = (step + again ? out[i] : 0) + table[i] - i % 7 + 1;
	}
      for (int i = 0; i < N; i++)
	sum += table[i] - i % 7;
    }
  for (int i = 0; i < N; i++)
    sum += out[i];
  ummgr_free (table);
  ummgr_free (out);
  return expect (sum, 64L * N);
}
