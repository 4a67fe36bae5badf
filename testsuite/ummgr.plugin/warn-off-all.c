/* -w goes for these warnings too.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-w" } */

int
f (int *a, int n)
{
  int e;
#pragma omp target map(to: a[0:n]) map(tofrom: e)
  e = n;
  return e;
}
