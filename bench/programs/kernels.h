/* What the small kernels share beyond common.h: input, comparison, footprint.
   SPDX-License-Identifier: GPL-3.0-or-later

   For the programs that stand for the applications of HPE's Table II (Yu et
   al. 2019).  Each is written from the definition of its algorithm; the order
   of accesses is that of its usual parallel form.  */

#pragma once

#include "common.h"

#include <math.h>

/* N numbers in [0, 1), from bench_alloc.  */
static inline float *
bench_floats (bool unified, long n, uint64_t *state)
{
  float *x = bench_alloc (unified, n * sizeof *x);
  for (long i = 0; i < n; i++)
    x[i] = bench_uniform (state);
  return x;
}

/* Is number AT, which is GOT, where it should be, to ABSOLUTE and to RELATIVE
   of what is expected?  Says so if not.  */
static inline bool
bench_near (const char *name, long at, double got, double expected,
	    double relative, double absolute)
{
  /* Written so that a NaN fails too.  */
  bool near = fabs (got - expected) <= absolute + relative * fabs (expected);
  if (!near)
    bench_message ("wrong result: %s %ld is %.7g, not %.7g", name, at, got,
		   expected);
  return near;
}

/* The same of N numbers, the first of which is number AT.  */
static inline bool
bench_close (const char *name, long at, const float *got,
	     const double *expected, long n, double relative, double absolute)
{
  for (long i = 0; i < n; i++)
    if (!bench_near (name, at + i, got[i], expected[i], relative, absolute))
      return false;
  return true;
}

/* Was only the footprint asked for?  Then it is printed.  */
static inline bool
bench_footprint (const struct bench_common *common, uint64_t bytes)
{
  if (common->footprint)
    printf ("%llu\n", (unsigned long long) bytes);
  return common->footprint;
}

/* As bench_result, with one word and a number, and a checksum.  */
static inline int
bench_report (const struct bench_common *common, uint64_t footprint,
	      double seconds, bool correct, const char *word, long number,
	      uint64_t checksum)
{
  char extra[96];
  snprintf (extra, sizeof extra, "%s=%ld checksum=%016llx", word, number,
	    (unsigned long long) checksum);
  return bench_result (common, footprint, seconds, !common->no_check, correct,
		       extra);
}
