/* decide: launches over several GPUs that each use 64 objects.
   SPDX-License-Identifier: GPL-3.0-or-later

   What deciding where they lie takes the library's statistics say.  Three quarters of the
   arrays are iterations' own, and a quarter is shared.  Iterations are STEP elements apart, so
   that a launch over pages takes little time.  */

#include "common.h"

#ifndef STEP
# define STEP 512
#endif

#define EACH(X)                                                                                   \
  X (0) X (1) X (2) X (3) X (4) X (5) X (6) X (7) X (8) X (9) X (10) X (11) X (12) X (13) X (14)    \
  X (15)
#define DECLARE(I) double *a##I = get (n), *b##I = get (n), *c##I = get (4 * n), *d##I = get (n);
#define RELEASE(I) free (a##I), free (b##I), free (c##I), free (d##I);
#define USE(I) a##I[i] = 2 * b##I[i] + c##I[4 * i + 1] + d##I[i % m];
#define CHECK(I)                                                                                  \
  for (uint64_t i = 0; i < n; i += STEP)                                                          \
    wrong += a##I[i] != 2 * (double) i + (4 * i + 1) + i % m;
#define FROM(I) a##I[0:n]
#define MAPS(I) b##I[0:n], c##I[0:4 * n], d##I[0:n]
#define ALL(X)                                                                                    \
  X (0), X (1), X (2), X (3), X (4), X (5), X (6), X (7), X (8), X (9), X (10), X (11), X (12),     \
  X (13), X (14), X (15)

static double *
get (uint64_t n)
{
  double *p = bench_alloc (false, n * sizeof *p);
  for (uint64_t i = 0; i < n; i++)
    p[i] = i;
  return p;
}

int
main (int argc, char **argv)
{
  uint64_t n = 131072, m = 64, launches = 20, wrong = 0;
  const struct bench_option options[] = {
    { "elements", BENCH_NUMBER, &n, "of most arrays" },
    { "launches", BENCH_NUMBER, &launches, "of the same region" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Launch a region that uses 64 arrays.");
  if (n < 1)
    bench_fatal ("--elements must be at least 1");
  EACH (DECLARE)
#pragma omp target data map(from: ALL (FROM)) map(to: ALL (MAPS))
  for (uint64_t k = 0; k < launches; k++)
    {
#pragma omp target teams distribute parallel for
      for (uint64_t i = 0; i < n; i += STEP)
	{
	  EACH (USE)
	}
    }
  EACH (CHECK)
  EACH (RELEASE)
  if (wrong)
    bench_message ("wrong result: %llu elements", (unsigned long long) wrong);
  return wrong != 0;
}
