/* lud: LU decomposition in place, by blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   For each block of the diagonal, three regions: the block itself, the blocks
   to its right and below it, and all that remains.  L has ones in its
   diagonal, so that the first row of the matrix is U's already and is never
   written; and each step touches less than the one before.  There is no
   pivoting: the matrices are diagonally dominant.

   The naive variant copies m_d out at the end, as Rodinia's CUDA version does.
   The remedied one copies each block of rows out, beside the next regions, as
   soon as it is done, and leaves out the first row.  Checked by multiplying the
   factors for some of the rows, to 1e-4 of the diagonal.  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-4
#define BLOCK 16
#define ROWS_CHECKED 24

static void
diagonal (float *m_d, long n, long k, long size)
{
#pragma omp target
  for (long p = k; p < k + size; p++)
    for (long i = p + 1; i < k + size; i++)
      {
	float factor = m_d[i * n + p] / m_d[p * n + p];
	m_d[i * n + p] = factor;
	for (long j = p + 1; j < k + size; j++)
	  m_d[i * n + j] -= factor * m_d[p * n + j];
      }
}

/* Columns right of the block, then rows below it.  */
static void
perimeter (float *m_d, long n, long k, long size)
{
  long rest = n - k - size;
#pragma omp target teams distribute parallel for
  for (long t = 0; t < 2 * rest; t++)
    if (t < rest)
      {
	long j = k + size + t;
	for (long i = k + 1; i < k + size; i++)
	  {
	    float sum = m_d[i * n + j];
	    for (long p = k; p < i; p++)
	      sum -= m_d[i * n + p] * m_d[p * n + j];
	    m_d[i * n + j] = sum;
	  }
      }
    else
      {
	long i = k + size + t - rest;
	for (long j = k; j < k + size; j++)
	  {
	    float sum = m_d[i * n + j];
	    for (long p = k; p < j; p++)
	      sum -= m_d[i * n + p] * m_d[p * n + j];
	    m_d[i * n + j] = sum / m_d[j * n + j];
	  }
      }
}

static void
internal (float *m_d, long n, long k, long size)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = k + size; i < n; i++)
    for (long j = k + size; j < n; j++)
      {
	float sum = m_d[i * n + j];
	for (long p = k; p < k + size; p++)
	  sum -= m_d[i * n + p] * m_d[p * n + j];
	m_d[i * n + j] = sum;
      }
}

static void
decompose_naive (float *m_d, long n, bool mapped)
{
  for (long k = 0; k < n; k += BLOCK)
    {
      long size = n - k < BLOCK ? n - k : BLOCK;
      diagonal (m_d, n, k, size);
      perimeter (m_d, n, k, size);
      internal (m_d, n, k, size);
    }
#pragma omp target update if(mapped) from(m_d[0:n * n])
}

/* After its perimeter a block's rows are final.  */
static void
decompose_remedied (float *m_d, long n, bool mapped)
{
#pragma omp parallel num_threads(2) if(mapped)
#pragma omp single
  for (long k = 0; k < n; k += BLOCK)
    {
      long size = n - k < BLOCK ? n - k : BLOCK;
      diagonal (m_d, n, k, size);
      perimeter (m_d, n, k, size);
      long first = k ? k : 1;
      if (first < k + size)
	{
#pragma omp target update if(mapped) nowait                                  \
  from(m_d[first * n:(k + size - first) * n])
	}
      internal (m_d, n, k, size);
#pragma omp taskwait
    }
}

static void
decompose (float *m_d, long n, bool mapped, bool remedied)
{
#pragma omp target enter data if(mapped) map(alloc: m_d[0:n * n])
#pragma omp target update if(mapped) to(m_d[0:n * n])
  if (remedied)
    decompose_remedied (m_d, n, mapped);
  else
    decompose_naive (m_d, n, mapped);
#pragma omp target exit data if(mapped) map(delete: m_d[0:n * n])
}

/* Matrix number K of SEED.  */
static void
matrix_make (float *m, long n, uint64_t seed, uint64_t k)
{
  uint64_t state = seed + (k << 32);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      m[i * n + j] = bench_uniform (&state) - 0.5 + (i == j ? n : 0);
}

/* L U == the matrix, for some rows.  */
static bool
check (const float *lu, long n, uint64_t seed, uint64_t k)
{
  float *m = bench_alloc (false, n * n * sizeof *m);
  matrix_make (m, n, seed, k);
  bool correct = true;
  long step = n / ROWS_CHECKED ? n / ROWS_CHECKED : 1;
  for (long i = n - 1; i >= 0 && correct; i -= step)
    for (long j = 0; j < n && correct; j++)
      {
	double sum = i <= j ? lu[i * n + j] : 0;
	for (long p = 0; p < i && p <= j; p++)
	  sum += (double) lu[i * n + p] * lu[p * n + j];
	correct = fabs (sum - m[i * n + j]) <= TOLERANCE * n;
	if (!correct)
	  bench_message ("wrong result: element %ld, %ld of the factors' "
			 "product is %.7g, not %.7g", i, j, sum, m[i * n + j]);
      }
  free (m);
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 1 << 20, .iterations = 1, .seed = 1 };
  uint64_t order = 0;
  const char *variant = "naive";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    BENCH_VARIANT_OPTION (variant),
    { "order", BENCH_NUMBER, &order, "of the matrix; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Decompose a matrix into factors L and U.");
  bool remedied = bench_remedied (variant);
  long n = order ? (long) order : (long) sqrt (common.size / 4.0);
  if (n < 2 || n > 1 << 16)
    bench_fatal ("the matrix's order must be between 2 and %d, not %ld (see "
		 "--order and --size)", 1 << 16, n);
  uint64_t footprint = sizeof (float) * (uint64_t) n * n;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  float *m_d = bench_alloc (common.unified, n * n * sizeof *m_d);
  double seconds = 0;
  uint64_t hash = 0;
  bool correct = true;
  for (uint64_t k = 0; k < common.iterations && correct; k++)
    {
      matrix_make (m_d, n, common.seed, k);
      double start = omp_get_wtime ();
      decompose (m_d, n, !common.unified, remedied);
      seconds += omp_get_wtime () - start;
      hash = hash * 31 + bench_checksum (m_d, n * n * sizeof *m_d);
      correct = common.no_check || check (m_d, n, common.seed, k);
    }
  char extra[128];
  snprintf (extra, sizeof extra, "code=%s order=%ld checksum=%016llx", variant,
	    n, (unsigned long long) hash);
  bench_free (common.unified, m_d);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
