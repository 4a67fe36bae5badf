/* 2dconv, in CUDA's shape: a three by three filter over a matrix.
   SPDX-License-Identifier: GPL-3.0-or-later

   PolyBench/GPU's 2DCONV: a thread each element of the result, in blocks of 32 by
   8.  A warp is 32 elements of a row.  */

#include "model.h"

static const float filter[3][3] = {
  { 0.2f, -0.3f, 0.4f }, { 0.5f, 0.6f, 0.7f }, { -0.8f, -0.9f, 0.1f }
};

/* FILTER[k][l] is of the column K - 1 and the row L - 1 from here.  */
static void
convolve (const float *a, float *b, long n)
{
  const float c11 = filter[0][0], c12 = filter[0][1], c13 = filter[0][2];
  const float c21 = filter[1][0], c22 = filter[1][1], c23 = filter[1][2];
  const float c31 = filter[2][0], c32 = filter[2][1], c33 = filter[2][2];
  MODEL_POINTS (n)
    {
      long i = MODEL_ROW (n), j = MODEL_COLUMN (n);
      const float *at = a + i * n + j;
      if (i > 0 && j > 0 && i < n - 1 && j < n - 1)
	b[i * n + j]
	  = c11 * at[-n - 1] + c21 * at[-n] + c31 * at[-n + 1]
	    + c12 * at[-1] + c22 * at[0] + c32 * at[1]
	    + c13 * at[n - 1] + c23 * at[n] + c33 * at[n + 1];
    }
}

static bool
check (const float *a, const float *b, long n)
{
  for (long i = 1; i < n - 1; i++)
    for (long j = 1; j < n - 1; j++)
      {
	double sum = 0;
	for (int k = 0; k < 3; k++)
	  for (int l = 0; l < 3; l++)
	    sum += (double) filter[k][l] * a[(i + l - 1) * n + j + k - 1];
	if (!model_close ("b", i * n + j, b[i * n + j], sum, 1e-5))
	  return false;
      }
  return true;
}

int
main (int argc, char **argv)
{
  struct model m = { .n = 2048, .common.iterations = 1 };
  model_parse (&m, argc, argv, "Filter a matrix.", "order of the matrix");
  model_multiple (&m, MODEL_LANES, 1 << 20);
  uint64_t footprint = 2 * sizeof (float) * m.n * m.n;
  model_begin (&m, footprint);
  uint64_t state = m.common.seed;
  float *a = model_fill (&m, m.n * m.n, &state);
  float *b = model_fill (&m, m.n * m.n, &state);

  double start = omp_get_wtime ();
  for (uint64_t k = 0; k < m.common.iterations; k++)
    convolve (a, b, m.n);
  double seconds = omp_get_wtime () - start;

  bool correct = m.common.no_check || check (a, b, m.n);
  uint64_t sum
    = m.common.no_check ? 0 : bench_checksum (b, m.n * m.n * sizeof *b);
  bench_free (true, a);
  bench_free (true, b);
  return model_result (&m, footprint, seconds, correct, sum);
}
