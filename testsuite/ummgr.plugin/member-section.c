/* Sections of members, with and without a lower bound: would break if a
   temporary that holds the pointer hid the member.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-ummgr-without-gcc "11" "refuses members that are reached through pointers in map clauses" } */

struct s { double *p; struct { int *q; } in; };

void
f (struct s *a, struct s b, int lo)
{
#pragma omp target map(tofrom: a->p[0:5]) map(to: b.in.q[lo:7])
  a->p[0] += b.in.q[lo];
}

/* { dg-final { scan-ummgr-dump {name a->p map tofrom class section element 8 size 40 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name b\.in\.q map to class section element 4 size 28 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {name D|clauses and fields differ} ummgr-regions } } */
