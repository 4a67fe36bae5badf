/* The example of libummgr/hints/data.h.  SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdlib.h>

int
main (void)
{
  long n = 1000, m = 1000000;
  float *a = calloc (m, sizeof *a), sum = 0;
  int *index = malloc (n * sizeof *index);
  for (long i = 0; i < n; i++)
    index[i] = 64 * i;
#pragma omp target teams distribute parallel for reduction(+: sum) \
  map(to: a[0:m], index[0:n])
  for (long i = 0; i < n; i++)
    sum += a[index[i]];
  return sum != 0;
}
