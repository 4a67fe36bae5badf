/* Data that `exit data' deletes inside a `target data' with `always' must be
   gone at once, not stay present until the end.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 5000 };

int
main (void)
{
  int device = omp_get_default_device ();
  int *a = malloc (N * sizeof *a);
  CHECK (a);
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target data map(always, to: a[:N])
  {
#pragma omp target exit data map(delete: a[:N])
    CHECK (!omp_target_is_present (a, device));
#pragma omp target map(tofrom: a[100:50])
    for (int i = 100; i < 150; i++)
      a[i]++;
    CHECK_EQ (a[100], 101);
    CHECK_EQ (a[150], 150);
  }
  CHECK_EQ (a[149], 150);

  /* `always' copies at both ends, whatever the count.  */
#pragma omp target enter data map(to: a[:N])
  a[7] = 70;
#pragma omp target data map(always, tofrom: a[:10])
  {
#pragma omp target map(alloc: a[:N])
    a[8] = a[7] + 1;
    CHECK_EQ (a[8], 8);
  }
  CHECK_EQ (a[8], 71);
#pragma omp target exit data map(release: a[:N])
  free (a);
  return 0;
}
