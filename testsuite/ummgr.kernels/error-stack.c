/* A frame larger than the stack that libgomp gives a thread: what lies below is nobody's.
   SPDX-License-Identifier: GPL-3.0-or-later
   { dg-kernel-error kernel main.*illegal address }  */

int
main (void)
{
  int there = 0;
#pragma omp target map(tofrom : there)
{
  volatile char large[1 << 18];
  large[0] = 1;
  there = large[0];
}
  return there;
}
