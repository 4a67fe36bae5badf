/* Breaks if a small part of an object that is used densely, or a little more than
   half of each block, counts as low density.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding low-density } */

#include "pattern.h"

int
main (void)
{
  int *part = ummgr_malloc (N * sizeof *part);
  int *half = ummgr_malloc (N * sizeof *half);
  long sum = 0;
  for (int i = 0; i < N; i++)
    part[i] = half[i] = 1;
  ummgr_mark ("work");
#pragma omp target map(tofrom: sum) is_device_ptr (part, half)
  {
    for (int i = 0; i < N / 8; i++)
      sum += part[i];
    for (int i = 0; i < N; i++)
      if (i % 16 < 9)
	sum += half[i];
  }
  ummgr_free (part);
  ummgr_free (half);
  return expect (sum, N / 8 + N / 16 * 9);
}
