/* The same in C++: would break if what templates and references make of a loop were counted
   otherwise than the loop.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

template <typename T>
void
axpy (T *x, T *y, const T &a, long n)
{
  T b = a;
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (long i = 0; i < n; i++)
    y[i] += b * x[i];
}
template void axpy (float *, float *, const float &, long);
/* { dg-final { scan-ummgr-dump {ops flops 1 integers 4 loads 2 stores 1 shared \[n\]$} ummgr-tables } } */
