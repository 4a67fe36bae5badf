/* Data that is released but not gone, or deleted but still there: release,
   delete, zero-length sections, and presence as the program sees it.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"

#include <omp.h>
#include <stdlib.h>

enum { N = 1000 };

int
main (void)
{
  int device = omp_get_default_device ();
  int *a = malloc (N * sizeof *a), *volatile none = NULL;
  CHECK (a);
  for (int i = 0; i < N; i++)
    a[i] = i;
  CHECK (!omp_target_is_present (a, device));
#pragma omp target enter data map(to: a[:N])
#pragma omp target enter data map(to: a[:N])
  CHECK (omp_target_is_present (a + N - 1, device));
  CHECK (!omp_target_is_present (a + N, device));
#pragma omp target exit data map(release: a[:N])
  CHECK (omp_target_is_present (a, device));
#pragma omp target enter data map(to: a[:N])
#pragma omp target exit data map(delete: a[:N])
  CHECK (!omp_target_is_present (a, device));
#pragma omp target exit data map(delete: a[:N])
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[9], 9);

  /* A section of no bytes finds what is there and holds it.  */
  int zero = 0, sum = 0;
#pragma omp target enter data map(to: a[:N])
#pragma omp target enter data map(to: a[10:zero])
#pragma omp target exit data map(release: a[:N])
  CHECK (omp_target_is_present (a, device));
#pragma omp target map(alloc: a[:zero]) map(tofrom: sum)
  for (int i = 0; i < N; i++)
    sum += a[i];
  CHECK_EQ (sum, N * (N - 1) / 2);
#pragma omp target exit data map(release: a[10:zero])
  CHECK (!omp_target_is_present (a, device));

  /* And finds nothing where nothing is.  */
  int null = 0;
  int *p = none;
#pragma omp target map(alloc: p[:zero]) map(from: null)
  null = p == NULL;
  CHECK (null);

  /* Deleted inside of `target data': its end leaves alone what came since. */
#pragma omp target data map(tofrom: a[:N])
  {
#pragma omp target exit data map(delete: a[:N])
    CHECK (!omp_target_is_present (a, device));
    a[0] = 77;
#pragma omp target enter data map(to: a[:N])
  }
  CHECK (omp_target_is_present (a, device));
  CHECK_EQ (a[0], 77);
#pragma omp target map(tofrom: a[:N])
  a[0]++;
  CHECK_EQ (a[0], 77);
#pragma omp target exit data map(from: a[:N])
  CHECK_EQ (a[0], 78);
  free (a);
  return 0;
}
