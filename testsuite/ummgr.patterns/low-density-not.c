/* Breaks if an array that is used as a whole has low density.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding low-density } */
/* { dg-ummgr-no-finding unused-copy } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  int *data = malloc (N * sizeof *data);
  int *unified = ummgr_malloc (N * sizeof *unified);
  long sum = 0;
  for (int i = 0; i < N; i++)
    data[i] = unified[i] = i % 2;
#pragma omp target teams distribute parallel for reduction (+: sum) map (tofrom: sum) \
  map(to: data[:N]) is_device_ptr (unified)
  for (int i = 0; i < N; i++)
    sum += data[i] + unified[i];
  free (data);
  ummgr_free (unified);
  return expect (sum, N);
}
