/* Where a construct's data doesn't fit, what is smaller has its place first, whatever the clauses' order: the largest is
   in parts from the start.  Would break if the first took all there is, and had to give it back: what is only read would
   be copied back.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target ummgr_plugin } */
/* { dg-additional-options "-fplugin=[ummgr_plugin] -O2" } */
/* { dg-ummgr-policies "auto" } */
/* { dg-ummgr-env "UMMGR_DEVICE_MEM=4M UMMGR_PROFILE=v100-nvlink2" } */
/* The sums, and nothing else.  */
/* { dg-ummgr-counter auto d2h_bytes < 4096 } */
/* { dg-ummgr-counter auto evictions == 0 } */

#include "check.h"

#include <stdlib.h>

enum { BIG = 1 << 20, SMALL = 1 << 18 };

int
main (void)
{
  /* Without libummgr there is no room for it.  */
  if (!getenv ("UMMGR_POLICY"))
    return 0;
  int *big = malloc (BIG * sizeof *big), *small = malloc (SMALL * sizeof *small);
  CHECK (big && small);
  for (int i = 0; i < BIG; i++)
    big[i] = i % SMALL;
  for (int i = 0; i < SMALL; i++)
    small[i] = 1;
#pragma omp target data map(to: big[:BIG], small[:SMALL])
  for (int t = 0; t < 6; t++)
    {
      long sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(tofrom: sum)
      for (int i = 0; i < BIG; i++)
	sum += small[big[i]];
      CHECK_EQ (sum, BIG);
    }
  free (big);
  free (small);
  return 0;
}
