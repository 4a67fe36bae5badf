/* Where loops start and end: would break if unsigned arithmetic were taken for
   a large number, if a loop that runs only in some iterations of the one around
   it were counted in all, or if none were rounded up to one.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */
/* { dg-additional-options "-O0" } */

void
f (double *a, unsigned n, long m, long k)
{
  /* GCC makes 8 * (i + 0x1ffffffe) of this.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (unsigned i = 2; i < n; i++)
    a[8 * i - 16] = 0;
  /* The inner loop runs from the iteration m - k + 1 on.  */
#pragma omp target teams distribute map(tofrom: a[0:n])
  for (long i = m - 1; i >= 0; i--)
    {
#pragma omp parallel for
      for (long j = i + 1; j < k; j++)
	a[j] = 1;
    }
  /* 7 times, then 5: not 7 on average.  */
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (long i = 1; i < 4; i += 2)
    for (long j = i; j < 8; j++)
      a[j] = 2;
  /* Never.  */
#pragma omp target map(tofrom: a[0:n])
  for (long i = 0; i < m; i++)
    for (int j = 4; j < 3; j++)
      a[i] = 3;
  /* Not once where m is 4.  */
#pragma omp target parallel for schedule(guided) map(tofrom: a[0:n])
  for (long i = 4; i < m; i += 4)
    a[i] = 4;
}

/* { dg-final { scan-ummgr-dump-times {ref line 13 w .* exact base 0 shared \[64 x n - 2\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 20 w .* exact base 8 shared \[0 x m - \(\(0\) max \(m - k \+ 1\)\)\] shared \[8 x .* most k - 1 by row } 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 26 w .* exact base 8 shared \[0 x 2\] inner \[8 x 7 by row 7 \+ X \* -2 from 0 \+ X \* 2\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {certain line (20|26) w} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 31 w .* inner \[0 x 0\]} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region .* trip \(\(m - 1\) / \(4\)\) exact} 1 ummgr-tables } } */
