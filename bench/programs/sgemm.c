/* sgemm: a matrix product by tiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   C = alpha A B + beta C in float.  As in Parboil's sgemm, A and C are stored by
   columns and B by rows, and a thread has TILE elements of a row of C: with its
   neighbours, which have the other rows, it walks through all of A for TILE
   columns of B.  --inner bounds the work; A then is narrow and B flat.
   Repetitions compute the same again, with the C that is there.  Checked at
   sampled elements in double, to a relative 1e-4: all terms are positive.  */

#include "kernels.h"

#define TOLERANCE 1e-4
#define ALPHA 0.75f
#define BETA 0.5f
#define TILE 16
#define CHECKED 20000	/* Elements, about.  */

/* COLS of C is a multiple of TILE.  */
static void
multiply (const float *a, const float *b, float *c, long rows, long cols,
	  long inner)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long left = 0; left < cols; left += TILE)
    for (long i = 0; i < rows; i++)
      {
	float sum[TILE] = { 0 };
	for (long k = 0; k < inner; k++)
	  {
	    float of_a = a[k * rows + i];
	    for (int j = 0; j < TILE; j++)
	      sum[j] += of_a * b[k * cols + left + j];
	  }
	for (int j = 0; j < TILE; j++)
	  {
	    long at = (left + j) * rows + i;
	    c[at] = ALPHA * sum[j] + BETA * c[at];
	  }
      }
}

static void
run (const struct bench_common *common, const float *a, const float *b,
     float *c, long n, long inner)
{
#pragma omp target data if(!common->unified)                                  \
  map(to: a[0:n * inner], b[0:inner * n]) map(tofrom: c[0:n * n])
  for (uint64_t k = 0; k < common->iterations; k++)
    multiply (a, b, c, n, n, inner);
}

static bool
check (const float *a, const float *b, const float *c, const float *initial,
       long n, long inner, uint64_t iterations)
{
  long stride = n * n / CHECKED + 1;
  for (long at = 0; at < n * n; at += stride)
    {
      double sum = 0, expected = initial[at];
      for (long k = 0; k < inner; k++)
	sum += (double) a[k * n + at % n] * b[k * n + at / n];
      for (uint64_t k = 0; k < iterations; k++)
	expected = ALPHA * sum + BETA * expected;
      if (!bench_near ("element", at, c[at], expected, TOLERANCE, 0))
	return false;
    }
  return true;
}

/* The order of C for which all three matrices take SIZE bytes; *INNER, where
   it is 0, becomes that.  */
static long
order_fit (uint64_t size, long *inner)
{
  double words = size / sizeof (float);
  double n = *inner ? sqrt (words + (double) *inner * *inner) - *inner
		    : sqrt (words / 3);
  long order = (long) (n / TILE) * TILE;
  if (!*inner)
    *inner = order;
  return order;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 12 << 20, .iterations = 1, .seed = 1 };
  uint64_t inner_wanted = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "inner", BENCH_NUMBER, &inner_wanted,
      "columns of A, rows of B; 0: as many as C has" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Multiply matrices by tiles.");
  if (inner_wanted > 1 << 20)
    bench_fatal ("--inner must be at most %d", 1 << 20);
  long inner = inner_wanted, n = order_fit (common.size, &inner);
  if (n < TILE)
    bench_fatal ("--size=%llu is too small for a tile",
		 (unsigned long long) common.size);
  uint64_t footprint = sizeof (float) * (uint64_t) n * (n + 2 * inner);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  uint64_t state = common.seed;
  float *a = bench_floats (unified, n * inner, &state);
  float *b = bench_floats (unified, inner * n, &state);
  float *c = bench_floats (unified, n * n, &state);
  float *initial = bench_alloc (false, n * n * sizeof *initial);
  memcpy (initial, c, n * n * sizeof *c);
  double start = omp_get_wtime ();
  run (&common, a, b, c, n, inner);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check
		 || check (a, b, c, initial, n, inner, common.iterations);
  uint64_t sum = bench_checksum (c, n * n * sizeof *c);
  bench_free (unified, a);
  bench_free (unified, b);
  bench_free (unified, c);
  free (initial);
  return bench_report (&common, footprint, seconds, correct, "order", n, sum);
}
