/* Functions for several lanes: would break if traced versions, which report lane by
   lane, were made into such, too, and GCC said of them what it says of the
   function.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-options "-fplugin-arg-ummgr-trace -fdiagnostics-plain-output" } */

#pragma omp declare simd
int
atomic (_Atomic int x, int *p) /* { dg-warning "on function with ._Atomic. qualified" } */
{
  return x + *p;
}

/* { dg-final { scan-ummgr-output-times {on function with} 1 } } */
