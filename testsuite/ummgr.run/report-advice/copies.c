/* What ummgr report proposes for copies, CASE by CASE, and with MENDED the same program as it
   proposes: report-advice.exp compares both.  Each prints all that its host sees.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include <stdio.h>
#include <stdlib.h>

enum { N = 32768, STEPS = 6 };

static int *a, *b;
static volatile int zero, one = 1;

static long
sum_of (const int *x)
{
  long sum = 0;
  for (int i = 0; i < N; i++)
    sum = sum * 31 + x[i];
  return sum;
}

/* Not used in this run, though the region names it.  */
static void
unused (void)
{
  int use = zero;
#ifdef MENDED
#pragma omp target map(tofrom: b[0:N])
#else
#pragma omp target map(to: a[0:N]) map(tofrom: b[0:N])
#endif
  for (int i = 0; i < N; i++)
    b[i] += use ? a[i] : i;
}

/* Copied when there is nothing in it yet.  */
static void
unused_yet (void)
{
#ifdef MENDED
#pragma omp target enter data map(alloc: a[0:N])
#else
#pragma omp target enter data map(to: a[0:N])
#endif
  for (int i = 0; i < N; i++)
    a[i] = 3 * i;
#pragma omp target update to(a[0:N])
#pragma omp target map(tofrom: b[0:N])
  for (int i = 0; i < N; i++)
    b[i] += a[i];
#pragma omp target exit data map(release: a[0:N])
}

/* Only the first half is used.  */
static void
unused_part (void)
{
  int n = N / 2 * one;
#ifdef MENDED
#pragma omp target map(to: a[0:16384]) map(tofrom: b[0:N])
#else
#pragma omp target map(to: a[0:N]) map(tofrom: b[0:N])
#endif
  for (int i = 0; i < n; i++)
    b[i] += a[i];
}

/* Of what comes back, too.  */
static void
unused_part_back (void)
{
  int n = N / 2 * one;
#ifdef MENDED
#pragma omp target map(tofrom: a[0:16384])
#else
#pragma omp target map(tofrom: a[0:N])
#endif
  for (int i = 0; i < n; i++)
    a[i] = a[i] * 3 + i;
}

/* And comes back from where it was not used.  */
static void
unused_entered (void)
{
  int use = zero;
#ifndef MENDED
#pragma omp target enter data map(to: a[0:N])
#endif
#pragma omp target map(tofrom: b[0:N])
  for (int i = 0; i < N; i++)
    b[i] += use ? a[i] : i;
#ifndef MENDED
#pragma omp target exit data map(from: a[0:N])
#endif
}

static void
overwritten (void)
{
#ifdef MENDED
#pragma omp target map(from: a[0:N]) map(tofrom: b[0:N])
#else
#pragma omp target map(tofrom: a[0:N]) map(tofrom: b[0:N])
#endif
  for (int i = 0; i < N; i++)
    {
      a[i] = 5 * i;
      b[i] += a[i];
    }
}

/* By enter and exit data, which have no tofrom.  */
static void
overwritten_entered (void)
{
#ifdef MENDED
#pragma omp target enter data map(alloc: a[0:N])
#else
#pragma omp target enter data map(to: a[0:N])
#endif
#pragma omp target map(tofrom: b[0:N])
  for (int i = 0; i < N; i++)
    {
      a[i] = 5 * i;
      b[i] += a[i];
    }
#pragma omp target exit data map(from: a[0:N])
}

/* The first half; of the other a part is read, and all of it comes back.  */
static void
overwritten_part (void)
{
  int n = N / 2 * one;
#ifdef MENDED
#pragma omp target data map(from: a[0:N]) map(tofrom: b[0:N])
  {
#pragma omp target update to(a[16384:16384])
#else
#pragma omp target data map(tofrom: a[0:N]) map(tofrom: b[0:N])
  {
#endif
#pragma omp target
    for (int i = 0; i < n; i++)
      {
	a[i] = i;
	if (i > n / 10)
	  b[i] += a[n + i];
      }
  }
}

static void
unchanged (void)
{
#ifdef MENDED
#pragma omp target map(to: a[0:N]) map(tofrom: b[0:N])
#else
#pragma omp target map(tofrom: a[0:N]) map(tofrom: b[0:N])
#endif
  for (int i = 0; i < N; i++)
    b[i] += a[i];
}

static void
unchanged_entered (void)
{
#pragma omp target enter data map(to: a[0:N])
#pragma omp target map(tofrom: b[0:N])
  for (int i = 0; i < N; i++)
    b[i] += a[i];
#ifdef MENDED
#pragma omp target exit data map(release: a[0:N])
#else
#pragma omp target exit data map(from: a[0:N])
#endif
}

static void
unchanged_part (void)
{
  int n = N / 4 * one;
#ifdef MENDED
#pragma omp target data map(to: a[0:N]) map(tofrom: b[0:N])
  {
#else
#pragma omp target data map(tofrom: a[0:N]) map(tofrom: b[0:N])
  {
#endif
#pragma omp target
    for (int i = 0; i < n; i++)
      {
	a[i]++;
	b[i] += a[n + i] + a[2 * n + i] + a[3 * n + i];
      }
#ifdef MENDED
#pragma omp target update from(a[0:8192])
#endif
  }
}

static void
duplicate (void)
{
#ifdef MENDED
#pragma omp target data map(to: a[0:N])
#endif
  for (int t = 0; t < STEPS; t++)
    {
#pragma omp target map(to: a[0:N]) map(tofrom: b[0:N])
      for (int i = 0; i < N; i++)
	b[i] = b[i] * 3 + a[i];
      b[t]++;
    }
}

/* Twice the host has changed it.  */
static void
duplicate_mostly (void)
{
#ifdef MENDED
#pragma omp target data map(to: a[0:N])
#endif
  for (int t = 0; t < STEPS; t++)
    {
      if (t % 3 == 2)
	{
	  a[t]++;
#ifdef MENDED
#pragma omp target update to(a[0:N])
#endif
	}
#pragma omp target map(to: a[0:N]) map(tofrom: b[0:N])
      for (int i = 0; i < N; i++)
	b[i] = b[i] * 3 + a[i];
      b[t]++;
    }
}

/* The data construct's copy is of no use: the first update brings all again.  */
static void
duplicate_update (void)
{
#ifdef MENDED
#pragma omp target data map(alloc: a[0:N])
#else
#pragma omp target data map(to: a[0:N])
#endif
  for (int t = 0; t < STEPS; t++)
    {
      if (t == 4)
	a[t]++;
#ifdef MENDED
      if (t == 0 || t == 4)
#endif
	{
#pragma omp target update to(a[0:N])
	}
#pragma omp target map(tofrom: b[0:N])
      for (int i = 0; i < N; i++)
	b[i] = b[i] * 3 + a[i];
      b[t]++;
    }
}

/* The update's copy is overwritten.  */
static void
overwritten_update (void)
{
#pragma omp target data map(to: a[0:N])
  {
#pragma omp target map(tofrom: b[0:N])
    for (int i = 0; i < N; i++)
      b[i] += a[i];
    a[5] = 6;
#ifndef MENDED
#pragma omp target update to(a[0:N])
#endif
#pragma omp target map(tofrom: b[0:N])
    for (int i = 0; i < N; i++)
      {
	a[i] = i;
	b[i] += a[i];
      }
  }
}

static void
round_trip (void)
{
#ifdef MENDED
#pragma omp target data map(tofrom: a[0:N])
#endif
  for (int t = 0; t < STEPS; t++)
    {
#pragma omp target map(tofrom: a[0:N])
      for (int i = 0; i < N; i++)
	a[i] = a[i] * 3 + i;
    }
}

/* Whose host looks at it and, once, changes it.  */
static void
round_trip_seen (void)
{
  long sum = 0;
#ifdef MENDED
#pragma omp target data map(tofrom: a[0:N])
#endif
  for (int t = 0; t < STEPS; t++)
    {
#pragma omp target map(tofrom: a[0:N])
      for (int i = 0; i < N; i++)
	a[i] = a[i] * 3 + i;
#ifdef MENDED
#pragma omp target update from(a[0:N])
#endif
      sum = sum * 3 + a[t];
      if (t == 3)
	{
	  a[t] = 7;
#ifdef MENDED
#pragma omp target update to(a[0:N])
#endif
	}
    }
  printf ("seen %ld\n", sum);
}

/* Its first use is launches later; the host changes it before.  */
static void
early (void)
{
  int other = 1;
#ifdef MENDED
#pragma omp target data map(alloc: a[0:N]) map(tofrom: b[0:N])
#else
#pragma omp target data map(to: a[0:N]) map(tofrom: b[0:N])
#endif
  {
    for (int t = 0; t < STEPS; t++)
      {
#ifdef MENDED
	if (t == STEPS - 1)
	  {
#pragma omp target update to(a[0:N]) nowait depend(out: a[0:N])
	  }
#endif
#pragma omp target
	for (int i = 0; i < N; i++)
	  b[i] += 2;
      }
#ifdef MENDED
#pragma omp target depend(in: a[0:N])
#else
#pragma omp target
#endif
    for (int i = 0; i < N; i++)
      b[i] += a[i];
    other++;
  }
  printf ("other %d\n", other);
}

/* Each launch uses another eighth.  */
static void
overlap (void)
{
  enum { PART = N / 8 };
#ifdef MENDED
#pragma omp target data map(alloc: a[0:N]) map(tofrom: b[0:N])
#else
#pragma omp target data map(to: a[0:N]) map(tofrom: b[0:N])
#endif
  {
#ifdef MENDED
#pragma omp target update to(a[0:PART]) nowait depend(out: a[0])
#endif
    for (int p = 0; p < 8; p++)
      {
#ifdef MENDED
	if (p < 7)
	  {
#pragma omp target update to(a[(p + 1) * PART:PART]) nowait depend(out: a[(p + 1) * PART])
	  }
#pragma omp target depend(in: a[p * PART])
#else
#pragma omp target
#endif
	for (int i = p * PART; i < (p + 1) * PART; i++)
	  b[i] += a[i];
      }
  }
}

/* Never used on the device, nor copied.  */
static void
unused_allocation (void)
{
  int use = zero;
#ifdef MENDED
#pragma omp target map(tofrom: b[0:N])
#else
#pragma omp target map(alloc: a[0:N]) map(tofrom: b[0:N])
#endif
  for (int i = 0; i < N; i++)
    b[i] += use ? a[i] : i;
}

int
main (void)
{
  a = malloc (N * sizeof *a);
  b = malloc (N * sizeof *b);
  for (int i = 0; i < N; i++)
    {
      a[i] = i * 7 + 1;
      b[i] = i % 11;
    }
  CASE ();
  printf ("sums %ld %ld\n", sum_of (a), sum_of (b));
  free (a);
  free (b);
  return 0;
}
