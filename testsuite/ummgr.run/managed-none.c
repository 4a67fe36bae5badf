/* Where managed memory can't be had the program goes on as without ummgr, and one
   warning says so: who asked for um would else measure something else.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "um" } */
/* { dg-ummgr-output um "warning: device 0: no managed memory for 2199023255552 bytes" } */

#include "check.h"

#include <omp.h>

int
main (void)
{
  int device = omp_get_default_device (), a[100];
  CHECK (!omp_target_alloc ((size_t) 1 << 41, device));
  void *p = omp_target_alloc (sizeof a, device);
  CHECK (p);
#pragma omp target map(from: a)
  a[99] = 5;
  CHECK_EQ (a[99], 5);
  omp_target_free (p, device);
  return 0;
}
