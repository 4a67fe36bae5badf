/* Regions whose data comes in slices: vectors, rows with a halo, columns, triangles, sections
   that begin within a page, data of which every piece uses all, gathers, reductions, atomic
   operations; each against the host, twice, for what the first launch leaves on the host the
   second must find there.
   { stream-pieces vectors 5 }
   { stream-pieces rows 5 }
   { stream-pieces triangle 5 }
   { stream-pieces section 5 }
   { stream-pieces product 5 }
   { stream-pieces gather 5 }
   { stream-pieces sum 5 }
   { stream-pieces histogram 5 }
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 100003, ROWS = 500, COLUMNS = 203 };

static long *a, *b, *c, *d;
static int bad;

#define REGION _Pragma ("omp target teams distribute parallel for")

static void
vectors (int n, const long *x, const long *y, long *z)
{
REGION
  for (int i = 0; i < n; i++)
    z[i] += x[i] + 3 * y[i];
}

static void
rows (int n, int m, const long *x, long *z)
{
REGION
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      z[i * m + j] = x[(i - 1) * m + j] + x[(i + 1) * m + j] + x[7];
}

static void
columns (int n, int m, long *z)
{
REGION
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      z[i * m + j] += j;
}

static void
triangle (int n, int m, const long *x, long *z)
{
REGION
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i && j < m; j++)
      z[i * m + j] += x[i * m + j];
}

static void
section (int n, const long *x, long *z)
{
#pragma omp target teams distribute parallel for map (to: x[1001:n]) map (tofrom: z[13:n])
  for (int i = n - 1; i >= 0; i--)
    z[13 + i] -= x[1001 + i];
}

/* Of matrix x, rows; of vector y, all of it for each.  */
static void
product (int n, int m, const long *x, const long *y, long *z)
{
REGION
  for (int i = 0; i < n; i++)
    {
      long s = 0;
      for (int j = 0; j < m; j++)
	s += x[i * m + j] * y[j];
      z[i] = s;
    }
}

/* Where x is used isn't known.  */
static void
gather (int n, const long *x, const long *at, long *z)
{
REGION
  for (int i = 0; i < n; i++)
    z[i] = x[(unsigned long) at[i] % N] + 1;
}

static long
sum (int n, const long *x)
{
  long s = 5;
#pragma omp target teams distribute parallel for reduction (+: s)
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

static void
histogram (int n, const long *x, long *z)
{
REGION
  for (int i = 0; i < n; i++)
    {
#pragma omp atomic
      z[(unsigned long) x[i] % 1000]++;
    }
}

static void
check (const char *what, const long *got, const long *wanted, long n)
{
  for (long i = 0; i < n; i++)
    if (got[i] != wanted[i])
      {
	printf ("%s: [%ld] is %ld, not %ld\n", what, i, got[i], wanted[i]);
	bad = 1;
	return;
      }
}

static void
fill (long *x, unsigned long seed)
{
  for (int i = 0; i < N; i++)
    x[i] = (long) ((seed += 0x9e3779b97f4a7c15) >> 40);
}

int
main (void)
{
  size_t size = N * sizeof (long);
  long *h = malloc (size);
  a = malloc (size);
  b = malloc (size);
  c = malloc (size);
  d = malloc (size);
  fill (a, 1);
  fill (b, 2);
  fill (c, 3);
  memcpy (h, c, size);
#pragma omp target data map (to: a[:N], b[:N]) map (tofrom: c[:N])
  for (int k = 0; k < 2; k++)
    {
      vectors (N, a, b, c);
      columns (ROWS, COLUMNS - 5, c);
      triangle (ROWS, COLUMNS - 4, a, c);
      histogram (N, b, c);
    }
  for (int k = 0; k < 2; k++)
    {
      for (int i = 0; i < N; i++)
	h[i] += a[i] + 3 * b[i];
      for (int i = 0; i < ROWS; i++)
	for (int j = 0; j < COLUMNS - 5; j++)
	  h[i * (COLUMNS - 5) + j] += j;
      for (int i = 0; i < ROWS; i++)
	for (int j = 0; j < i && j < COLUMNS - 4; j++)
	  h[i * (COLUMNS - 4) + j] += a[i * (COLUMNS - 4) + j];
      for (int i = 0; i < N; i++)
	h[(unsigned long) b[i] % 1000]++;
    }
  check ("vectors, columns, triangles, histograms", c, h, N);

  memcpy (d, c, size);
#pragma omp target data map (to: a[:N], b[:N]) map (tofrom: d[:N]) map (from: c[:N])
  {
    rows (N / 200, 200, a, d);
    gather (N, d, b, c);
    product (ROWS, 200, a, b, d);
  }
  for (int i = 1; i < N / 200 - 1; i++)
    for (int j = 0; j < 200; j++)
      h[i * 200 + j] = a[(i - 1) * 200 + j] + a[(i + 1) * 200 + j] + a[7];
  for (int i = 0; i < N; i++)
    if (c[i] != h[(unsigned long) b[i] % N] + 1)
      {
	printf ("gather: [%d] is %ld\n", i, c[i]);
	bad = 1;
	break;
      }
  for (int i = 0; i < ROWS; i++)
    {
      h[i] = 0;
      for (int j = 0; j < 200; j++)
	h[i] += a[i * 200 + j] * b[j];
    }
  check ("rows, products", d, h, N);

  section (N - 1001, a, d);
  for (int i = 0; i < N - 1001; i++)
    h[13 + i] -= a[1001 + i];
  check ("sections", d, h, N);

  long s, t = 5;
#pragma omp target data map (to: a[:N])
  s = sum (N, a);
  for (int i = 0; i < N; i++)
    t += a[i];
  check ("sum", &s, &t, 1);
  return bad;
}
