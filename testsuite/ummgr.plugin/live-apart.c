/* Helpers that write to one of their parameters write to what another one points to only if some call passes both the
   same.  Would break if data were kept that the host writes, or if nothing were known of data that helpers read.  */
/* { dg-do compile } */

#include <stdlib.h>

extern void unseen (double *);
double *shared;

#define PRAGMA(X) _Pragma (#X)
#define REGION(X, N) PRAGMA (omp target map(tofrom: X[0:N])) X[0]++;

static __attribute__ ((noinline)) void
add (double *sum, const double *x, int n)
{
  for (int i = 0; i < n; i++)
    sum[i] += x[i];
}

/* Through two calls, and a parallel region.  */
static __attribute__ ((noinline)) void
scale (double *to, const double *from, int n)
{
#pragma omp parallel for
  for (int i = 0; i < n; i++)
    to[i] = 2 * from[i];
}

static __attribute__ ((noinline)) void
both (double *to, const double *from, int n)
{
  scale (to, from, n);
  add (to, from, n);
}

void
distinct (int n)
{
  double *sum = calloc (n, sizeof *sum), *kept1 = calloc (n, sizeof *kept1), *kept2 = calloc (n, sizeof *kept2);
  REGION (kept1, n)
  add (sum, kept1, n);
  REGION (kept2, n)
  both (sum, kept2, n);
  free (sum);
  free (kept1);
  free (kept2);
}

/* The same to two parameters, in one call of several, or a part of it.  */
static __attribute__ ((noinline)) void
mix (double *to, const double *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] += from[i];
}

static __attribute__ ((noinline)) void
mix_on (double *to, const double *from, int n)
{
  mix (to, from, n);
}

void
same (int n)
{
  double *sum = calloc (n, sizeof *sum), *twice1 = calloc (n, sizeof *twice1), *twice2 = calloc (n, sizeof *twice2);
  REGION (twice1, n)
  mix_on (sum, twice1, n);
  REGION (twice2, n)
  mix (sum, twice2, n);
  mix_on (twice1, twice1 + n / 2, n / 2);
  free (sum);
  free (twice1);
  free (twice2);
}

/* What two names may mean.  */
static __attribute__ ((noinline)) void
chosen (double *to, const double *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] += from[i];
}

void
swapped (int n)
{
  double *one = calloc (n, sizeof *one), *two = calloc (n, sizeof *two);
  double *swap1 = n > 5 ? one : two, *other = n > 6 ? one : two;
  REGION (swap1, n)
  chosen (other, swap1, n);
  free (one);
  free (two);
}

/* What others get at: a global pointer's memory, what got out, and all of a function that others call.  */
static __attribute__ ((noinline)) void
take (double *to, const double *from, int n)
{
  for (int i = 0; i < n; i++)
    to[i] += from[i];
}

void
foreign (int n)
{
  double *out = calloc (n, sizeof *out), *got = calloc (n, sizeof *got);
  unseen (got);
  REGION (got, n)
  take (out, got, n);
  take (shared, out, n);
  free (out);
  free (got);
}

void
exported (double *to, double *any, int n)
{
  REGION (any, n)
  take (to, to + n, n);
}

/* Recursion: what it passes itself isn't followed.  */
static __attribute__ ((noinline)) void
down (double *to, double *deep, int n)
{
  if (n < 2)
    return;
  REGION (deep, n)
  to[0] = n;
  down (deep, to, n / 2);
}

void
recurse (int n)
{
  double *x = calloc (n, sizeof *x), *y = calloc (n, sizeof *y);
  down (x, y, n);
  free (x);
  free (y);
}

/* { dg-final { scan-ummgr-dump "live kept1 host reads (yes|maybe) writes no" ummgr-tables } } */
/* { dg-final { scan-ummgr-dump "live kept2 host reads (yes|maybe) writes no" ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-not "live (twice1|twice2|swap1|got|any|deep) host reads .* writes no" ummgr-tables } } */
/* { dg-final { scan-ummgr-dump-times "live (twice1|twice2|swap1) host reads .* writes maybe" 3 ummgr-tables } } */
/* SPDX-License-Identifier: GPL-3.0-or-later  */
