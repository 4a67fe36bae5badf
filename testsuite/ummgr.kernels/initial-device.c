/* What device code is told of where it runs.  Newer GCCs make a constant of it, 1, in what they compile for the host,
   and so in the host version of a region.  { dg-kernel-flag 15 -fno-builtin-omp_is_initial_device }
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int
main ()
{
  int r = -1, d = -1;
#pragma omp target map(from : r, d)
  {
    r = omp_is_initial_device ();
    d = omp_get_device_num ();
  }
  fprintf (stderr, "initial %d dev %d\n", r, d);
  printf ("ok\n");
}
