/* Each construct that shares a loop, combined and split, and beside it one that
   looks alike and shares none: would break if what a construct stands for were
   not the whole loop, or if a loop that each thread runs were shared.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
shared (float *a, int n)
{
#pragma omp target map(tofrom: a[0:n])
#pragma omp teams distribute parallel for
  for (int i = 1; i < n; i++)
    a[i] = 1;
#pragma omp target teams map(tofrom: a[0:n])
#pragma omp distribute
  for (int i = 2; i < n; i++)
    a[i] = 1;
#pragma omp target teams distribute simd map(tofrom: a[0:n])
  for (int i = 3; i < n; i++)
    a[i] = 1;
#pragma omp target parallel map(tofrom: a[0:n])
#pragma omp for
  for (int i = 4; i < n; i++)
    a[i] = 1;
#pragma omp target parallel for simd map(tofrom: a[0:n])
  for (int i = 5; i < n; i++)
    a[i] = 1;
#pragma omp target parallel for schedule(static, 7) map(tofrom: a[0:n])
  for (int i = 6; i < n; i++)
    a[i] = 1;
#pragma omp target teams distribute dist_schedule(static, 5) map(tofrom: a[0:n])
  for (int i = 7; i < n; i++)
    a[i] = 1;
#pragma omp target teams distribute parallel for dist_schedule(static, 64) schedule(static, 8) map(tofrom: a[0:n])
  for (int i = 8; i < n; i++)
    a[i] = 1;
#pragma omp target parallel loop map(tofrom: a[0:n])
  for (int i = 9; i < n; i++)
    a[i] = 1;
#pragma omp target teams map(tofrom: a[0:n])
#pragma omp loop
  for (int i = 10; i < n; i++)
    a[i] = 1;
#pragma omp target teams distribute parallel for schedule(static) num_teams(8) thread_limit(64) map(tofrom: a[0:n])
  for (int i = 11; i < n; i++)
    a[i] = 1;
#pragma omp target teams distribute parallel for map(tofrom: a[0:n])
  for (int i = n; i > 12; i -= 1)
    a[i - 1] = 1;
}

/* { dg-final { scan-ummgr-dump-times {use of region shared\._omp_fn\.\d+ trip n - \d+ exact$} 12 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line (12|16|19|23|26|29|32|35|38|42|45) w size 4 frequency 1 exact base \d+ shared \[4 x n - \d+\]$} 11 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 48 w size 4 frequency 1 exact base 4\*n - 4 shared \[-4 x n - 12\]$} 1 ummgr-tables } } */

void
nested (float *a, long r, long c, long d)
{
#pragma omp target teams distribute parallel for collapse(3) map(tofrom: a[0:r * c * d])
  for (long i = 0; i < r; i++)
    for (long j = 0; j < c; j++)
      for (long k = 0; k < d; k++)
	a[(i * c + j) * d + k] = 1;
#pragma omp target teams distribute collapse(2) map(tofrom: a[0:r * c * d])
  for (long i = 0; i < r; i++)
    for (long j = 0; j < c; j++)
#pragma omp parallel for
      for (long k = 0; k < d; k++)
	a[(i * c + j) * d + k] = 1;
#pragma omp target teams distribute parallel for simd collapse(2) map(tofrom: a[0:r * c])
  for (long i = 0; i < r; i++)
    for (long j = 0; j < c; j++)
      a[i * c + j] = 1;
#pragma omp target parallel for map(tofrom: a[0:r * c])
  for (long i = 0; i < r; i++)
#pragma omp simd
    for (long j = 0; j < c; j++)
      a[i * c + j] = 1;
}

/* { dg-final { scan-ummgr-dump-times {ref line (62|68) w size 4 frequency 1 exact base 0 shared \[4\*c\*d x r\] shared \[4\*d x c\] shared \[4 x d\]$} 2 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 72 w size 4 frequency 1 exact base 0 shared \[4\*c x r\] shared \[4 x c\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 77 w size 4 frequency 1 exact base 0 shared \[4\*c x r\] inner \[4 x c\]$} 1 ummgr-tables } } */

void
alone (float *a, int n)
{
#pragma omp target map(tofrom: a[0:n])
  for (int i = 1; i < n; i++)
    a[i] = 1;
#pragma omp target simd map(tofrom: a[0:n])
  for (int i = 2; i < n; i++)
    a[i] = 1;
#pragma omp target teams map(tofrom: a[0:n])
  for (int i = 3; i < n; i++)
    a[i] = 1;
#pragma omp target parallel map(tofrom: a[0:n])
  for (int i = 4; i < n; i++)
    a[i] = 1;
#pragma omp target teams distribute map(tofrom: a[0:n])
  for (int i = 0; i < 8; i++)
    for (int j = 5; j < n; j++)
      a[j] = 1;
}

/* { dg-final { scan-ummgr-dump-times {use of region alone\._omp_fn\.\d+ trip \?$} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line (89|92|95|98) w size 4 frequency 1 exact base \d+ inner \[4 x n - \d\]$} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 102 w size 4 frequency 1 exact base 20 shared \[0 x 8\] inner \[4 x n - 5\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {ref line (89|92|95|98) .*shared} ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {unknown|data-dependent|affine} ummgr-tables } } */
