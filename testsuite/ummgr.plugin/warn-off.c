/* Each warning has its switch: would break if one switched off another.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-no-unwritten -fplugin-arg-ummgr-no-remapped -fplugin-arg-ummgr-no-overwritten" } */

int
f (int *a, int *b, int n)
{
  int e;
  for (int k = 0; k < n; k++)
    {
#pragma omp target map(tofrom: a[0:n]) map(tofrom: b[0:n])
      b[0] += a[0];
    }
#pragma omp target map(tofrom: e)
  {
    e = n;
    e++;
  }
#pragma omp target map(to: a[0:n]) map(from: e) /* { dg-warning ".a. is mapped, but" } */
  e = n;
#pragma omp target map(tofrom: e) /* { dg-warning ".e. is copied to the device, but the region never reads it" } */
  e = n;
  return e;
}
