/* The combined construct: would break if nested statements were not read, or
   if an argument were missed.  GCC 11 passes the arguments in another order.  */
/* { dg-do compile } */

void
saxpy (int n, double a, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}

/* { dg-final { scan-ummgr-dump {region saxpy\._omp_fn\.0 at teams-loop\.c:8:9 in "saxpy"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {constructs target,teams,distribute,parallel,for collapse 1 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {flags none args 4$} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name a map firstprivate class scalar element 8 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name n map firstprivate_int class scalar element 4 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name x map to class section element 8 size \? } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {type "const double \*" declared teams-loop\.c:6$} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name y map tofrom class section element 8 size \? } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {simd|arg 4} ummgr-regions } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
