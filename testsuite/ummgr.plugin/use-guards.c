/* Conditions: would break if one on the index did not restrict what is accessed,
   or if one on data were taken for certain.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (float *a, const float *b, int n, int k)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    if (i > k)
      a[i] = 0;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n]) map(to: b[0:n])
  for (int i = 0; i < n; i++)
    if (b[i] > 0)
      a[i] = 1;
}

/* { dg-final { scan-ummgr-dump-times {ref line 11 w .* exact base 4\*\(\(.*k \+ 1.*\)\) shared \[4 x n - } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 15 w size 4 frequency 0\.\d+ affine base 0 shared \[4 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line 15 w .* exact} ummgr-tables } } */
