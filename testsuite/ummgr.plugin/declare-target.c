/* A `declare target' variable is no argument, though it is mapped: would break
   if clauses and arguments were counted alike.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#pragma omp declare target
int global;
#pragma omp end declare target

int
f (int n)
{
  double vla[n];
  vla[0] = n;
#pragma omp target map(tofrom: global, n, vla)
  {
    global++;
    n += global;
    vla[0] += n;
  }
  return n + vla[0];
}

/* { dg-final { scan-ummgr-dump {name n map tofrom class scalar } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name vla .* section element 8 size \? type "double\[\]"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {name global|clauses and fields differ} ummgr-regions } } */
