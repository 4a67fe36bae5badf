/* Collapsed nests whose bounds or bodies look like something else: would break
   if a bound that is reached were taken for one that is passed, or if a
   condition of the program's on an index were taken for the test that ends a
   row.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

void
f (float *a, int r, int c)
{
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:r * c])
  for (int i = 1; i <= r; i++)
    for (int j = 1; j <= c; j++)
      a[(i - 1) * c + j - 1] = 1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:r * c])
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++)
      if (j + 1 < c - 5)
	a[i * c + j] = 1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:r * c])
  for (int i = 0; i < r; i++)
    for (int j = 0; j < c; j++)
      if (j < 7)
	a[i * c + j] = 1;
#pragma omp target teams distribute parallel for collapse(2) map(tofrom: a[0:r * c])
  for (int i = r - 1; i >= 0; i--)
    for (int j = c - 1; j >= 0; j--)
      a[i * c + j] = 1;
}

/* { dg-final { scan-ummgr-dump-times {use of region \S+ trip r\*c exact$} 4 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 13 w size 4 frequency 1 exact base 0 shared \[4\*c x r\] shared \[4 x c\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 18 w size 4 frequency 1 exact base 0 shared \[4\*c x r\] shared \[4 x c - 6\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 23 w size 4 frequency 1 exact base 0 shared \[4\*c x r\] shared \[4 x \(\(c\) min \(7\)\)\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times {ref line 27 w size 4 frequency 1 exact base 4\*r\*c - 4 shared \[-4\*c x r\] shared \[-4 x c\]$} 1 ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not {unknown|data-dependent} ummgr-tables } } */
