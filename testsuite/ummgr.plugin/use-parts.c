/* A struct mapped member by member: would break if what a region does with a member were
   told of the struct, of which nothing else is mapped, if a member whose address is taken
   counted as unused, or if a number in a member that is mapped were not read.  */
/* { dg-do compile } */
/* GCC 11 takes these, too: no pointer leads to the struct.  */

struct in { int n; double a[100], b[100]; int m; double c[100]; } d;
int other (double *);
#pragma omp declare target to(other)

void
f (int n)
{
#pragma omp target teams distribute parallel for map(to: d.a, d.n) map(tofrom: d.b)
  for (int i = 0; i < d.n; i++)
    d.b[i] += d.a[i];				/* line 16 */
#pragma omp target teams distribute parallel for map(to: d.a[7:n]) map(from: d.c[n:9])
  for (int i = 0; i < 9; i++)
    d.c[i + n] = d.a[i + 7];			/* line 19 */
#pragma omp target map(to: d.m) map(tofrom: d.b)
  {
    d.b[0] = d.m;
    other (&d.b[2]);
  }
}

/* { dg-final { scan-ummgr-dump {use d\.n read$} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d\.a read$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d\.b read written$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 16 [rw] size 8 frequency 1 exact base 0 shared \[8 x d\.n\]} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {ref line 19 r size 8 frequency 1 exact base 0 shared \[8 x 9\]} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump {use d\.c written unknown} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d\.b read written unknown} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use d\.m read written unknown} 1 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
