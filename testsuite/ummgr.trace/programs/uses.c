/* Regions whose objects all have sizes of their own, so that a line of a report
   tells which one it is about.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 40, COLS = 60 };

static void
copy (const float *a, float *b, int n)
{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(from: b[0:2 * n])
  for (int i = 0; i < n; i++)
    b[2 * i] = a[i];
}

static void
stencil (const float *a, float *b, long rows, long cols)
{
#pragma omp target teams distribute parallel for collapse(2)                 \
  map(to: a[0:rows * cols]) map(from: b[0:rows * cols + 4])
  for (long r = 1; r < rows - 1; r++)
    for (long c = 1; c < cols - 1; c++)
      b[r * cols + c] = a[(r - 1) * cols + c] + a[(r + 1) * cols + c]
			+ a[r * cols + c - 1] + a[r * cols + c + 1];
}

static void
triangle (float *a, long n)
{
#pragma omp target teams distribute parallel for map(tofrom: a[0:n * n])
  for (long i = 0; i < n; i++)
    for (long j = i; j < n; j++)
      a[i * n + j] += 1;
}

static void
columns (const float *a, float *sum, long rows, long cols)
{
#pragma omp target teams distribute parallel for schedule(static, 3)         \
  map(to: a[0:rows * cols + 8]) map(from: sum[0:cols])
  for (long c = 0; c < cols; c += 2)
    {
      float s = 0;
      for (long r = 0; r < rows; r++)
	s += a[r * cols + c];
      sum[c] = s;
    }
}

static void
part (float *a, float *b, long n, long first)
{
#pragma omp target teams distribute parallel for simd map(tofrom: a[0:n])    \
  map(from: b[0:n + 12])
  for (long i = 0; i < n; i++)
    if (i < first)
      a[i] = 1;
    else
      b[n - 1 - i] = 2;
}

static void
backwards (double *a, long n)
{
#pragma omp target map(tofrom: a[n / 2:n / 2])
#pragma omp teams
#pragma omp distribute parallel for dist_schedule(static, 8)
  for (long i = n - 1; i >= n / 2; i -= 3)
    a[i] = 0;
}

int
main (void)
{
  float *a = calloc (20000, sizeof *a), *b = calloc (20000, sizeof *b);
  double *d = calloc (20000, sizeof *d);
  copy (a, b, 1000);
  stencil (a, b, ROWS, COLS);
  triangle (a, 50);
  columns (a, b, ROWS, COLS);
  part (a, b, 700, 300);
  backwards (d, 3000);
  printf ("%g\n", b[1] + a[1] + d[2999]);
  free (a);
  free (b);
  free (d);
  return 0;
}
