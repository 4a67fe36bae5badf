/* Breaks if an allocation counts as unused of which one word is used, or one that
   is too small to matter.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-no-finding unused-allocation } */

#include "pattern.h"

int
main (void)
{
  enum { SMALL = 2048 / sizeof (int) };
  int *scratch = malloc (N * sizeof *scratch);
  int *small = malloc (SMALL * sizeof *small);
  int *shared = ummgr_malloc (N * sizeof *shared);
  int flag = zero;
  long sum = 0;
  shared[N - 1] = 5;
#pragma omp target map(alloc: scratch[:N], small[:SMALL]) map(tofrom: sum) \
  is_device_ptr (shared)
  {
    scratch[N / 2] = shared[N - 1];
    sum += scratch[N / 2];
    if (flag)
      sum += small[flag];
  }
  free (scratch);
  free (small);
  ummgr_free (shared);
  return expect (sum, 5);
}
