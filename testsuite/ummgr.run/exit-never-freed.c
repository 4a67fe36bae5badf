/* Data that is never unmapped or freed is listed in the statistics, and is no
   error at exit, from a data region either.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-counter all launches == 1 } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 5000 };

static int a[N], b[N];

int
main (void)
{
  CHECK (omp_target_alloc (N, omp_get_default_device ()));
#pragma omp target enter data map(to: a)
#pragma omp target data map(tofrom: b)
  {
#pragma omp target
    for (int i = 0; i < N; i++)
      b[i] = a[i];
    exit (0);
  }
  return 1;
}
