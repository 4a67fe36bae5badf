/* A region in a GNU C nested function: would break if its function were
   taken for the outer one, whose variables it reaches through a frame.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
outer (int n)
{
  int sum = 0;
  void inner (int k)
  {
    int x = k;
#pragma omp target map(tofrom: x)
    x += 2;
    sum += x;
  }
  for (int i = 0; i < n; i++)
    inner (i);
  return sum;
}

/* { dg-final { scan-ummgr-dump-times {at nested-function\.c:12:9 in "inner" constructs target } 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {arg 0: name x map tofrom class scalar} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {in "outer"} ummgr-regions } } */
