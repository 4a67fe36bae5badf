/* Two regions in functions of their own use one array by parameters of different names; and another array that only the
   second has.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static void __attribute__ ((noipa))
make (float *made, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    made[i] = i % 7;
}

static void __attribute__ ((noipa))
use (const float *used, float *sums, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    sums[i] += used[i];
}

int
main (int argc, char **argv)
{
  (void) argv;
  long n = argc * 100000L;
  float *shared = malloc (n * sizeof *shared), *sums = calloc (n, sizeof *sums);
#pragma omp target data map(alloc: shared[0:n]) map(tofrom: sums[0:n])
  for (int step = 0; step < 3; step++)
    {
      make (shared, n);
      use (shared, sums, n);
    }
  for (long i = 0; i < n; i++)
    if (sums[i] != 3 * (i % 7))
      return printf ("sums[%ld] is %g\n", i, sums[i]), 1;
  free (shared);
  free (sums);
  return 0;
}
