/* floyd-warshall, in CUDA's shape: all shortest paths of a graph, by tiles.
   SPDX-License-Identifier: GPL-3.0-or-later

   Tiles of 16 by 16, a block of 256 threads each, and three launches a step: the
   pivot's tile, the tiles of its row and column, and all others, in the usual
   parallel form.  A block takes the tiles it needs into shared memory; here, as
   OpenMP has none, a team has them on its stack, where they are no managed data.
   Each thread loads one element of each tile, so that accesses to the matrix are
   those of CUDA; so is what a barrier keeps apart.  */

#include "model.h"

enum { TILE = 16 };

/* The tile at (ROW, COLUMN) into HERE.  */
#define AT(ROW, COLUMN)                                                       \
  d[((ROW) * TILE + t / TILE) * n + (COLUMN) * TILE + t % TILE]

/* HERE over the nodes of one tile: LEFT has the paths to them, RIGHT those from
   them; either may be HERE.  */
#define RELAX(HERE, LEFT, RIGHT)                                              \
  for (int u = 0; u < TILE; u++)                                              \
    {                                                                         \
      MODEL_BARRIER;                                                          \
      MODEL_WARP                                                              \
	{                                                                     \
	  int path = (LEFT)[t / TILE * TILE + u] + (RIGHT)[u * TILE + t % TILE];\
	  (HERE)[t] = path < (HERE)[t] ? path : (HERE)[t];                    \
	}                                                                     \
    }

static void
relax_pivot (int *d, long n, long pivot)
{
  MODEL_TARGET (1, 8)
    {
      int own[MODEL_BLOCK];
      MODEL_BLOCKS (1)
	{
	  MODEL_WARP
	    own[t] = AT (pivot, pivot);
	  RELAX (own, own, own)
	  MODEL_WARP
	    AT (pivot, pivot) = own[t];
	}
    }
}

/* Blocks are those of the row, then those of the column, as a second dimension of
   two has them in CUDA.  */
static void
relax_cross (int *d, long n, long pivot)
{
  long tiles = n / TILE;
  MODEL_TARGET (MODEL_TEAMS, 8)
    {
      int own[MODEL_BLOCK], base[MODEL_BLOCK];
      MODEL_BLOCKS (2 * tiles)
	{
	  long row = block < tiles ? pivot : block - tiles;
	  long column = block < tiles ? block : pivot;
	  if (row == column)
	    continue;
	  MODEL_WARP
	    base[t] = AT (pivot, pivot);
	  MODEL_WARP
	    own[t] = AT (row, column);
	  if (row == pivot)
	    RELAX (own, base, own)
	  else
	    RELAX (own, own, base)
	  MODEL_WARP
	    AT (row, column) = own[t];
	}
    }
}

static void
relax_rest (int *d, long n, long pivot)
{
  long tiles = n / TILE;
  MODEL_TARGET (MODEL_TEAMS, 8)
    {
      int left[MODEL_BLOCK], right[MODEL_BLOCK];
      MODEL_BLOCKS (tiles * tiles)
	{
	  long row = block / tiles, column = block % tiles;
	  if (row == pivot || column == pivot)
	    continue;
	  MODEL_WARP
	    left[t] = AT (row, pivot);
	  MODEL_WARP
	    right[t] = AT (pivot, column);
	  MODEL_BARRIER;
	  MODEL_WARP
	    {
	      int least = AT (row, column);
	      for (int u = 0; u < TILE; u++)
		{
		  int path = left[t / TILE * TILE + u] + right[u * TILE + t % TILE];
		  least = path < least ? path : least;
		}
	      AT (row, column) = least;
	    }
	}
    }
}

/* The nodes of the first STEPS tiles may be passed through.  */
static bool
check (const int *d, int *host, size_t n, size_t steps)
{
  for (size_t k = 0; k < steps * TILE; k++)
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++)
	{
	  int path = host[i * n + k] + host[k * n + j];
	  if (path < host[i * n + j])
	    host[i * n + j] = path;
	}
  for (size_t i = 0; i < n * n; i++)
    if (d[i] != host[i])
      {
	bench_message ("wrong result: d[%zu] is %d, not %d", i, d[i], host[i]);
	return false;
      }
  return true;
}

int
main (int argc, char **argv)
{
  struct model m = { .n = 256 };
  model_parse (&m, argc, argv,
	       "Find shortest paths; of n / 16 steps --steps are made, or all.",
	       "nodes");
  model_multiple (&m, TILE, 1 << 15);
  size_t n = m.n;
  if (m.common.iterations == 0 || m.common.iterations > n / TILE)
    m.common.iterations = n / TILE;
  uint64_t footprint = sizeof (int) * n * n;
  model_begin (&m, footprint);
  uint64_t state = m.common.seed;
  int *d = bench_alloc (true, footprint), *host = NULL;
  size_t step = m.common.no_check ? 4096 / sizeof *d : 1;
  for (size_t i = 0; i < n * n; i += step)
    d[i] = i % (n + 1) ? 1 + bench_below (&state, 1000) : 0;
  if (!m.common.no_check)
    memcpy (host = bench_alloc (false, footprint), d, footprint);

  double start = omp_get_wtime ();
  for (uint64_t pivot = 0; pivot < m.common.iterations; pivot++)
    {
      relax_pivot (d, n, pivot);
      relax_cross (d, n, pivot);
      relax_rest (d, n, pivot);
    }
  double seconds = omp_get_wtime () - start;

  bool correct = m.common.no_check || check (d, host, n, m.common.iterations);
  uint64_t sum = m.common.no_check ? 0 : bench_checksum (d, footprint);
  bench_free (true, d);
  free (host);
  return model_result (&m, footprint, seconds, correct, sum);
}
