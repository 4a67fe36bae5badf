/* Breaks if values that are overwritten on the device before any read, copied or
   in unified memory, go unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding overwritten-copy mapped } */
/* { dg-ummgr-finding overwritten-copy unified } */

#include "pattern.h"

int
main (void)
{
  int *mapped = malloc (N * sizeof *mapped);
  int *unified = ummgr_malloc (N * sizeof *unified);
  long sum = 0;
  for (int i = 0; i < N; i++)
    {
      mapped[i] = 0;
      unified[i] = 0;
    }
#pragma omp target teams distribute parallel for map(tofrom: mapped[:N]) \
  is_device_ptr (unified)
  for (int i = 0; i < N; i++)
    {
      mapped[i] = i;
      unified[i] = 1;
    }
  for (int i = 0; i < N; i++)
    sum += mapped[i] - i + unified[i];
  free (mapped);
  ummgr_free (unified);
  return expect (sum, N);
}
