/* Variable-sized arrays, mapped, privatised and as device pointers: would break
   if the pointer that GCC puts in their place did not match.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

int
f (int n)
{
  int a[n], b[n], c[n];
  for (int i = 0; i < n; i++)
    a[i] = b[i] = c[i] = i;
#pragma omp target data map(tofrom: c) use_device_addr(c)
  {
#pragma omp target firstprivate(a) map(tofrom: b) is_device_ptr(c)
    b[1] += a[1] + c[1];
  }
  return b[1];
}

/* { dg-final { scan-ummgr-dump {name a map firstprivate class array element 4 size \? } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name b .* section element 4 size \? type "int\[\]"} ummgr-regions } } */
/* { dg-final { scan-ummgr-dump {name c map firstprivate_int class array element 4 } ummgr-regions } } */
/* { dg-final { scan-ummgr-dump-not {clauses and fields differ|type "[^"]*D\.} ummgr-regions } } */
