/* A region that gives up.
   SPDX-License-Identifier: GPL-3.0-or-later
   { dg-kernel-error kernel main.*trap in main }  */

int
main (void)
{
  int there = 0;
#pragma omp target map(tofrom : there)
{
  if (!there)
    __builtin_trap ();
}
  return there;
}
