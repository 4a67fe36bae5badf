/* Work-shared loops of every schedule and shape: would break if a construct's
   loop were not recognised as the whole iteration space, whatever the level.  */
/* { dg-do compile } */

void
f (float *a, int n, long rows, long cols)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = 0; i < n; i++)
    a[i] += 1;
#pragma omp target parallel for map(tofrom: a[0:n])
  for (int i = 1; i < n; i++)
    a[i] += 1;
#pragma omp target teams distribute parallel for simd map(tofrom: a[0:n])
  for (int i = 2; i < n; i++)
    a[i] += 1;
#pragma omp target teams distribute parallel for schedule(static, 4) map(tofrom: a[0:n])
  for (int i = 3; i < n; i++)
    a[i] += 1;
#pragma omp target teams distribute parallel for dist_schedule(static, 16) map(tofrom: a[0:n])
  for (int i = 4; i < n; i++)
    a[i] += 1;
#pragma omp target teams loop map(tofrom: a[0:n])
  for (int i = 5; i < n; i++)
    a[i] += 1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:rows * cols])
  for (long r = 6; r < rows; r++)
    for (long c = 1; c < cols; c++)
      a[r * cols + c] += 1;
#pragma omp target teams distribute map(tofrom: a[0:rows * cols])
  for (long r = 7; r < rows; r++)
#pragma omp parallel for
    for (long c = 2; c < cols; c++)
      a[r * cols + c] += 1;
#pragma omp target map(tofrom: a[0:n])
#pragma omp teams
#pragma omp distribute parallel for
  for (int i = n - 1; i >= 8; i--)
    a[i] += 1;
}

/* { dg-final { scan-ummgr-dump-times {use of region \S+ trip n exact} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region \S+ trip n - [1234] exact} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {trip n - 5 exact} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use of region \S+ trip rows\*cols - rows - 6\*cols \+ 6 exact} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {base 24\*cols \+ 4 shared \[4\*cols x rows - 6\] shared \[4 x cols - 1\]$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {base 28\*cols \+ 8 shared \[4\*cols x rows - 7\] shared \[4 x cols - 2\]$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {base 4\*n - 4 shared \[-4 x n - 8\]$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {use a read written$} 9 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {unknown|estimated|affine|trip \?} ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
