/* pathfinder: the cheapest path down a grid, by dynamic programming.
   SPDX-License-Identifier: GPL-3.0-or-later

   From each cell one may go on to the cell below or to its two neighbours;
   wanted is the least sum of weights for each cell of the last row.  A launch
   does PYRAMID rows: each block of columns computes its rows from wider ones
   above, so that blocks need nothing of each other.

   The naive variant copies gpuWall, all rows but the first, to the device
   before the first launch, as Rodinia's CUDA version does, though each launch
   uses PYRAMID rows of it.  The remedied one copies the rows of the next launch
   while this one runs.  All is in whole numbers: checked row by row on the
   host, exactly.  */

#include "common.h"

#define BLOCK 256	/* Columns.  */
#define PYRAMID_MAX 32

/* Do ROWS rows of WALL, from the sums FROM to the sums TO.  */
static void
advance (const int *wall, const int *from, int *to, long cols, long rows)
{
  long blocks = (cols + BLOCK - 1) / BLOCK;
#pragma omp target teams distribute parallel for
  for (long b = 0; b < blocks; b++)
    {
      int sums[2][BLOCK + 2 * PYRAMID_MAX];
      long start = b * BLOCK - rows, low = start > 0 ? start : 0;
      long end = (b + 1) * BLOCK + rows, high = end < cols ? end : cols;
      for (long c = low; c < high; c++)
	sums[0][c - start] = from[c];
      for (long r = 0; r < rows; r++)
	{
	  const int *above = sums[r & 1];
	  int *here = sums[~r & 1];
	  /* A row loses a column on each side that isn't the grid's.  */
	  low = start + r + 1 > 0 ? start + r + 1 : 0;
	  high = end - r - 1 < cols ? end - r - 1 : cols;
	  for (long c = low; c < high; c++)
	    {
	      int least = above[c - start];
	      if (c > 0 && above[c - 1 - start] < least)
		least = above[c - 1 - start];
	      if (c < cols - 1 && above[c + 1 - start] < least)
		least = above[c + 1 - start];
	      here[c - start] = least + wall[r * cols + c];
	    }
	}
      for (long c = low; c < high; c++)
	to[c] = sums[rows & 1][c - start];
    }
}

struct grid
{
  long rows, cols, pyramid;	/* ROWS: of gpuWall.  */
  int *gpuWall;			/* [rows][cols].  */
  int *gpuResult[2];		/* [cols] each; the first row is in [0].  */
};

static long
section (const struct grid *grid, long row)
{
  return row + grid->pyramid < grid->rows ? grid->pyramid : grid->rows - row;
}

/* Copy the whole wall, then launch after launch.  Returns which result.  */
static int
search_naive (const struct grid *grid, bool mapped)
{
  int *gpuWall = grid->gpuWall, which = 0;
#pragma omp target update if(mapped) to(gpuWall[0:grid->rows * grid->cols])
  for (long r = 0; r < grid->rows; r += grid->pyramid, which = !which)
    advance (gpuWall + r * grid->cols, grid->gpuResult[which],
	     grid->gpuResult[!which], grid->cols, section (grid, r));
  return which;
}

/* The copy of the next launch's rows is a task beside the launch.  */
static int
search_remedied (const struct grid *grid, bool mapped)
{
  int *gpuWall = grid->gpuWall, which = 0;
  long cols = grid->cols;
#pragma omp parallel num_threads(2) if(mapped)
#pragma omp single
  {
#pragma omp target update if(mapped) to(gpuWall[0:section (grid, 0) * cols])
    for (long r = 0; r < grid->rows; r += grid->pyramid, which = !which)
      {
	long next = r + grid->pyramid;
	if (next < grid->rows)
	  {
#pragma omp target update if(mapped) nowait                                  \
  to(gpuWall[next * cols:section (grid, next) * cols])
	  }
	advance (gpuWall + r * cols, grid->gpuResult[which],
		 grid->gpuResult[!which], cols, section (grid, r));
#pragma omp taskwait
      }
  }
  return which;
}

static int
search (const struct grid *grid, bool mapped, bool remedied)
{
  int *gpuWall = grid->gpuWall;
  int *gpuResult0 = grid->gpuResult[0], *gpuResult1 = grid->gpuResult[1];
  long cells = grid->rows * grid->cols, cols = grid->cols;
  BENCH_MAPPED (gpuWall);
  BENCH_MAPPED (gpuResult0);
  BENCH_MAPPED (gpuResult1);
#pragma omp target enter data if(mapped) map(alloc: gpuWall[0:cells],        \
  gpuResult0[0:cols], gpuResult1[0:cols])
#pragma omp target update if(mapped) to(gpuResult0[0:cols])
  int which = remedied ? search_remedied (grid, mapped)
		       : search_naive (grid, mapped);
  int *result = grid->gpuResult[which];
  BENCH_MAPPED (result);
#pragma omp target update if(mapped) from(result[0:cols])
#pragma omp target exit data if(mapped) map(delete: gpuWall[0:cells],        \
  gpuResult0[0:cols], gpuResult1[0:cols])
  return which;
}

static void
fill (struct grid *grid, uint64_t seed, uint64_t k)
{
  uint64_t state = seed + (k << 32);
  for (long c = 0; c < grid->cols; c++)
    grid->gpuResult[0][c] = bench_below (&state, 10);
  for (long i = 0; i < grid->rows * grid->cols; i++)
    grid->gpuWall[i] = bench_below (&state, 10);
}

/* RESULT against sums computed row by row from FIRST.  */
static bool
check (const struct grid *grid, const int *first, const int *result)
{
  long cols = grid->cols;
  int *above = bench_alloc (false, cols * sizeof *above);
  int *here = bench_alloc (false, cols * sizeof *here);
  memcpy (above, first, cols * sizeof *above);
  for (long r = 0; r < grid->rows; r++)
    {
      for (long c = 0; c < cols; c++)
	{
	  long left = c > 0 ? c - 1 : c, right = c < cols - 1 ? c + 1 : c;
	  int least = above[left] < above[c] ? above[left] : above[c];
	  least = above[right] < least ? above[right] : least;
	  here[c] = least + grid->gpuWall[r * cols + c];
	}
      int *swap = above;
      above = here;
      here = swap;
    }
  long c = 0;
  while (c < cols && result[c] == above[c])
    c++;
  if (c < cols)
    bench_message ("wrong result: column %ld costs %d, not %d", c, result[c],
		   above[c]);
  free (above);
  free (here);
  return c == cols;
}

static bool
search_all (struct grid *grid, const struct bench_common *common,
	    bool remedied, uint64_t *hash, double *seconds)
{
  bool correct = true;
  size_t row = grid->cols * sizeof (int);
  int *first = bench_alloc (false, row);
  for (uint64_t k = 0; k < common->iterations && correct; k++)
    {
      fill (grid, common->seed, k);
      memcpy (first, grid->gpuResult[0], row);
      double start = omp_get_wtime ();
      int which = search (grid, !common->unified, remedied);
      *seconds += omp_get_wtime () - start;
      *hash = *hash * 31 + bench_checksum (grid->gpuResult[which], row);
      correct = common->no_check
		|| check (grid, first, grid->gpuResult[which]);
    }
  free (first);
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t rows = 100, cols = 0, pyramid = 20;
  const char *variant = "naive";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    BENCH_VARIANT_OPTION (variant),
    { "rows", BENCH_NUMBER, &rows, "of the grid, without the first" },
    { "cols", BENCH_NUMBER, &cols, "of the grid; 0: from --size" },
    { "pyramid", BENCH_NUMBER, &pyramid, "rows of each launch" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Find the cheapest path down a grid.");
  bool remedied = bench_remedied (variant);
  if (pyramid < 1 || pyramid > PYRAMID_MAX || rows < 1 || rows > 1 << 24
      || cols > 1 << 28)
    bench_fatal ("--pyramid must be between 1 and %d, --rows between 1 and %d, "
		 "--cols at most %d", PYRAMID_MAX, 1 << 24, 1 << 28);
  struct grid grid = { .rows = rows, .pyramid = pyramid };
  grid.cols = cols ? cols : common.size / (sizeof (int) * (rows + 2));
  if (grid.cols < 1)
    bench_fatal ("--size=%llu is too small for %llu rows",
		 (unsigned long long) common.size, (unsigned long long) rows);
  uint64_t footprint = sizeof (int) * (rows + 2) * grid.cols;
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  size_t row = grid.cols * sizeof (int);
  grid.gpuWall = bench_alloc (common.unified, rows * row);
  int *gpuResult0 = grid.gpuResult[0] = bench_alloc (common.unified, row);
  int *gpuResult1 = grid.gpuResult[1] = bench_alloc (common.unified, row);
  uint64_t hash = 0;
  double seconds = 0;
  bool correct = search_all (&grid, &common, remedied, &hash, &seconds);
  char extra[128];
  snprintf (extra, sizeof extra, "code=%s rows=%ld cols=%ld checksum=%016llx",
	    variant, grid.rows, grid.cols, (unsigned long long) hash);
  bench_free (common.unified, grid.gpuWall);
  bench_free (common.unified, gpuResult0);
  bench_free (common.unified, gpuResult1);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
