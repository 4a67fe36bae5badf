/* An `exit data' that waits for an `enter data' must end what that has mapped,
   though nothing was mapped when it was met and it names no byte, or few.  */
/* { dg-do run } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 100000 };

static void
chain (int *a, long n)
{
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp task depend(inout: a[0])
    a[0] = 1;
#pragma omp target enter data map(to: a[:N]) depend(inout: a[0]) nowait
#pragma omp target exit data map(from: a[:n]) depend(inout: a[0]) nowait
  }
  CHECK (!omp_target_is_present (a, omp_get_default_device ()));
  a[0] = 2;
#pragma omp target map(tofrom: a[:N])
  a[0]++;
  CHECK_EQ (a[0], 3);
}

int
main (void)
{
  int *a = calloc (N, sizeof *a);
  CHECK (a);
  chain (a, 0);
  chain (a, 1);
  free (a);
  return 0;
}
/* SPDX-License-Identifier: GPL-3.0-or-later  */
