/* A lambda: would break if a captured variable were named after the closure's
   member.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
f (int k)
{
  auto l = [&] (int x) {
#pragma omp target map(tofrom: k)
    k += x;
  };
  l (3);
  return k;
}

/* { dg-final { scan-ummgr-dump {lambda-capture\.cc:9:9 in "f\(int\)::<lambda\(int\)>"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name k map tofrom class scalar element 4 size 4 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {name __k|__closure->} ummgr-regions } } */
