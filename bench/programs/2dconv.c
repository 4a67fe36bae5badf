/* 2dconv: a three by three filter over a matrix.
   SPDX-License-Identifier: GPL-3.0-or-later

   The job, the weights and the single region of PolyBench's 2DCONV; the
   outermost rows and columns of the result stay as they were.  Repetitions
   compute the same again.  Checked against the host in double, to an absolute
   1e-5: elements are of order 1, in float.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-5

/* [row][column] of the filter.  The sum is written out below, since the point
   of the program is nine references to one matrix.  */
static const float weight[3][3] = { { 0.2f, -0.3f, 0.4f },
				    { 0.5f, 0.6f, 0.7f },
				    { -0.8f, -0.9f, 0.1f } };

static void
convolve (const float *a, float *b, long n)
{
  const float c11 = weight[0][0], c12 = weight[0][1], c13 = weight[0][2];
  const float c21 = weight[1][0], c22 = weight[1][1], c23 = weight[1][2];
  const float c31 = weight[2][0], c32 = weight[2][1], c33 = weight[2][2];
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      b[i * n + j]
	= c11 * a[(i - 1) * n + j - 1] + c12 * a[(i - 1) * n + j]
	  + c13 * a[(i - 1) * n + j + 1]
	  + c21 * a[i * n + j - 1] + c22 * a[i * n + j]
	  + c23 * a[i * n + j + 1]
	  + c31 * a[(i + 1) * n + j - 1] + c32 * a[(i + 1) * n + j]
	  + c33 * a[(i + 1) * n + j + 1];
}

/* The border of B isn't written, so B goes there too, not only back.  */
static void
run (const float *a, float *b, long n, uint64_t iterations, bool unified)
{
#pragma omp target data if(!unified) map(to: a[0:n * n]) map(tofrom: b[0:n * n])
  for (uint64_t k = 0; k < iterations; k++)
    convolve (a, b, n);
}

static double
filtered (const float *a, long n, long i, long j)
{
  double sum = 0;
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++)
      sum += (double) weight[r][c] * a[(i + r - 1) * n + j + c - 1];
  return sum;
}

static bool
check (const float *a, const float *b, long n)
{
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      {
	bool border = i == 0 || j == 0 || i == n - 1 || j == n - 1;
	double expected = border ? 0 : filtered (a, n, i, j);
	if (!(fabs (b[i * n + j] - expected) <= TOLERANCE))
	  {
	    bench_message ("wrong result: element %ld, %ld is %.7g, not %.7g",
			   i, j, b[i * n + j], expected);
	    return false;
	  }
      }
  return true;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t order = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "order", BENCH_NUMBER, &order, "of the matrices; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Filter a matrix in a target region.");
  long n = order ? (long) order
		 : (long) sqrt (common.size / (2.0 * sizeof (float)));
  if (n < 3 || n > 1 << 20)
    bench_fatal ("the matrices' order must be between 3 and %d, not %ld (see "
		 "--order and --size)", 1 << 20, n);
  uint64_t footprint = 2 * sizeof (float) * (uint64_t) n * n;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *a = bench_alloc (common.unified, n * n * sizeof *a);
  float *b = bench_alloc (common.unified, n * n * sizeof *b);
  uint64_t state = common.seed;
  for (long k = 0; k < n * n; k++)
    {
      a[k] = bench_uniform (&state);
      b[k] = 0;
    }

  double start = omp_get_wtime ();
  run (a, b, n, common.iterations, common.unified);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || common.iterations == 0 || check (a, b, n);
  char extra[96];
  snprintf (extra, sizeof extra, "order=%ld checksum=%016llx", n,
	    (unsigned long long) bench_checksum (b, n * n * sizeof *b));
  bench_free (common.unified, a);
  bench_free (common.unified, b);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
