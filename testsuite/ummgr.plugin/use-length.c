/* Why a place has no strides: would break if an index that is affine, in a loop of which only the
   length is not known, were said not to be.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (double *a, double *r, const int *bound, double *s, int n)
{
#pragma omp target teams distribute parallel for map(to: a[0:(long) n * n], r[0:n], bound[0:1]) map(from: s[0:n])
  for (int j = 0; j < n; j++)
    {
      double t = 0;
      for (int i = 0; i < *bound; i++)
	t += a[(long) i * n + j] * r[i * i];
      s[j] = t;
    }
}

/* { dg-final { scan-ummgr-dump-times {unknown shared .* why a\[\.\.\.\]: a loop of unknown length$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {unknown shared .* why r\[\.\.\.\]: index not affine$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use bound read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {exact base 0 shared \[8 x n\]} 1 ummgr-tables } } */
