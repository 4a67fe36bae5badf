/* An address that nothing has.
   SPDX-License-Identifier: GPL-3.0-or-later
   { dg-kernel-error kernel main.*illegal address 0x10 }  */

int
main (void)
{
  int there = 0;
#pragma omp target map(tofrom : there)
{
  there = *(volatile int *) (there + 16l);
}
  return there;
}
