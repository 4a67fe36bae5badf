/* Two regions of one function: would break if they were keyed by function, or
   if one's flags went to the other.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
f (int n)
{
  int a = n, b = 0;
#pragma omp target map(tofrom: a) nowait depend(inout: a)
  a++;
#pragma omp taskwait
#pragma omp target parallel for map(tofrom: b) reduction(+: b) if(n > 3) device(n)
  for (int i = 0; i < 10; i++)
    b += i;
  return a + b;
}

/* { dg-final { scan-ummgr-dump-times {region f\._omp_fn} 2 ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {two-regions\.c:9:9 .* flags nowait,depend args 1$} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {two-regions\.c:12:9 .* flags if,device,reduction } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {flags none} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-times {table regions 2 args 3 } 1 ummgr-tables } } */
