/* A shared library with a region.  SPDX-License-Identifier: GPL-3.0-or-later  */
#include "sample.h"

void
shift (double *a, int n, double by)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += by;
}
