/* Loops within an iteration, triangular ones, ones that end early, and stencils:
   would break if counts or bounds came out wrong.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (float *a, float *b, long n, long m)
{
#pragma omp target teams distribute parallel for map(to: a[0:n * m]) map(from: b[0:n])
  for (long i = 0; i < n; i++)
    {
      float sum = 0;
      for (long j = 0; j < m; j += 2)
	sum += a[i * m + j];
      b[i] = sum;
    }
#pragma omp target teams distribute parallel for map(to: a[0:n * n]) map(from: b[0:n])
  for (long i = 0; i < n; i++)
    {
      float sum = 0;
      for (long j = i; j < n; j++)
	sum += a[i * n + j];
      b[i] = sum;
    }
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:n])
  for (long i = 1; i < n - 1; i++)
    b[i] = a[i - 1] + a[i] + a[i + 1];
#pragma omp target teams distribute parallel for map(to: a[0:n * m]) map(from: b[0:n])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m && a[i * m + j] > 0; j++)
      b[i] = j;
}

/* { dg-final { scan-ummgr-dump-times {ref line 13 r .* exact base 0 shared \[4\*m x n\] inner \[8 x \(\(m \+ 1\) / \(2\)\)\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 21 r .* exact base 0 shared \[4\*n x n\] inner \[4 x n - .* most n by row n \+ X \* -1 from 0 \+ X \* 1\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 26 r .* exact base [048] shared \[4 x n - 2\]$} 3 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 29 r .* affine base 0 shared \[4\*m x n\] inner \[4 x m} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line 29 .* exact} ummgr-tables } } */
