/* Breaks if a copy that nothing uses, or a half of one, goes unnoticed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-ummgr-finding unused-copy whole } */
/* { dg-ummgr-finding unused-copy half } */
/* { dg-ummgr-no-finding unused-allocation } */
/* { dg-ummgr-no-finding early-copy } */

#include "pattern.h"

int
main (void)
{
  int *whole = malloc (N * sizeof *whole), *half = malloc (N * sizeof *half);
  int flag = zero;
  long sum = 0;
  for (int i = 0; i < N; i++)
    whole[i] = half[i] = 2;
#pragma omp target map(to: whole[:N], half[:N]) map(tofrom: sum)
  for (int i = 0; i < N / 2; i++)
    {
      sum += half[i];
      if (flag)
	sum += whole[i];
    }
  free (whole);
  free (half);
  return expect (sum, N);
}
