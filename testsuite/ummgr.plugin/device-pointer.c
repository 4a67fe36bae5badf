/* is_device_ptr, firstprivate, a section with a lower bound: would break if a
   compiler's temporary gave the name.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

struct pair { double x, y, z; };

void
f (float *d, int *q, int lo, struct pair p)
{
#pragma omp target is_device_ptr(d) firstprivate(p) map(tofrom: q[lo:10])
  {
    d[0] = p.x;
    q[lo]++;
  }
}

/* { dg-final { scan-ummgr-dump {name d map firstprivate_int class pointer element 8 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name p map firstprivate class record element 24 size 24 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name q map tofrom class section element 4 size 40 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {type "int \*" declared device-pointer\.c:8$} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {name D|name _|map unknown} ummgr-regions } } */
