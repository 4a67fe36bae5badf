/* Data of one device that another is given: the same array on two devices,
   and the default device changed in between.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-env "UMMGR_GPUS=2" } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 5000 };

int
main (void)
{
  int *a = malloc (N * sizeof *a);
  CHECK (a);
  CHECK_EQ (omp_get_num_devices (), 2);
  for (int i = 0; i < N; i++)
    a[i] = 0;
#pragma omp target enter data map(to: a[:N]) device(0)
#pragma omp target enter data map(to: a[:N]) device(1)
  for (int d = 0; d < 2; d++)
#pragma omp target map(tofrom: a[:N]) device(d)
    for (int i = 0; i < N; i++)
      a[i] += 10 + d;
  CHECK_EQ (a[0], 0);
#pragma omp target update from(a[:N]) device(1)
  CHECK_EQ (a[N - 1], 11);
#pragma omp target exit data map(delete: a[:N]) device(1)
  CHECK (omp_target_is_present (a, 0) && !omp_target_is_present (a, 1));
#pragma omp target exit data map(from: a[:N]) device(0)
  CHECK_EQ (a[N - 1], 10);

  omp_set_default_device (1);
#pragma omp target data map(tofrom: a[:N])
  {
    CHECK (omp_target_is_present (a, 1) && !omp_target_is_present (a, 0));
#pragma omp target
    a[0] = 1;
#pragma omp target map(tofrom: a[:N]) device(0)
    a[1] = 2;
    CHECK_EQ (a[0], 10);
    CHECK_EQ (a[1], 2);
  }
  CHECK_EQ (a[0], 1);
  CHECK_EQ (a[1], 10);

  /* No such device: the host.  */
#pragma omp target map(tofrom: a[:N]) device(omp_get_initial_device ())
  a[2] = 5;
  CHECK_EQ (a[2], 5);
  free (a);
  return 0;
}
