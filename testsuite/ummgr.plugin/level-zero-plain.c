/* -O0: would break if a pass ran only when optimising.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-O0" } */

void
f (int *p, int n)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (int i = 0; i < n; i++)
    p[i]++;
}

/* { dg-final { scan-ummgr-dump-times {region f\._omp_fn\.0 at level-zero-plain\.c:8:9 in "f"} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {constructs target,teams,distribute,parallel,for } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {clauses and fields differ|name \?} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {table regions 1 args 2 } 1 ummgr-tables } } */
