/* gemm, in CUDA's shape: a product of matrices, by tiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   C = A B, with A of 3/4 n by n and B of n by n: a thread each element of C, in
   blocks of 32 by 32, which take tiles of A and B into shared memory, one of each
   at a time.  OpenMP has no shared memory: a team has the tiles on its stack, where
   they are no managed data.  A block's warps load a row of each tile.  */

#include "model.h"

/* One block of so many threads has place on each of 82 SMs.  */
enum { TILE = 32, TEAMS = 82, WARPS = TILE, THREADS = TILE * TILE };

static void
multiply (const float *a, const float *b, float *c, long m, long n)
{
  long across = n / TILE;
  MODEL_TARGET (TEAMS, WARPS)
    {
      float left[THREADS], right[THREADS], sum[THREADS];
      MODEL_BLOCKS (across * (m / TILE))
	{
	  long row = block / across * TILE, column = block % across * TILE;
	  MODEL_WARP
	    sum[t] = 0;
	  for (long k = 0; k < n; k += TILE)
	    {
	      MODEL_WARP
		{
		  left[t] = a[(row + t / TILE) * n + k + t % TILE];
		  right[t] = b[(k + t / TILE) * n + column + t % TILE];
		}
	      MODEL_BARRIER;
	      MODEL_WARP
		{
		  float s = sum[t];
		  for (long u = 0; u < TILE; u++)
		    s += left[t / TILE * TILE + u] * right[u * TILE + t % TILE];
		  sum[t] = s;
		}
	      MODEL_BARRIER;
	    }
	  MODEL_WARP
	    c[(row + t / TILE) * n + column + t % TILE] = sum[t];
	}
    }
}

/* Some elements; all terms are positive.  */
static bool
check (const float *a, const float *b, const float *c, long m, long n,
       uint64_t *state)
{
  for (int k = 0; k < 1000; k++)
    {
      long i = bench_below (state, m), j = bench_below (state, n);
      double sum = 0;
      for (long l = 0; l < n; l++)
	sum += (double) a[i * n + l] * b[l * n + j];
      if (!model_close ("c", i * n + j, c[i * n + j], sum, 1e-4 * sum))
	return false;
    }
  return true;
}

int
main (int argc, char **argv)
{
  struct model model = { .n = 256, .common.iterations = 1 };
  model_parse (&model, argc, argv, "Multiply two matrices.", "order of B");
  model_multiple (&model, 4 * TILE, 1 << 20);
  long n = model.n, m = n / 4 * 3;
  uint64_t footprint = sizeof (float) * (2 * m * n + n * n);
  model_begin (&model, footprint);
  uint64_t state = model.common.seed;
  float *a = model_fill (&model, m * n, &state);
  float *b = model_fill (&model, n * n, &state);
  /* Nobody writes C before the GPU does.  */
  float *c = bench_alloc (true, m * n * sizeof *c);

  double start = omp_get_wtime ();
  for (uint64_t k = 0; k < model.common.iterations; k++)
    multiply (a, b, c, m, n);
  double seconds = omp_get_wtime () - start;

  bool correct = model.common.no_check || check (a, b, c, m, n, &state);
  uint64_t sum
    = model.common.no_check ? 0 : bench_checksum (c, m * n * sizeof *c);
  bench_free (true, a);
  bench_free (true, b);
  bench_free (true, c);
  return model_result (&model, footprint, seconds, correct, sum);
}
