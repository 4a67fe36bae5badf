/* The example of gcc-plugin/use/use.h.  SPDX-License-Identifier: GPL-3.0-or-later  */

void
fill (float *a, long n, long m)
{
#pragma omp target teams distribute parallel for map(from: a[0:n * m])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      a[i * m + j] = i;
}
