/* What the programs that write.awk writes share: options, arrays, comparison.
   SPDX-License-Identifier: GPL-3.0-or-later

   A program fills its arrays, runs its regions, runs the same loops on the host on copies of what
   they write, and compares.  All arrays are mapped by clauses; there is no --unified.  */

#pragma once

#include "programs/kernels.h"

struct shape
{
  struct bench_common common;
  uint64_t state;	/* Of random numbers.  */
  uint64_t footprint;	/* Bytes of all arrays.  */
};

static inline void
shape_parse (struct shape *s, int argc, char **argv, const char *about)
{
  const struct bench_option options[] = {
    { "size", BENCH_SIZE, &s->common.size, "bytes of data, with K, M or G" },
    { "iterations", BENCH_NUMBER, &s->common.iterations, "how often to repeat" },
    { "seed", BENCH_NUMBER, &s->common.seed, "of the generated input" },
    { "footprint", BENCH_SWITCH, &s->common.footprint, "print the bytes of data and stop" },
    { "no-check", BENCH_SWITCH, &s->common.no_check, "skip the comparison with the host" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, about);
  if (s->common.size > UINT64_C (1) << 40)
    bench_fatal ("--size=%llu is too large", (unsigned long long) s->common.size);
  s->state = s->common.seed;
}

/* Is what --size gives VALUE of, at least LEAST?  Else the program ends.  */
static inline void
shape_least (const struct shape *s, const char *name, long value, long least)
{
  if (value < least)
    bench_fatal ("--size=%llu is too small: %s is %ld, and must be at least %ld",
		 (unsigned long long) s->common.size, name, value, least);
}

/* An array of SIZE bytes, which counts as data.  */
static inline void *
shape_new (struct shape *s, size_t size)
{
  s->footprint += size;
  return bench_alloc (false, size);
}

static inline void *
shape_copy (const void *from, size_t size)
{
  return memcpy (bench_alloc (false, size), from, size);
}

/* The numbers below N in random order, each once.  */
static inline void
shape_permute (int *to, long n, uint64_t *state)
{
  for (long i = 0; i < n; i++)
    {
      long j = bench_below (state, i + 1);
      to[i] = to[j];
      to[j] = i;
    }
}

/* A number below N that is at most WINDOW from I.  */
static inline long
shape_near (long i, long window, long n, uint64_t *state)
{
  long at = i - window + (long) bench_below (state, 2 * window + 1);
  return at < 0 ? 0 : at >= n ? n - 1 : at;
}

/* Are N numbers those of the host, to TOLERANCE of each, or of 1 where it is less?  */
static inline bool
shape_close_double (const char *name, const double *got, const double *expected, long n, double tolerance)
{
  for (long i = 0; i < n; i++)
    if (!bench_near (name, i, got[i], expected[i], tolerance, tolerance))
      return false;
  return true;
}

static inline bool
shape_close_float (const char *name, const float *got, const float *expected, long n, double tolerance)
{
  for (long i = 0; i < n; i++)
    if (!bench_near (name, i, got[i], expected[i], tolerance, tolerance))
      return false;
  return true;
}

static inline bool
shape_close_int (const char *name, const int *got, const int *expected, long n, double tolerance)
{
  for (long i = 0; i < n; i++)
    if (!bench_near (name, i, got[i], expected[i], tolerance, 0))
      return false;
  return true;
}
