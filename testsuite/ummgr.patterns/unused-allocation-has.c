/* Breaks if memory goes unnoticed that no region uses: on the device, and in
   unified memory.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding unused-allocation scratch } */
/* { dg-ummgr-finding unused-allocation shared } */
/* { dg-ummgr-no-finding unused-copy } */

#include "pattern.h"

int
main (void)
{
  int *scratch = malloc (N * sizeof *scratch);
  int *shared = ummgr_malloc (N * sizeof *shared);
  int flag = zero;
  long sum = 0;
  for (int i = 0; i < N; i++)
    shared[i] = 1;
#pragma omp target map(alloc: scratch[:N]) map(tofrom: sum) \
  is_device_ptr (shared)
  for (int i = 0; i < N; i++)
    {
      sum += 1;
      if (flag)
	sum += scratch[i] = shared[i];
    }
  for (int i = 0; i < N; i++)
    sum += shared[i];
  free (scratch);
  ummgr_free (shared);
  return expect (sum, 2L * N);
}
