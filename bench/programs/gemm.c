/* gemm: C = alpha A B + beta C.
   SPDX-License-Identifier: GPL-3.0-or-later

   The job and the single region of PolyBench's GEMM: one thread for each
   element of C, which goes along a row of A and down a column of B.  With
   --inner the matrices A and B are thin, and the work for a given number of
   bytes is less.  Checked against the host in double for a random sample of
   the elements, to a relative 1e-4: all terms are positive, in float.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4
#define ALPHA 1.5f
#define BETA 1.2f
#define CHECKED 1024

struct shape
{
  long n, inner;		/* C is n by n, A n by inner, B inner by n.  */
};

static void
multiply (const float *a, const float *b, float *c, long n, long inner)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	c[i * n + j] *= BETA;
	for (long k = 0; k < inner; k++)
	  c[i * n + j] += ALPHA * a[i * inner + k] * b[k * n + j];
      }
}

static void
run (const float *a, const float *b, float *c, struct shape shape,
     uint64_t iterations, bool unified)
{
  long n = shape.n, inner = shape.inner;
#pragma omp target data if(!unified) map(to: a[0:n * inner], b[0:inner * n])  \
  map(tofrom: c[0:n * n])
  for (uint64_t k = 0; k < iterations; k++)
    multiply (a, b, c, n, inner);
}

/* Element INDEX of C before the first repetition; by its place, so that the
   check needs no copy of the matrix.  */
static float
initial (uint64_t seed, long index)
{
  uint64_t state = ~seed + UINT64_C (0x9e3779b97f4a7c15) * index;
  return bench_uniform (&state);
}

static bool
check (const float *a, const float *b, const float *c, struct shape shape,
       const struct bench_common *common)
{
  uint64_t state = common->seed;
  for (int sample = 0; sample < CHECKED; sample++)
    {
      long i = bench_below (&state, shape.n), j = bench_below (&state, shape.n);
      double sum = 0, expected = initial (common->seed, i * shape.n + j);
      for (long k = 0; k < shape.inner; k++)
	sum += (double) a[i * shape.inner + k] * b[k * shape.n + j];
      for (uint64_t k = 0; k < common->iterations; k++)
	expected = BETA * expected + ALPHA * sum;
      float got = c[i * shape.n + j];
      /* Written so that a NaN fails too.  */
      if (!(fabs (got - expected) <= TOLERANCE * expected))
	{
	  bench_message ("wrong result: element %ld, %ld is %.7g, not %.7g", i,
			 j, got, expected);
	  return false;
	}
    }
  return true;
}

/* The largest matrices of BYTES in all; INNER is 0 for square ones.  */
static struct shape
shape_for (uint64_t bytes, uint64_t inner)
{
  double elements = bytes / (double) sizeof (float), half = inner;
  struct shape shape;
  shape.n = inner ? sqrt (elements + half * half) - half : sqrt (elements / 3);
  shape.inner = inner ? (long) inner : shape.n;
  return shape;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 2 << 20, .iterations = 1, .seed = 1 };
  uint64_t inner = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "inner", BENCH_NUMBER, &inner, "columns of A; 0: all matrices square" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Multiply two matrices.");
  if (inner > 1 << 20)
    bench_fatal ("--inner=%llu: at most %d", (unsigned long long) inner,
		 1 << 20);
  struct shape shape = shape_for (common.size, inner);
  long n = shape.n;
  if (n < 1 || n > 1 << 20)
    bench_fatal ("the order of C must be between 1 and %d, not %ld (see --size "
		 "and --inner)", 1 << 20, n);
  inner = shape.inner;
  uint64_t footprint = sizeof (float) * ((uint64_t) n * n + 2 * n * inner);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *a = bench_alloc (common.unified, n * inner * sizeof *a);
  float *b = bench_alloc (common.unified, inner * n * sizeof *b);
  float *c = bench_alloc (common.unified, n * n * sizeof *c);
  uint64_t state = common.seed;
  for (uint64_t k = 0; k < n * inner; k++)
    {
      a[k] = bench_uniform (&state);
      b[k] = bench_uniform (&state);
    }
  for (long k = 0; k < n * n; k++)
    c[k] = initial (common.seed, k);

  double start = omp_get_wtime ();
  run (a, b, c, shape, common.iterations, common.unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (a, b, c, shape, &common);
  char extra[128];
  snprintf (extra, sizeof extra, "order=%ld inner=%ld checksum=%016llx", n,
	    shape.inner,
	    (unsigned long long) bench_checksum (c, n * n * sizeof *c));
  bench_free (common.unified, a);
  bench_free (common.unified, b);
  bench_free (common.unified, c);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
