/* Two instances of a template: would break if they shared one entry, or if the
   type of their elements were the template's.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

namespace space {
template <typename T> void
scale (T *p, int n, T f)
{
#pragma omp target map(tofrom: p[0:n])
  for (int i = 0; i < n; i++)
    p[i] *= f;
}
}

template void space::scale<double> (double *, int, double);
template void space::scale<short> (short *, int, short);

/* { dg-final { scan-ummgr-dump-times {region _ZN5space5scaleIdEEvPT_iS1_\._omp_fn\.0 } 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {"void space::scale\(T\*, int, T\) \[with T = double\]"} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {at template-kinds\.cc:9:9 in .*\[with T = short int\]} 1 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name p .* section element 8 size \? type "double \*"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name p .* section element 2 size \? type "short int \*"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {type "T} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {table regions 2 } 1 ummgr-tables } } */
