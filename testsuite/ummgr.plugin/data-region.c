/* Under target data a region's pointer comes as a section without a size, and
   a mapped struct member with its pointer: would break if an attachment were
   taken for data.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct s { double *p; int n; };

double
f (struct s s, int *q, int n)
{
  double r = 0;
#pragma omp target data map(tofrom: q[0:n])
  {
#pragma omp target
    q[0]++;
  }
#pragma omp target map(tofrom: s, s.p[0:50]) map(tofrom: r)
  r += s.p[s.n];
  return r;
}

/* { dg-final { scan-ummgr-dump {name q map alloc class section element 4 size \? } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name s map tofrom class record element 16 size 16 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name s\.p map tofrom class section element 8 size 400 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name s\.p map attach class pointer element 8 size 8 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {name \?} ummgr-regions } } */
