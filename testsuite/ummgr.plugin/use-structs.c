/* Arrays within and reached through structs: would break if a member's place in
   its struct were lost, or if a member that is not mapped by itself were taken
   for one that is.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct point { double x, y; int tag; };
struct field { long n; double *data; double fixed[100]; };

void
f (struct point *p, struct field s, struct field *q, long n)
{
#pragma omp target teams distribute parallel for map(tofrom: p[0:n])
  for (long i = 0; i < n; i++)
    p[i].y = p[i].tag;
#pragma omp target teams distribute parallel for map(tofrom: s)
  for (long i = 10; i < 100; i++)
    s.fixed[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom: s.fixed)
  for (long i = 20; i < 100; i++)
    s.fixed[i] = 1;
#pragma omp target map(to: s) map(tofrom: n)
  n = s.data[1];
#pragma omp target teams distribute parallel for map(tofrom: q[0:n])
  for (long i = 0; i < n; i++)
    q[i].fixed[3] = q[i].n;
}

/* { dg-final { scan-ummgr-dump-times {ref line 14 w size 8 frequency 1 exact base 8 shared \[24 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 14 r size 4 frequency 1 exact base 16 shared \[24 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 17 w size 8 frequency 1 exact base 96 shared \[8 x 90\]$} 1 ummgr-tables } } */
/* The member's, which alone is mapped.  */
/* { dg-final { scan-ummgr-dump-times {ref line 20 w size 8 frequency 1 exact base 160 shared \[8 x 80\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use s read .*unknown why s->\.\.\.: pointer loaded from memory} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 25 w size 8 frequency 1 exact base 40 shared \[816 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 25 r size 8 frequency 1 exact base 0 shared \[816 x n\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {use [pq] .*unknown} ummgr-tables } } */
