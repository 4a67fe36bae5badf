/* gramschmidt: factors Q and R of a matrix by orthogonalising its columns.
   SPDX-License-Identifier: GPL-3.0-or-later

   The job and the three regions of PolyBench's GRAMSCHM, for each column k:
   the column's norm, in one team; column k of Q; and row k of R with what it
   leaves of the columns of A to the right, a thread for each column.  The
   norm is summed by all threads of the team, where PolyBench has one.

   --columns stops after some of the columns, since all of them take the cube
   of the order.  Repetitions take other matrices.  These have a heavy
   diagonal, since the method loses orthogonality with the condition.  Checked
   by the product of the factors for a random sample of the elements and by
   the orthogonality of sampled columns, to 1e-4 of a column's norm.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4
#define CHECKED 1024
#define PAIRS_CHECKED 64

struct factors
{
  long n, columns;		/* Order; columns done.  */
  float *a, *r, *q;		/* [n][n]; A is overwritten.  */
};

static void
column_norm (const float *a, float *r, long n, long k)
{
#pragma omp target
  {
    float norm = 0;
#pragma omp parallel for reduction(+: norm)
    for (long i = 0; i < n; i++)
      norm += a[i * n + k] * a[i * n + k];
    r[k * n + k] = sqrtf (norm);
  }
}

static void
column_scale (const float *a, const float *r, float *q, long n, long k)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    q[i * n + k] = a[i * n + k] / r[k * n + k];
}

static void
columns_project (float *a, float *r, const float *q, long n, long k)
{
#pragma omp target teams distribute parallel for
  for (long j = k + 1; j < n; j++)
    {
      r[k * n + j] = 0;
      for (long i = 0; i < n; i++)
	r[k * n + j] += q[i * n + k] * a[i * n + j];
      for (long i = 0; i < n; i++)
	a[i * n + j] -= q[i * n + k] * r[k * n + j];
    }
}

/* What is left of Q and R stays zero, so they go there too, not only back.  */
static void
factorise (const struct factors *factors, bool unified)
{
  long n = factors->n;
  float *a = factors->a, *r = factors->r, *q = factors->q;
#pragma omp target data if(!unified)                                          \
  map(tofrom: a[0:n * n], r[0:n * n], q[0:n * n])
  for (long k = 0; k < factors->columns; k++)
    {
      column_norm (a, r, n, k);
      column_scale (a, r, q, n, k);
      columns_project (a, r, q, n, k);
    }
}

/* Element INDEX of matrix number K; by its place, so that the check needs no
   copy of the matrix.  */
static float
initial (uint64_t seed, uint64_t k, long n, long index)
{
  uint64_t state = seed + (k << 32) + UINT64_C (0x9e3779b97f4a7c15) * index;
  float diagonal = index % (n + 1) ? 0 : 2 * sqrtf (n);
  return 2 * (float) bench_uniform (&state) - 1 + diagonal;
}

static bool
check_product (const struct factors *factors, uint64_t seed, uint64_t number)
{
  long n = factors->n;
  uint64_t state = seed;
  for (int sample = 0; sample < CHECKED; sample++)
    {
      long i = bench_below (&state, n), j = bench_below (&state, n);
      long end = j < factors->columns ? j + 1 : factors->columns;
      double sum = j < factors->columns ? 0 : factors->a[i * n + j];
      for (long k = 0; k < end; k++)
	sum += (double) factors->q[i * n + k] * factors->r[k * n + j];
      double expected = initial (seed, number, n, i * n + j);
      /* Written so that a NaN fails too.  */
      if (!(fabs (sum - expected) <= TOLERANCE * sqrt (n)))
	{
	  bench_message ("wrong result: element %ld, %ld of the factors' "
			 "product is %.7g, not %.7g", i, j, sum, expected);
	  return false;
	}
    }
  return true;
}

static bool
check_orthogonal (const struct factors *factors, uint64_t seed)
{
  long n = factors->n;
  uint64_t state = seed;
  for (int pair = 0; pair < PAIRS_CHECKED; pair++)
    {
      long j = bench_below (&state, factors->columns);
      long other = bench_below (&state, factors->columns);
      /* Itself, its neighbour, any.  */
      long k = pair % 3 == 2 ? other : (j + pair % 3) % factors->columns;
      double sum = 0;
      for (long i = 0; i < n; i++)
	sum += (double) factors->q[i * n + j] * factors->q[i * n + k];
      if (!(fabs (sum - (j == k)) <= TOLERANCE))
	{
	  bench_message ("wrong result: columns %ld and %ld of Q have the "
			 "product %.7g", j, k, sum);
	  return false;
	}
    }
  return true;
}

/* Factorise matrix after matrix; SECONDS is the time of that alone.  */
static bool
run (const struct bench_common *common, const struct factors *factors,
     double *seconds)
{
  long n = factors->n;
  bool correct = true;
  for (uint64_t k = 0; k < common->iterations && correct; k++)
    {
      for (long i = 0; i < n * n; i++)
	{
	  factors->a[i] = initial (common->seed, k, n, i);
	  factors->r[i] = factors->q[i] = 0;
	}
      double start = omp_get_wtime ();
      factorise (factors, common->unified);
      *seconds += omp_get_wtime () - start;
      correct = common->no_check
		|| (check_product (factors, common->seed, k)
		    && check_orthogonal (factors, common->seed));
    }
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 2 << 20, .iterations = 1, .seed = 1 };
  uint64_t order = 0, columns = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "order", BENCH_NUMBER, &order, "of the matrix; 0: from --size" },
    { "columns", BENCH_NUMBER, &columns, "to orthogonalise; 0: all" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Orthogonalise the columns of a matrix.");
  long n = order ? (long) order
		 : (long) sqrt (common.size / (3.0 * sizeof (float)));
  if (n < 1 || n > 1 << 20)
    bench_fatal ("the matrix's order must be between 1 and %d, not %ld (see "
		 "--order and --size)", 1 << 20, n);
  if (columns > (uint64_t) n)
    bench_fatal ("--columns=%llu: the matrix has %ld",
		 (unsigned long long) columns, n);
  uint64_t footprint = 3 * sizeof (float) * (uint64_t) n * n;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  struct factors factors = { .n = n, .columns = columns ? (long) columns : n };
  float **const arrays[] = { &factors.a, &factors.r, &factors.q };
  for (int f = 0; f < 3; f++)
    {
      *arrays[f] = bench_alloc (common.unified, n * n * sizeof (float));
      memset (*arrays[f], 0, n * n * sizeof (float));
    }
  double seconds = 0;
  bool correct = run (&common, &factors, &seconds);
  uint64_t sums = bench_checksum (factors.r, n * n * sizeof (float)) * 31
		  + bench_checksum (factors.q, n * n * sizeof (float));
  char extra[128];
  snprintf (extra, sizeof extra, "order=%ld columns=%ld checksum=%016llx", n,
	    factors.columns, (unsigned long long) sums);
  for (int f = 0; f < 3; f++)
    bench_free (common.unified, *arrays[f]);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
