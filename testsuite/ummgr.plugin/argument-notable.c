/* -fplugin-arg-ummgr-notable: the region is dumped, and nothing is emitted. */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-notable" } */

void
f (int k)
{
#pragma omp target map(tofrom: k)
  k++;
}

/* { dg-final { scan-ummgr-dump {region f\._omp_fn\.0 at argument-notable\.c:8:9} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {: table} ummgr-regions } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
