/* Every form of a loop, by pieces against the host: each that is cut wrong leaves
   iterations out or runs some twice, which all of these add to.  Lengths are odd, 1, 2
   and 0, so that there are fewer iterations than pieces, too.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { split-pieces stencil 7 } { split-pieces tiles 7 } { split-pieces rows 7 } */
/* { split-pieces chunks 7 } { split-pieces down 7 } { split-pieces strided 7 } */
/* { split-pieces threads 7 } { split-pieces loop 7 } { split-pieces nested 7 } */
/* { split-pieces section 7 } { split-pieces step 7 } { split-pieces unsigneds 7 } */
/* { split-pieces backwards 7 } { split-pieces simd 7 } { split-pieces runtime 7 } */
/* { split-pieces bounds 7 } { split-whole small {it isn't known how many iterations it has} } */
/* { split-pieces triangle 7 } */
/* { split-pieces columns 7 } { split-pieces unequal 7 } */

#include "check.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define T(CLAUSES) omp target teams distribute parallel for CLAUSES
#define DO(PRAGMA) _Pragma (#PRAGMA)
#define ON(...) DO (__VA_ARGS__)
/* NAME's region, and the same on the host.  */
#define BOTH(NAME, PRAGMA, ...)						\
  static void NAME (int n, int m, const int *a, int *x)			\
  { ON (PRAGMA) __VA_ARGS__ }						\
  static void NAME##_host (int n, int m, const int *a, int *x)		\
  { __VA_ARGS__ }
#define MAPS map (to: a[0:n * m + 1]) map (tofrom: x[0:n * m + 1])

BOTH (stencil, T (MAPS),
      for (int i = 1; i < n - 1; i++)
	for (int j = 1; j < m - 1; j++)
	  x[i * m + j] += a[(i - 1) * m + j] + a[(i + 1) * m + j] - a[i * m + j - 1];)
BOTH (tiles, omp target teams distribute parallel for simd collapse (2) MAPS,
      for (int i = 0; i < n; i++)
	for (int j = 0; j < m; j++)
	  x[i * m + j] += a[i * m + j] + i;)
BOTH (rows, T (MAPS),
      for (long i = 0; i < n; i++)
	{
	  int sum = 0;
	  for (int j = 0; j < m; j++)
	    sum += a[i * m + j] * j;
	  x[i] += sum;
	})
BOTH (chunks, T (dist_schedule (static, 4) schedule (static, 2) MAPS),
      for (int i = 0; i < n * m; i++)
	x[i] += 2 * a[i];)
BOTH (down, T (num_teams (5) MAPS),
      for (int i = n * m - 1; i >= 0; i--)
	x[i] += a[i] + i;)
BOTH (strided, T (MAPS),
      for (long i = 3; i <= n * m - 1; i += 5)
	x[i] += a[i];)
BOTH (threads, omp target parallel for schedule (dynamic, 3) MAPS,
      for (int i = 0; i < n * m; i++)
	x[i] += a[i];)
BOTH (loop, omp target teams loop MAPS,
      for (int i = 0; i < n * m; i++)
	x[i] += a[i];)
BOTH (nested, omp target teams distribute MAPS,
      for (int i = 0; i < n; i++)
	{
	  DO (omp parallel for)
	  for (int j = 0; j < m; j++)
	    x[i * m + j] += a[i * m + j] + i;
	})
BOTH (section, T (map (to: a[m:n * m - m + 1]) map (tofrom: x[m:n * m - m + 1])),
      for (int i = m; i < n * m; i++)
	x[i] += a[i];)
BOTH (step, T (MAPS),
      for (int i = 0; i < n * m; i += m)
	x[i] += a[i];)
BOTH (unsigneds, T (MAPS),
      for (unsigned long i = 2; i < (unsigned long) n * m; i += 3)
	x[i] += a[i];)
BOTH (backwards, T (MAPS),
      for (unsigned i = n * m; i > 1; i -= 2)
	x[i] += a[i];)
BOTH (simd, omp target simd MAPS,
      for (int i = 0; i < n * m; i++)
	x[i] += a[i];)
BOTH (runtime, T (schedule (runtime) MAPS),
      for (int i = 0; i < n * m; i++)
	x[i] += a[i];)
BOTH (bounds, T (MAPS),
      for (int i = n * m / 3; i < n * m - m / 2; i++)
	x[i] += a[i];)
BOTH (small, T (MAPS),
      for (short i = -100; i < 27; i++)
	if (i + 100 < n * m)
	  x[i + 100] += a[i + 100];)
BOTH (triangle, T (MAPS),
      for (int i = 0; i < n; i++)
	for (int j = i; j < m; j++)
	  x[i * m + j] += a[j] + i;)
BOTH (columns, T (MAPS),
      for (int j = 0; j < m; j++)
	for (int i = 0; i < n; i++)
	  x[i * m + j] += a[i * m + j];)
BOTH (unequal, T (MAPS),
      for (long i = 0; i != (long) n * m; i++)
	x[i] += a[i];)

static void
check (void (*region) (int, int, const int *, int *),
       void (*host) (int, int, const int *, int *), int n, int m)
{
  int size = n * m + 1;
  int *a = malloc (size * sizeof *a);
  int *x = malloc (size * sizeof *x), *y = malloc (size * sizeof *y);
  CHECK (a && x && y);
  for (int i = 0; i < size; i++)
    {
      a[i] = i * 7919 % 1013;
      x[i] = y[i] = i * 31 % 17;
    }
  region (n, m, a, x);
  host (n, m, a, y);
  for (int i = 0; i < size; i++)
    CHECK_EQ (x[i], y[i]);
  free (a);
  free (x);
  free (y);
}

/* Loops that a HI of less than they have would cut short.  */
static void
far (void)
{
  long steps = 0, last = 0;
#pragma omp target teams distribute parallel for reduction(+: steps)
  for (uint64_t i = 0; i < -(UINT64_C (1) << 58); i += UINT64_C (1) << 58)
    steps++;
  CHECK_EQ (steps, 63);
#pragma omp target teams distribute parallel for reduction(+: last)
  for (int64_t i = INT64_MAX - 100; i < INT64_MAX; i += 7)
    last++;
  CHECK_EQ (last, 15);
}

/* Chunks of a collapsed nest, which has more iterations than its outermost loop.  */
static void
inclusive (int n, int m)
{
  static int x[4096];
  memset (x, 0, sizeof x);
#pragma omp target teams distribute parallel for schedule(static, 3) collapse(2) map(tofrom: x)
  for (unsigned long i = 0; i <= n; i += 3)
    for (int j = 0; j < m; j++)
      x[i + 1000 * j] += 1;
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < 1000; i++)
      CHECK_EQ (x[i + 1000 * j], j < m && i <= n && i % 3 == 0);
}

int
main (void)
{
  far ();
  inclusive (11, 1);
  inclusive (300, 3);
  static const struct { int n, m; } sizes[]
    = { { 61, 37 }, { 2, 3 }, { 1, 1 }, { 0, 5 }, { 307, 101 } };
#define ALL(NAME) check (NAME, NAME##_host, sizes[s].n, sizes[s].m)
  for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++)
    {
      ALL (stencil);
      ALL (tiles);
      ALL (rows);
      ALL (chunks);
      ALL (down);
      ALL (strided);
      ALL (threads);
      ALL (loop);
      ALL (nested);
      if (sizes[s].n)
	ALL (section);
      ALL (step);
      ALL (unsigneds);
      ALL (backwards);
      ALL (simd);
      ALL (runtime);
      ALL (bounds);
      ALL (small);
      ALL (triangle);
      ALL (columns);
      ALL (unequal);
    }
  return 0;
}
