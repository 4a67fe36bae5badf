/* Breaks if scratch memory that is used on the device only counts as unused.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unused-allocation } */

#include "pattern.h"

int
main (void)
{
  int *scratch = omp_target_alloc (N * sizeof *scratch, 0);
  int *mapped = malloc (N * sizeof *mapped);
  long sum = 0;
#pragma omp target data map(alloc: mapped[:N])
  {
#pragma omp target teams distribute parallel for is_device_ptr (scratch)
    for (int i = 0; i < N; i++)
      scratch[i] = mapped[i] = i % 2;
#pragma omp target teams distribute parallel for is_device_ptr (scratch) \
  reduction (+: sum) map (tofrom: sum)
    for (int i = 0; i < N; i++)
      sum += scratch[i] + mapped[i];
  }
  omp_target_free (scratch, 0);
  free (mapped);
  return expect (sum, N);
}
