/* A scan goes from one iteration to the next, and so can't be run by ranges.  GCC 12
   ends with an error of its own where it is to be offloaded.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-foffload=disable -fplugin-arg-ummgr-split=on" } */

void
f (int n, double *a)
{
  int so_far = 0;
#pragma omp target map(tofrom: a[0:n], so_far)
#pragma omp parallel for simd reduction(inscan, +: so_far)
  for (int i = 0; i < n; i++)
    {
      so_far += i;
#pragma omp scan inclusive(so_far)
      a[i] = so_far;
    }
}

/* { dg-final { scan-ummgr-dump-times {: no: a scan$} 1 ummgr-split } } */
