/* Members, references, a constructor, an anonymous namespace: would break if a
   name or a size were that of the pointer.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

namespace {
struct V
{
  double *data;
  int n;
  V (double *d, int n);
  void scale (int &count, double (&first)[4]);
};
}

V::V (double *d, int n) : data (d), n (n)
{
#pragma omp target map(from: d[0:8])
  for (int i = 0; i < 8; i++)
    d[i] = i;
}

void
V::scale (int &count, double (&first)[4])
{
#pragma omp target map(tofrom: data[0:n]) map(tofrom: count, first)
  {
    data[0] *= 2;
    first[0] = count++;
  }
}

double
f (double *p, int n)
{
  V v (p, n);
  double first[4];
  v.scale (n, first);
  return first[0] + n;
}

/* { dg-final { scan-ummgr-dump {in "\{anonymous\}::V::V\(double\*, int\)"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name d map from class section element 8 size 64 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name this->data map tofrom class section element 8 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name count map tofrom class scalar element 4 size 4 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name first map tofrom class array element 8 size 32 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {name \?} ummgr-regions } } */
