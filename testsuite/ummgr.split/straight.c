/* Regions whose own clauses' data comes in slices straight from the program's memory, each against the host, twice; and
   regions that must not go so: what a piece used beyond its slice would be wrong.
   { straight-pieces vectors 4 }
   { straight-pieces rows 4 }
   { straight-pieces down 4 }
   { straight-pieces strided 4 }
   { straight-pieces triangle 4 }
   { straight-pieces sections 4 }
   { straight-pieces product 4 }
   { straight-pieces scratch 4 }
   { straight-pieces sum 4 }
   { straight-pieces some 4 }
   { straight-pieces unsigned_index 4 }
   { straight-pieces inner 4 }
   { straight-whole columns {several ranges of its loop may write to the same places} }
   { straight-pieces gather 4 }
   { straight-whole scatter {it isn't known which part of its data a range of its loop uses} }
   { straight-whole wraps {its indices may be cut to 32 bits, and then divided; or an older plugin compiled it} }
   { straight-whole cut {its indices may be cut to 32 bits, and then divided; or an older plugin compiled it} }
   { straight-whole twice {its data is mapped already, or in several clauses} }
   { straight-whole mapped {its data is mapped already, or in several clauses} }
   { straight-whole attached {its data has pointers, or descriptors} }

   And of data that was mapped before, with less room than any of it has:
   { around-pieces vectors 4 }
   { around-pieces rows 4 }
   { around-pieces down 4 }
   { around-pieces strided 4 }
   { around-pieces triangle 4 }
   { around-pieces sections 4 }
   { around-pieces product 4 }
   { around-pieces scratch 4 }
   { around-pieces sum 4 }
   { around-pieces some 4 }
   { around-pieces some_from 4 }
   { around-pieces unsigned_index 4 }
   { around-pieces inner 4 }
   { around-pieces gather 4 }
   { around-pieces mapped 4 }
   { around-pieces less 4 }
   { around-whole columns {several ranges of its loop may write to the same places} }
   { around-whole scatter {it isn't known which part of its data a range of its loop uses} }
   { around-whole wraps {its indices may be cut to 32 bits, and then divided; or an older plugin compiled it} }
   { around-whole cut {its indices may be cut to 32 bits, and then divided; or an older plugin compiled it} }
   { around-whole twice {it isn't known which part of its data a range of its loop uses} }
   { around-whole attached {its data has pointers, or descriptors} }
   { around-whole loaded {it follows pointers that it finds in memory} }
   { around-whole by_value {it isn't known which part of its data a range of its loop uses} }
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef AROUND
/* Mapped around all, with room for a part of it.  */
enum { N = 600007, ROWS = 3000, COLUMNS = 200 };
#else
enum { N = 60007, ROWS = 300, COLUMNS = 200 };
#endif

static int *a, *b, *c, *d;
static int bad;

#define LOOP _Pragma ("omp target teams distribute parallel for")

static void
vectors (int n, const int *x, const int *y, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n], y[:n]) map(tofrom: z[:n])
  for (int i = 0; i < n; i++)
    z[i] += x[i] + 3 * y[i];
}

/* With a halo, and an element that all use.  */
static void
rows (int n, int m, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n * m]) map(from: z[m:(n - 2) * m])
  for (int i = 1; i < n - 1; i++)
    for (int j = 0; j < m; j++)
      z[i * m + j] = x[(i - 1) * m + j] + x[(i + 1) * m + j];
}

static void
down (int n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (int i = n - 1; i >= 0; i--)
    z[i] = 5 * z[i] + x[i];
}

/* What lies between is not written.  */
static void
strided (int n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (int i = 0; i < n / 3; i++)
    z[3 * i] = x[3 * i + 1];
}

static void
triangle (int n, int m, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n * m]) map(tofrom: z[:n * m])
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i && j < m; j++)
      z[i * m + j] += x[i * m + j];
}

static void
sections (int n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map (to: x[1001:n]) map (tofrom: z[13:n])
  for (int i = n - 1; i >= 0; i--)
    z[13 + i] -= x[1001 + i];
}

/* Of matrix x, rows; of vector y, all of it for each.  */
static void
product (int n, int m, const int *x, const int *y, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n * m], y[:m]) map(from: z[:n])
  for (int i = 0; i < n; i++)
    {
      int s = 0;
      for (int j = 0; j < m; j++)
	s += x[i * m + j] * y[j];
      z[i] = s;
    }
}

/* Memory that is the region's alone.  */
static void
scratch (int n, const int *x, int *t, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(alloc: t[:n]) map(from: z[:n])
  for (int i = 0; i < n; i++)
    {
      t[i] = x[i] * 3;
      z[i] = t[i] + 1;
    }
}

static int
sum (int n, const int *x)
{
  int s = 5;
#pragma omp target teams distribute parallel for reduction (+: s) map(to: x[:n])
  for (int i = 0; i < n; i++)
    s += x[i];
  return s;
}

/* Only some are written.  */
static void
some (int n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (int i = 0; i < n; i++)
    if (x[i] % 3 == 0)
      z[i] = x[i];
}

/* Nor of what isn't copied in; what is not written stays as it is, which OpenMP doesn't ask for.  */
static void
some_from (int n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(from: z[:n])
  for (int i = 0; i < n; i++)
    if (x[i] % 3 == 0)
      z[i] = x[i] + 1;
}

static void
unsigned_index (unsigned n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (unsigned i = 0; i < n - 8; i++)
    z[i + 4] += x[i + 2] - x[i + 7];
}

static void
inner (int n, int m, const int *x, int *z)
{
#pragma omp target teams distribute map(to: x[:n * m]) map(tofrom: z[:n * m])
  for (int i = 0; i < n; i++)
#pragma omp parallel for
    for (int j = 0; j < m; j++)
      z[i * m + j] += 2 * x[i * m + j];
}

static void
columns (int n, int m, int *z)
{
#pragma omp target teams distribute parallel for map(tofrom: z[:n * m])
  for (int j = 0; j < m; j++)
    for (int i = 0; i < n; i++)
      z[i * m + j] += j;
}

/* x is mapped as a whole.  */
static void
gather (int n, const int *x, const int *at, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n], at[:n]) map(from: z[:n])
  for (int i = 0; i < n; i++)
    z[i] = x[at[i]];
}

static void
scatter (int n, int m, int *z)
{
#pragma omp target teams distribute parallel for map(tofrom: z[:n])
  for (int i = 0; i < n; i++)
    z[i * i % m] = 7;
}

/* i * 100000 is cut where i is 42950.  */
static void
cut (unsigned n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (unsigned i = 0; i < n; i++)
    z[i] += x[i * 100000 / 100000];
}

/* An index that 32 bits cut on its way.  */
static void
wraps (int n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (int i = 0; i < n; i++)
    {
      unsigned far = 4000000000u, sum = 0;
      for (int k = 0; k < 4; k++, far += 200000000)
	sum += x[far / 100000000];
      z[i] += sum;
    }
}

/* So it is here.  */
static void
less (unsigned n, const int *x, int *z)
{
#pragma omp target teams distribute parallel for map(to: x[:n]) map(tofrom: z[:n])
  for (unsigned i = 0; i < n; i++)
    {
      unsigned far = i * 100000;
      z[i] += x[far < n - 1 ? far : n - 1];
    }
}

/* One memory under two names.  */
static void
twice (int n, int *z)
{
  int *y = z + n / 2;
#pragma omp target teams distribute parallel for map(tofrom: z[:n], y[:n / 2])
  for (int i = 0; i < n / 2; i++)
    z[i] += y[i];
}

static void
mapped (int n, int *z)
{
#pragma omp target data map(tofrom: z[:n])
  {
#pragma omp target teams distribute parallel for map(tofrom: z[:n])
    for (int i = 0; i < n; i++)
      z[i] += 1;
    z[0] = 12345;
#pragma omp target teams distribute parallel for map(tofrom: z[:n])
    for (int i = 0; i < n; i++)
      z[i] *= 2;
  }
}

struct held { int n, *at; };

static void
attached (int n, int *z)
{
  struct held h = { n, z };
#pragma omp target teams distribute parallel for map(to: h) map(tofrom: h.at[:n])
  for (int i = 0; i < n; i++)
    h.at[i] += i;
}

#ifdef AROUND
/* The same memory by an address that is a value, and by one in memory.  */
static void
by_value (int n, int *z)
{
#pragma omp target data use_device_ptr (z)
  {
    int *at = z;
#pragma omp target teams distribute parallel for map(tofrom: c[:n]) is_device_ptr (at)
    for (int i = 0; i < n; i++)
      if (i % 2)
	c[i] += 3;
      else
	at[i] += 4;
  }
}

static void
loaded (int n, int *z)
{
  int *at[1];
#pragma omp target data use_device_ptr (z)
  at[0] = z;
#pragma omp target teams distribute parallel for map(tofrom: c[:n]) map(to: at)
  for (int i = 0; i < n; i++)
    if (i % 2)
      c[i] += 3;
    else
      at[0][i] += 4;
}
#endif

static void
check (const char *what, const int *got, const int *wanted, long n)
{
  for (long i = 0; i < n; i++)
    if (got[i] != wanted[i])
      {
	printf ("%s: [%ld] is %d, not %d\n", what, i, got[i], wanted[i]);
	bad = 1;
	return;
      }
}

static int
is (const char *variable, const char *value)
{
  const char *text = getenv (variable);
  return text && strcmp (text, value) == 0;
}

/* CALL gives c, of which d is a copy, what STATEMENT makes of d.  */
#ifdef AROUND
#define MAP _Pragma ("omp target data map(to: a[:N], b[:N]) map(tofrom: c[:N])")
#else
#define MAP
#endif
#define TRY(NAME, CALL, STATEMENT)                                            \
  do                                                                          \
    {                                                                         \
      MAP { CALL; }                                                           \
      STATEMENT;                                                              \
      check (NAME, c, d, N);                                                  \
      memcpy (d, c, N * sizeof *c);                                           \
    }                                                                         \
  while (0)

int
main (void)
{
  a = malloc (N * sizeof *a);
  b = malloc (N * sizeof *b);
  c = malloc (N * sizeof *c);
  d = malloc (N * sizeof *d);
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 7 % 1009;
      b[i] = i % 77;
      c[i] = d[i] = i % 31;
    }
  for (int twice_over = 0; twice_over < 2; twice_over++)
    {
      TRY ("vectors", vectors (N, a, b, c), for (int i = 0; i < N; i++) d[i] += a[i] + 3 * b[i]);
      TRY ("rows", rows (ROWS, COLUMNS, a, c), for (int i = COLUMNS; i < (ROWS - 1) * COLUMNS; i++)
	   d[i] = a[i - COLUMNS] + a[i + COLUMNS]);
      TRY ("down", down (N, a, c), for (int i = 0; i < N; i++) d[i] = 5 * d[i] + a[i]);
      TRY ("strided", strided (N, a, c), for (int i = 0; i < N / 3; i++) d[3 * i] = a[3 * i + 1]);
      TRY ("triangle", triangle (ROWS, COLUMNS, a, c), for (int i = 0; i < ROWS; i++)
	   for (int j = 0; j < i && j < COLUMNS; j++) d[i * COLUMNS + j] += a[i * COLUMNS + j]);
      TRY ("sections", sections (N - 1001, a, c), for (int i = 0; i < N - 1001; i++) d[13 + i] -= a[1001 + i]);
      TRY ("product", product (ROWS, COLUMNS, a, b, c), for (int i = 0; i < ROWS; i++)
	   for (int j = d[i] = 0; j < COLUMNS; j++) d[i] += a[i * COLUMNS + j] * b[j]);
      {
	int *t = malloc (N * sizeof *t);
	memset (t, 7, N * sizeof *t);
	TRY ("scratch", scratch (N, a, t, c), for (int i = 0; i < N; i++) d[i] = a[i] * 3 + 1);
	free (t);
      }
      {
	int s = 5;
	for (int i = 0; i < N; i++)
	  s += a[i];
	if (sum (N, a) != s)
	  bad = printf ("sum\n");
      }
      TRY ("some", some (N, a, c), for (int i = 0; i < N; i++) if (a[i] % 3 == 0) d[i] = a[i]);
      if (is ("UMMGR_STREAM", "always") && is ("UMMGR_POLICY", "auto"))
	TRY ("some_from", some_from (N, a, c), for (int i = 0; i < N; i++) if (a[i] % 3 == 0) d[i] = a[i] + 1);
      TRY ("unsigned_index", unsigned_index (N, a, c), for (int i = 0; i < N - 8; i++) d[i + 4] += a[i + 2] - a[i + 7]);
      TRY ("inner", inner (ROWS, COLUMNS, a, c), for (int i = 0; i < ROWS * COLUMNS; i++) d[i] += 2 * a[i]);
      TRY ("columns", columns (ROWS, COLUMNS, c), for (int i = 0; i < ROWS * COLUMNS; i++) d[i] += i % COLUMNS);
      TRY ("gather", gather (N, a, b, c), for (int i = 0; i < N; i++) d[i] = a[b[i]]);
      TRY ("scatter", scatter (30003, 317, c), for (int i = 0; i < 30003; i++) d[i * i % 317] = 7);
      TRY ("wraps", wraps (N, a, c), for (int i = 0; i < N; i++)
	   for (unsigned k = 0, far = 4000000000u; k < 4; k++, far += 200000000) d[i] += a[far / 100000000]);
      TRY ("cut", cut (N, a, c), for (unsigned i = 0; i < N; i++) d[i] += a[i * 100000 / 100000]);
      TRY ("less", less (N, a, c), for (unsigned i = 0; i < N; i++) d[i] += a[i * 100000 < N - 1 ? i * 100000 : N - 1]);
      TRY ("twice", twice (N / 2 * 2, c), for (int i = 0; i < N / 2; i++) d[i] += d[i + N / 2]);
#ifndef UNIFIED
      /* Where memory is one, what the host writes in between counts.  */
      TRY ("mapped", mapped (N, c), for (int i = 0; i < N; i++) d[i] = 2 * (d[i] + 1));
#endif
#ifdef AROUND
      TRY ("by value", by_value (N, c), for (int i = 0; i < N; i++) d[i] += i % 2 ? 3 : 4);
      TRY ("loaded", loaded (N, c), for (int i = 0; i < N; i++) d[i] += i % 2 ? 3 : 4);
#endif
      TRY ("attached", attached (N, c), for (int i = 0; i < N; i++) d[i] += i);
    }
  return bad;
}
