/* Conjugate gradients on a grid, as one writes them first: map clauses on each kernel.  With -DMENDED all data is
   mapped once around the loop.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

static int n, count, *row, *column;
static double *value;

static void
multiply (const double *x, double *y)
{
#pragma omp target teams distribute parallel for \
  map(to: row[0:n + 1], column[0:count], value[0:count], x[0:n]) map(from: y[0:n])
  for (int i = 0; i < n; i++)
    {
      double sum = 0;
      for (int k = row[i]; k < row[i + 1]; k++)
	sum += value[k] * x[column[k]];
      y[i] = sum;
    }
}

static double
dot (const double *x, const double *y)
{
  double sum = 0;
#pragma omp target teams distribute parallel for reduction(+: sum) map(to: x[0:n], y[0:n]) map(tofrom: sum)
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static void
add (double a, const double *x, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++)
    y[i] += a * x[i];
}

static void
scale_add (const double *x, double a, double *y)
{
#pragma omp target teams distribute parallel for map(to: x[0:n]) map(tofrom: y[0:n])
  for (int i = 0; i < n; i++)
    y[i] = x[i] + a * y[i];
}

static void
entry (int at, double v)
{
  column[count] = at;
  value[count++] = v;
}

static void
matrix (int m)
{
  for (int i = 0; i < n; i++)
    {
      row[i] = count;
      if (i >= m)
	entry (i - m, -1);
      if (i % m)
	entry (i - 1, -1);
      entry (i, 4);
      if (i % m < m - 1)
	entry (i + 1, -1);
      if (i < n - m)
	entry (i + m, -1);
    }
  row[n] = count;
}

int
main (int argc, char **argv)
{
  int m = argc > 1 ? atoi (argv[1]) : 200, turns = 50;
  n = m * m;
  row = malloc ((n + 1) * sizeof *row);
  column = malloc (5L * n * sizeof *column);
  value = malloc (5L * n * sizeof *value);
  double *x = calloc (n, sizeof *x), *r = malloc (n * sizeof *r), *p = malloc (n * sizeof *p),
	 *q = malloc (n * sizeof *q);
  matrix (m);
  for (int i = 0; i < n; i++)
    r[i] = p[i] = 1;
#ifdef MENDED
#pragma omp target data map(to: row[0:n + 1], column[0:count], value[0:count], r[0:n], p[0:n]) map(tofrom: x[0:n]) \
  map(alloc: q[0:n])
#endif
  {
    double norm = dot (r, r);
    for (int t = 0; t < turns; t++)
      {
	multiply (p, q);
	double a = norm / dot (p, q);
	add (a, p, x);
	add (-a, q, r);
	double next = dot (r, r);
	scale_add (r, next / norm, p);
	norm = next;
      }
    printf ("residual %.6g\n", norm);
  }
  double sum = 0;
  for (int i = 0; i < n; i++)
    sum += x[i];
  printf ("sum %.6g\n", sum);
  return 0;
}
