/* gaussian: a system of linear equations by Gaussian elimination.
   SPDX-License-Identifier: GPL-3.0-or-later

   For each column T, region 1 computes the multipliers of the rows below (and
   zeros for those that are done) and applies them to the right-hand side,
   region 2 subtracts the multiples of row T; the host substitutes back.  There
   is no pivoting: the matrices are diagonally dominant.

   The naive variant copies the host's zeroed m_cuda to the device, as
   Rodinia's CUDA version does, where every element is overwritten before it is
   read; the remedied one only allocates it there.  Checked by the residual of
   the solution in double, and by multiplying the factors for some of the
   rows, to 1e-4 of the row's sum.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4
#define ROWS_CHECKED 16

/* Multipliers of column T, [ROW][COLUMN] as all matrices here.  */
static void
multipliers (float *m, const float *a, float *b, long n, long t)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    if (i > t)
      {
	float factor = a[i * n + t] / a[t * n + t];
	m[i * n + t] = factor;
	b[i] -= factor * b[t];
      }
    else
      m[i * n + t] = 0;
}

static void
eliminate (const float *m, float *a, long n, long t)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = t + 1; i < n; i++)
    for (long j = t; j < n; j++)
      a[i * n + j] -= m[i * n + t] * a[t * n + j];
}

/* Triangular form of A_CUDA, with B_CUDA; the multipliers are in M_CUDA.  */
static void
forward (float *m_cuda, float *a_cuda, float *b_cuda, long n, bool mapped,
	 bool remedied)
{
  bool initial = mapped && !remedied;
#pragma omp target enter data if(mapped) map(alloc: m_cuda[0:n * n],         \
  a_cuda[0:n * n], b_cuda[0:n])
#pragma omp target update if(initial) to(m_cuda[0:n * n])
#pragma omp target update if(mapped) to(a_cuda[0:n * n], b_cuda[0:n])
  for (long t = 0; t < n - 1; t++)
    {
      multipliers (m_cuda, a_cuda, b_cuda, n, t);
      eliminate (m_cuda, a_cuda, n, t);
    }
  /* The last column has no rows below it, but is part of the factor.  */
  multipliers (m_cuda, a_cuda, b_cuda, n, n - 1);
#pragma omp target update if(mapped) from(m_cuda[0:n * n], a_cuda[0:n * n],  \
  b_cuda[0:n])
#pragma omp target exit data if(mapped) map(delete: m_cuda[0:n * n],         \
  a_cuda[0:n * n], b_cuda[0:n])
}

static void
substitute_back (const float *a, const float *b, float *x, long n)
{
  for (long i = n - 1; i >= 0; i--)
    {
      float sum = b[i];
      for (long j = i + 1; j < n; j++)
	sum -= a[i * n + j] * x[j];
      x[i] = sum / a[i * n + i];
    }
}

/* System number K of SEED; the elements are in a fixed order, row by row, and
   B, where wanted, follows.  */
static void
system_make (float *a, float *b, long n, uint64_t seed, uint64_t k)
{
  uint64_t state = seed + (k << 32);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      a[i * n + j] = bench_uniform (&state) - 0.5 + (i == j ? n : 0);
  for (long i = 0; i < n; i++)
    b[i] = n * (bench_uniform (&state) - 0.5);
}

/* |A x - b| <= tolerance * |b|, by rows.  */
static bool
check_residual (const float *a, const float *b, const float *x, long n)
{
  for (long i = 0; i < n; i++)
    {
      double sum = 0;
      for (long j = 0; j < n; j++)
	sum += (double) a[i * n + j] * x[j];
      if (!(fabs (sum - b[i]) <= TOLERANCE * n))
	{
	  bench_message ("wrong result: row %ld of the product is %.7g, not "
			 "%.7g", i, sum, b[i]);
	  return false;
	}
    }
  return true;
}

/* (1 + M) U == A, for some rows.  */
static bool
check_factors (const float *m, const float *u, const float *a, long n)
{
  long step = n / ROWS_CHECKED ? n / ROWS_CHECKED : 1;
  for (long i = 0; i < n; i += step)
    for (long j = 0; j < n; j++)
      {
	double sum = i <= j ? u[i * n + j] : 0;
	for (long k = 0; k < i && k <= j; k++)
	  sum += (double) m[i * n + k] * u[k * n + j];
	if (!(fabs (sum - a[i * n + j]) <= TOLERANCE * n))
	  {
	    bench_message ("wrong result: element %ld, %ld of the factors' "
			   "product is %.7g, not %.7g", i, j, sum,
			   a[i * n + j]);
	    return false;
	  }
      }
  return true;
}

static bool
check (const float *m, const float *u, const float *x, long n, uint64_t seed,
       uint64_t k)
{
  float *a = bench_alloc (false, n * n * sizeof *a);
  float *b = bench_alloc (false, n * sizeof *b);
  system_make (a, b, n, seed, k);
  bool correct = check_residual (a, b, x, n) && check_factors (m, u, a, n);
  free (a);
  free (b);
  return correct;
}

/* Solve system after system; SECONDS is the time of the eliminations.  */
static bool
solve (const struct bench_common *common, float *m_cuda, float *a_cuda,
       float *b_cuda, float *x, long n, bool remedied, double *seconds)
{
  bool correct = true;
  for (uint64_t k = 0; k < common->iterations && correct; k++)
    {
      system_make (a_cuda, b_cuda, n, common->seed, k);
      if (!remedied)
	memset (m_cuda, 0, n * n * sizeof *m_cuda);
      double start = omp_get_wtime ();
      forward (m_cuda, a_cuda, b_cuda, n, !common->unified, remedied);
      *seconds += omp_get_wtime () - start;
      substitute_back (a_cuda, b_cuda, x, n);
      correct = common->no_check
		|| check (m_cuda, a_cuda, x, n, common->seed, k);
    }
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 2 << 20, .iterations = 1, .seed = 1 };
  uint64_t order = 0;
  const char *variant = "naive";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    BENCH_VARIANT_OPTION (variant),
    { "order", BENCH_NUMBER, &order, "of the matrix; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Solve a system of linear equations by elimination.");
  bool remedied = bench_remedied (variant);
  long n = order ? (long) order : (long) sqrt (common.size / 8.0);
  if (n < 2 || n > 1 << 16)
    bench_fatal ("the matrix's order must be between 2 and %d, not %ld (see "
		 "--order and --size)", 1 << 16, n);
  uint64_t footprint = sizeof (float) * (2 * (uint64_t) n * n + n);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *m_cuda = bench_alloc (common.unified, n * n * sizeof *m_cuda);
  float *a_cuda = bench_alloc (common.unified, n * n * sizeof *a_cuda);
  float *b_cuda = bench_alloc (common.unified, n * sizeof *b_cuda);
  float *x = bench_alloc (false, n * sizeof *x);
  memset (x, 0, n * sizeof *x);
  double seconds = 0;
  bool correct = solve (&common, m_cuda, a_cuda, b_cuda, x, n, remedied,
			&seconds);
  char extra[128];
  snprintf (extra, sizeof extra, "code=%s order=%ld checksum=%016llx", variant,
	    n, (unsigned long long) bench_checksum (x, n * sizeof *x));
  bench_free (common.unified, m_cuda);
  bench_free (common.unified, a_cuda);
  bench_free (common.unified, b_cuda);
  free (x);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
