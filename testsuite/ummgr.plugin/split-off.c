/* Nothing of ranges is there where it wasn't asked for.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-split=off" } */

void
f (double *a, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] = 1;
}

/* { dg-final { scan-ummgr-dump-times {arg [0-9]+: name} 2 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {ranges in} ummgr-tables } } */
