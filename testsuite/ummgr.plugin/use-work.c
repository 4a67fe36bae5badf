/* What regions compute, by hand as ops/ops.h has it: would break if a product were counted
   beside the sum that it is part of, or of a sum of two products both left out; an index
   that the pointers make superfluous, or none where there are none; an array's pointer for
   each of its references, or one for two arrays; a loaded index's conversion; what does not
   vary in a loop; a loop's test once too often.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

#include <math.h>

void
daxpy (double *x, double *y, double a, long n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (long i = 0; i < n; i++)
    y[i] += a * x[i];
}
/* Two pointers, a comparison and a branch.  */
/* { dg-final { scan-ummgr-dump {ops flops 1 integers 4 loads 2 stores 1 shared \[n\]$} ummgr-tables } } */

void
stencil (float *restrict a, float *restrict b, long n)
{
#pragma omp target teams distribute parallel for map(to: a[0:n]) map(tofrom: b[0:n])
  for (long i = 1; i < n - 1; i++)
    b[i] = 0.25f * a[i - 1] + 0.5f * a[i] + 0.25f * a[i + 1];
}
/* A product, two that are part of sums.  */
/* { dg-final { scan-ummgr-dump {ops flops 3 integers 4 loads 3 stores 1 shared \[n - 2\]$} ummgr-tables } } */

void
gather (int *x, int *y, int *idx, long n)
{
#pragma omp target teams distribute parallel for map(to: x[0:n], idx[0:n]) map(tofrom: y[0:n])
  for (long i = 0; i < n; i++)
    y[i] = x[idx[i]];
}
/* And a shift and an addition.  */
/* { dg-final { scan-ummgr-dump {ops flops 0 integers 6 loads 2 stores 1 shared \[n\]$} ummgr-tables } } */

void
dgemm (double *a, double *b, double *c, long n)
{
#pragma omp target teams distribute parallel for map(to: a[0:n*n], b[0:n*n]) map(from: c[0:n*n])
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	double s = 0;
	for (long k = 0; k < n; k++)
	  s += a[i * n + k] * b[k * n + j];
	c[i * n + j] = s;
      }
}
/* { dg-final { scan-ummgr-dump {ops flops 1 integers 4 loads 2 stores 0 shared \[n\] inner \[n\] inner \[n\]$} ummgr-tables } } */

/* The index is used, the root is one operation and the exponential function many.  */
void
functions (float *x, long n)
{
#pragma omp target teams distribute parallel for map(tofrom: x[0:n])
  for (long i = 0; i < n; i++)
    x[i] = sqrtf ((float) i) + expf (x[i]);
}
/* { dg-final { scan-ummgr-dump {ops flops 43 integers 4 loads 1 stores 1 shared \[n\]$} ummgr-tables } } */

/* Nothing is shared: all that the region does.  */
void
alone (long *x)
{
#pragma omp target map(tofrom: x[0:3])
  x[0] = x[1] * x[2];
}
/* { dg-final { scan-ummgr-dump {ops flops 0 integers 1 loads 3 stores 1$} ummgr-tables } } */
