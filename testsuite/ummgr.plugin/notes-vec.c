/* Notes that nobody asked for: would break if the plugin's passes spoke up for
   another of GCC's groups.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-O3 -fopt-info-vec-optimized" } */

void
f (float *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 1;
}

/* { dg-final { scan-ummgr-output {optimized: } } } */
/* { dg-final { scan-ummgr-output-not {region f} } } */
/* { dg-final { scan-ummgr-output-not {bytes an iteration} } } */
