/* A plain target region: would break if the construct, its place or its
   argument were not recognised.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (int *count)
{
  int k = *count;
#pragma omp target map(tofrom: k)
  k++;
  *count = k;
}

/* { dg-final { scan-ummgr-dump-times {region f\._omp_fn\.0 at target-one\.c:9:9 in "f"} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {constructs target collapse 0 flags none args 1$} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {arg 0: name k map tofrom class scalar element 4 size 4 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {type "int" declared target-one\.c:8$} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {clauses and fields differ} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {table regions 1 args 1 } 1 ummgr-tables } } */
