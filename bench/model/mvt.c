/* mvt, in CUDA's shape: a matrix and its transpose, each by a vector.
   SPDX-License-Identifier: GPL-3.0-or-later

   PolyBench/GPU's MVT: a thread each element of the result, in blocks of 256.  In
   the first launch a thread walks along its row, so that the 32 lanes of a warp are
   in 32 rows; in the second down its column, side by side.  Either adds to the
   result in memory, which may be what it reads.  */

#include "model.h"

static void
walk_rows (const float *a, float *x, const float *y, long n)
{
  MODEL_THREADS (n)
    {
      long i = MODEL_THREAD;
      for (long j = 0; j < n; j++)
	x[i] += a[i * n + j] * y[j];
    }
}

static void
walk_columns (const float *a, float *x, const float *y, long n)
{
  MODEL_THREADS (n)
    {
      long i = MODEL_THREAD;
      for (long j = 0; j < n; j++)
	x[i] += a[j * n + i] * y[j];
    }
}

/* STRIDE is between the elements of A that x[i] sums up, NEXT to those of
   x[i + 1].  All terms are positive.  */
static bool
check (const char *name, const float *x, const float *before, const float *a,
       const float *y, const struct model *m, long next, long stride)
{
  long n = m->n;
  for (long i = 0; i < n; i++)
    {
      double sum = 0;
      for (long j = 0; j < n; j++)
	sum += (double) a[i * next + j * stride] * y[j];
      double expected = before[i] + m->common.iterations * sum;
      if (!model_close (name, i, x[i], expected, 1e-4 * expected))
	return false;
    }
  return true;
}

int
main (int argc, char **argv)
{
  struct model m = { .n = 2048, .common.iterations = 1 };
  model_parse (&m, argc, argv, "Multiply a matrix and its transpose by vectors.",
	       "order of the matrix");
  model_multiple (&m, MODEL_BLOCK, 1 << 20);
  long n = m.n;
  uint64_t footprint = sizeof (float) * (m.n * m.n + 4 * m.n);
  model_begin (&m, footprint);
  uint64_t state = m.common.seed;
  float *a = model_fill (&m, m.n * m.n, &state);
  float *x1 = model_fill (&m, n, &state), *x2 = model_fill (&m, n, &state);
  float *y1 = model_fill (&m, n, &state), *y2 = model_fill (&m, n, &state);
  float *before = bench_alloc (false, 2 * n * sizeof *before);
  memcpy (before, x1, n * sizeof *x1);
  memcpy (before + n, x2, n * sizeof *x2);

  double start = omp_get_wtime ();
  for (uint64_t k = 0; k < m.common.iterations; k++)
    {
      walk_rows (a, x1, y1, n);
      walk_columns (a, x2, y2, n);
    }
  double seconds = omp_get_wtime () - start;

  bool correct = m.common.no_check
    || (check ("x1", x1, before, a, y1, &m, n, 1)
	&& check ("x2", x2, before + n, a, y2, &m, 1, n));
  uint64_t sum = bench_checksum (x1, n * sizeof *x1) * 31
    + bench_checksum (x2, n * sizeof *x2);
  float *const all[] = { a, x1, x2, y1, y2 };
  for (int k = 0; k < 5; k++)
    bench_free (true, all[k]);
  free (before);
  return model_result (&m, footprint, seconds, correct, sum);
}
