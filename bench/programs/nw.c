/* nw: global alignment of two sequences, by diagonals of blocks.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Needleman and Wunsch (1970), with a penalty for each gap:

     F(i,j) = max (F(i-1,j-1) + S(i,j), F(i-1,j) - gap, F(i,j-1) - gap)

   where S(i,j), how well two letters match, is looked up once and kept for
   each cell.  A launch has the blocks of one anti-diagonal, from the top left
   to the bottom right; a thread has a block.  Repetitions compute the same
   again.  Checked against the host, cell by cell, exactly.  */

#include "kernels.h"

#define BLOCK 16
#define LETTERS 24
#define GAP 10

/* Blocks FROM to TO - 1, by columns, of anti-diagonal DIAGONAL; F has a row and
   a column more than SCORE, whose order is N.  */
static void
align (const int *score, int *f, long n, long diagonal, long from, long to)
{
#pragma omp target teams distribute parallel for
  for (long b = from; b < to; b++)
    {
      long top = (diagonal - b) * BLOCK, left = b * BLOCK;
      for (long i = top; i < top + BLOCK; i++)
	for (long j = left; j < left + BLOCK; j++)
	  {
	    long at = (i + 1) * (n + 1) + j + 1;
	    int best = f[at - n - 2] + score[i * n + j];
	    int up = f[at - n - 1] - GAP, before = f[at - 1] - GAP;
	    best = up > best ? up : best;
	    f[at] = before > best ? before : best;
	  }
    }
}

static void
run (const struct bench_common *common, const int *score, int *f, long n)
{
  long blocks = n / BLOCK;
#pragma omp target data if(!common->unified) map(to: score[0:n * n])          \
  map(tofrom: f[0:(n + 1) * (n + 1)])
  for (uint64_t k = 0; k < common->iterations; k++)
    for (long d = 0; d < 2 * blocks - 1; d++)
      align (score, f, n, d, d < blocks ? 0 : d - blocks + 1,
	     d < blocks ? d + 1 : blocks);
}

/* Two rows are enough to compare all others with.  */
static bool
check (const int *score, const int *f, long n)
{
  int *above = bench_alloc (false, (n + 1) * sizeof *above);
  int *row = bench_alloc (false, (n + 1) * sizeof *row);
  bool correct = true;
  for (long j = 0; j <= n; j++)
    above[j] = -GAP * j;
  for (long i = 1; i <= n && correct; i++)
    {
      row[0] = -GAP * i;
      for (long j = 1; j <= n && correct; j++)
	{
	  int gap = above[j] > row[j - 1] ? above[j] : row[j - 1];
	  int match = above[j - 1] + score[(i - 1) * n + j - 1];
	  row[j] = match > gap - GAP ? match : gap - GAP;
	  correct = f[i * (n + 1) + j] == row[j];
	  if (!correct)
	    bench_message ("wrong result: cell %ld, %ld is %d, not %d", i, j,
			   f[i * (n + 1) + j], row[j]);
	}
      int *swap = above;
      above = row;
      row = swap;
    }
  free (above);
  free (row);
  return correct;
}

/* What letters of two random sequences score, by a random table.  */
static void
scores_make (int *score, long n, uint64_t state)
{
  int table[LETTERS][LETTERS];
  for (int i = 0; i < LETTERS; i++)
    for (int j = 0; j <= i; j++)
      table[i][j] = table[j][i]
	= i == j ? 5 + (int) bench_below (&state, 7)
		 : (int) bench_below (&state, 8) - 5;
  unsigned char *letters = bench_alloc (false, 2 * n);
  for (long i = 0; i < 2 * n; i++)
    letters[i] = bench_below (&state, LETTERS);
  for (long i = 0; i < n; i++)
    for (long j = 0; j < n; j++)
      score[i * n + j] = table[letters[i]][letters[n + j]];
  free (letters);
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 32 << 20, .iterations = 1, .seed = 1 };
  uint64_t length = 0;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "length", BENCH_NUMBER, &length, "of the sequences; 0: from --size" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Align two sequences by blocks.");
  /* n * n of the scores and (n + 1) * (n + 1) of F.  */
  long n = length ? (long) length : (long) (sqrt (common.size / 8.0) - 1);
  n = n / BLOCK * BLOCK;
  if (n < BLOCK || n > 1 << 20)
    bench_fatal ("the sequences' length must be between %d and %d (see "
		 "--length and --size)", BLOCK, 1 << 20);
  uint64_t cells = (uint64_t) (n + 1) * (n + 1);
  uint64_t footprint = sizeof (int) * ((uint64_t) n * n + cells);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  int *score = bench_alloc (unified, n * n * sizeof *score);
  int *f = bench_alloc (unified, cells * sizeof *f);
  scores_make (score, n, common.seed);
  memset (f, 0, cells * sizeof *f);
  for (long i = 0; i <= n; i++)
    f[i] = f[i * (n + 1)] = -GAP * i;
  double start = omp_get_wtime ();
  run (&common, score, f, n);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || !common.iterations || check (score, f, n);
  uint64_t sum = bench_checksum (f, cells * sizeof *f);
  bench_free (unified, score);
  bench_free (unified, f);
  return bench_report (&common, footprint, seconds, correct, "length", n, sum);
}
