/* vadd: element-wise sum of two vectors, the smallest streaming workload.
   SPDX-License-Identifier: GPL-3.0-or-later

   Every iteration is one target region that maps its own data, as code that
   was never tuned for data motion does.  The inputs are whole numbers small
   enough for float, so the result must be exact.  */

#include "common.h"

static void
add_mapped (const float *a, const float *b, float *c, long n)
{
#pragma omp target teams distribute parallel for                             \
  map(to: a[0:n], b[0:n]) map(from: c[0:n])
  for (long i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

static void
add_unified (const float *a, const float *b, float *c, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    c[i] = a[i] + b[i];
}

static bool
check (const float *a, const float *b, const float *c, long n)
{
  for (long i = 0; i < n; i++)
    if (c[i] != a[i] + b[i])
      {
	bench_message ("wrong result: c[%ld] is %g, not %g", i, c[i],
		       a[i] + b[i]);
	return false;
      }
  return true;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t elements = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "elements", BENCH_NUMBER, &elements, "of each vector; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Add two vectors in a target region and check the sum.");
  long n = elements ? elements : common.size / (3 * sizeof (float));
  if (n < 1)
    bench_fatal ("--size=%llu is too small: each element takes %zu bytes",
		 (unsigned long long) common.size, 3 * sizeof (float));
  uint64_t footprint = 3 * sizeof (float) * (uint64_t) n;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *a = bench_alloc (common.unified, n * sizeof *a);
  float *b = bench_alloc (common.unified, n * sizeof *b);
  float *c = bench_alloc (common.unified, n * sizeof *c);
  uint64_t state = common.seed;
  for (long i = 0; i < n; i++)
    {
      a[i] = bench_below (&state, 1 << 20);
      b[i] = bench_below (&state, 1 << 20);
      c[i] = -1;
    }

  double start = omp_get_wtime ();
  for (uint64_t k = 0; k < common.iterations; k++)
    if (common.unified)
      add_unified (a, b, c, n);
    else
      add_mapped (a, b, c, n);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || common.iterations == 0
		 || check (a, b, c, n);
  char extra[96];
  snprintf (extra, sizeof extra, "elements=%ld checksum=%016llx", n,
	    (unsigned long long) bench_checksum (c, n * sizeof *c));
  bench_free (common.unified, a);
  bench_free (common.unified, b);
  bench_free (common.unified, c);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
