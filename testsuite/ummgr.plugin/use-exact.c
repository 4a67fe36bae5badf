/* What is no certain place or count: would break if a guess, or a bound that
   leaves something out, were called exact.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (float *a, const float *b, unsigned n, long k, long m)
{
  /* All but one.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (long i = 0; i < m; i++)
    if (i != k)
      a[i] = 0;
  /* GCC makes "i - 3 <= 1" of this, unsigned, for both of its bounds; outside
     of them is no one range.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (unsigned i = 0; i < n; i++)
    if (i > 2 && i < 5)
      a[i] = 1;
    else
      a[i + n] = 2;
  /* Every other index; the one that is asked for may be between two.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (long i = 0; i < m; i += 2)
    if (i == 3)
      a[i] = 3;
  /* From 1, 3, 5: none is left out when k is 0.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (long i = 1; i < m; i += 2)
    if (i > k)
      a[i] = 4;
  /* Chunks of one have no loop of their own.  */
#pragma omp target teams distribute dist_schedule(static, 1) map(tofrom: a[0:n])
  for (long i = 0; i < m; i++)
    a[i] = 5;
  /* GCC makes a nest of this, in which the outer loop is not all.  */
#pragma omp target parallel for simd collapse(2) map(tofrom: a[0:m * k])
  for (long i = 0; i < m; i++)
    for (long j = 0; j < k; j++)
      a[i * k + j] = 6;
}

/* { dg-final { scan-ummgr-dump-times {ref line 12 w .* affine } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line (12|20|25) w .* exact } ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 18 w .* exact base 12 shared \[4 x \(\(n\) min \(5\)\) - 3\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 30 w .* exact base .*\(k\) max \(0\)} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 34 w .* exact base 0 shared \[4 x m\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region .* trip m exact} 2 ummgr-tables } } */
