/* Data that fits costs under auto what it costs under explicit: the same copies, no fault, nothing
   read over the link; what omp_target_alloc gives neither.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-ummgr-policies "explicit auto" } */
/* { dg-ummgr-counter all gpu_faults == 0 } */
/* { dg-ummgr-counter all cpu_faults == 0 } */
/* { dg-ummgr-counter all remote_bytes == 0 } */
/* { dg-ummgr-counter all evictions == 0 } */
/* { dg-ummgr-counter all h2d_bytes < 8100000 } */
/* { dg-ummgr-counter all d2h_bytes < 4100000 } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 1000000, TURNS = 5 };

int
main (void)
{
  int *a = malloc (N * sizeof *a), *b = malloc (N * sizeof *b);
  int device = omp_get_default_device ();
  int *sum = omp_target_alloc (N * sizeof *sum, device);
  CHECK (a && b && sum);
  for (int i = 0; i < N; i++)
    a[i] = i, b[i] = 3 * i;
#pragma omp target data map(to: b[:N]) map(tofrom: a[:N])
  for (int k = 0; k < TURNS; k++)
    {
#pragma omp target teams distribute parallel for is_device_ptr(sum)
      for (int i = 0; i < N; i++)
	sum[i] = a[i] + b[i];
#pragma omp target teams distribute parallel for is_device_ptr(sum)
      for (int i = 0; i < N; i++)
	a[i] = sum[i] - b[i] + 1;
    }
  for (int i = 0; i < N; i++)
    CHECK_EQ (a[i], i + TURNS);
  omp_target_free (sum, device);
  free (a);
  free (b);
  return 0;
}
