/* Regions in loops within data constructs: would break if data that is there
   already were said to be copied.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do compile } */

static void
step (const double *a, double *b, int n, int steps)
{
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] += a[i];
    }
}

void
whole (const double *a, double *b, int n, int steps)
{
#pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
  step (a, b, n, steps);
#pragma omp target data map(to: a[0:n]) map(tofrom: b[0:n])
  for (int k = 0; k < steps; k++)
    {
#pragma omp target parallel for map(to: a[0:n]) map(tofrom: b[0:n])
      for (int i = 0; i < n; i++)
	b[i] += a[i];
    }
}
