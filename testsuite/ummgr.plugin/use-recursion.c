/* Recursions in a region: would break if what further calls access were left out, taken for what
   the first one does, or for exact; or if what every call hands on were given up.  */
/* { dg-do compile } */
/* { dg-additional-options "-fno-inline -fno-optimize-sibling-calls" } */

#pragma omp declare target
/* Each call reads two of v where the halves meet, and writes one of w.  */
static double
tree (const double *v, double *w, int lo, int hi)
{
  if (hi - lo < 2)
    return v[lo];
  int half = (lo + hi) / 2;
  w[7] = half;
  return tree (v, w, lo, half) * tree (v, w, half, hi);
}
static int even (int *p, int n);
static int
odd (int *p, int n)
{
  p[0] = n;
  return n == 0 ? 0 : 1 + even (p + 1, n - 1);
}
static int
even (int *p, int n)
{
  return n == 0 ? 1 : 1 + odd (p, n - 1);
}
/* The arrays change places.  */
static long
swap (const long *a, const long *b, int n)
{
  return n ? a[0] * swap (b, a, n - 1) : 0;
}
#pragma omp end declare target

void
f (double *v, double *w, int *p, long *a, long *b, long *c, int n)
{
  double s = 0;
  long t = 0;
#pragma omp target map(to: v[0:n]) map(from: w[0:n]) map(from: s)
  s = tree (v, w, 0, n);
#pragma omp target map(tofrom: p[0:n]) map(to: v[0:n])
  p[1] = even (p, n);
#pragma omp target map(to: a[0:n], b[0:n]) map(tofrom: c[0:n]) map(from: t)
  t = swap (a, b, n);
  v[0] += s + t;
}

/* { dg-final { scan-ummgr-dump-times {use v read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 12 r size 8 .* why v\[\.\.\.\]: another place in each call of a recursion} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use w written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 14 w size 8 frequency \S+ affine base 56} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use p (read )?written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 21 w size 4 .* why p\[\.\.\.\]: another place in each call of a recursion} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use v$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use [ab] read unknown why a pointer of unknown origin} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {not seen} ummgr-tables } } */
/* The first call of odd is made once, unless n is 0; of all further ones nothing is exact.  */
/* { dg-final { scan-ummgr-dump-times {ref line 21 w size 4 frequency 1 exact base 0 inner \[0 x \(\(1\) min} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 21 [^\n]* exact} 1 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
