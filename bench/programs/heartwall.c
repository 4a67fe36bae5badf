/* heartwall: many points followed from frame to frame by their surroundings.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each point has a template, the pixels around it in the first frame, with mean
   0 and norm 1.  For each frame, which takes the place of the one before, region
   1 cuts out a window around each point, region 2 sums up pixels and squares
   for each place of the template in it, region 3 correlates,

     score = sum t w / sqrt (sum w^2 - (sum w)^2 / count)

   and region 4 moves the point to the best place.  A thread has a pixel, a
   place or a point.  All of a point's arrays are used again in each frame; an
   iteration is a frame.  --template and --search bound the work.

   Frames show the first one, shifted; checked is that each point has moved by
   that exactly, and scores of the last frame, sampled, in double to 1e-3.  */

#include "kernels.h"

#define TOLERANCE 1e-3
#define ROW 16		/* Points of a row of them.  */
#define STEP 2		/* Pixels a frame moves, at most; see shift_at.  */
#define MARGIN 4
#define CHECKED 64	/* Each so many-th point.  */

struct track
{
  long points, side, search;	/* Pixels of a template; to each direction.  */
  long rows, cols;		/* Of a frame.  */
  float *frame;			/* [rows][cols] */
  float *template;		/* [points][side][side] */
  float *window;		/* [points][side + 2 search][same] */
  float *sum, *squares, *score;	/* [points][2 search + 1][same] */
  int *row, *col;		/* [points]: of a template's corner.  */
  float *base;			/* First frame; the host's.  */
};

static void
cut (const float *frame, const int *row, const int *col, float *window,
     long points, long width, long search, long cols)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long p = 0; p < points; p++)
    for (long i = 0; i < width * width; i++)
      window[p * width * width + i]
	= frame[(row[p] - search + i / width) * cols + col[p] - search
		+ i % width];
}

static void
add_up (const float *window, float *sum, float *squares, long points, long side,
	long search)
{
  long width = side + 2 * search, across = 2 * search + 1;
#pragma omp target teams distribute parallel for collapse(2)
  for (long p = 0; p < points; p++)
    for (long place = 0; place < across * across; place++)
      {
	const float *w = window + p * width * width + place / across * width
			 + place % across;
	float total = 0, total_squares = 0;
	for (long i = 0; i < side; i++)
	  for (long j = 0; j < side; j++)
	    {
	      float x = w[i * width + j];
	      total += x;
	      total_squares += x * x;
	    }
	sum[p * across * across + place] = total;
	squares[p * across * across + place] = total_squares;
      }
}

static void
correlate (const float *window, const float *template, const float *sum,
	   const float *squares, float *score, long points, long side,
	   long search)
{
  long width = side + 2 * search, across = 2 * search + 1;
#pragma omp target teams distribute parallel for collapse(2)
  for (long p = 0; p < points; p++)
    for (long place = 0; place < across * across; place++)
      {
	const float *w = window + p * width * width + place / across * width
			 + place % across;
	const float *t = template + p * side * side;
	float product = 0;
	for (long i = 0; i < side; i++)
	  for (long j = 0; j < side; j++)
	    product += t[i * side + j] * w[i * width + j];
	long at = p * across * across + place;
	float variance = squares[at] - sum[at] * sum[at] / (side * side);
	score[at] = product / sqrtf (variance);
      }
}

static void
follow (const float *score, int *row, int *col, long points, long search)
{
  long across = 2 * search + 1;
#pragma omp target teams distribute parallel for
  for (long p = 0; p < points; p++)
    {
      const float *s = score + p * across * across;
      long best = 0;
      for (long place = 1; place < across * across; place++)
	if (s[place] > s[best])
	  best = place;
      row[p] += best / across - search;
      col[p] += best % across - search;
    }
}

/* How far frame K is from the first, which is frame 0: rows, columns.  Two
   frames that follow each other differ by STEP at most, all by less than
   MARGIN.  */
static void
shift_at (uint64_t k, long shift[2])
{
  static const signed char to[][2] = { { 0, 0 }, { 2, 1 }, { 3, -1 }, { 1, -2 },
				       { -1, -1 } };
  shift[0] = to[k % 5][0];
  shift[1] = to[k % 5][1];
}

static void
frame_make (const struct track *t, uint64_t k)
{
  long shift[2];
  shift_at (k, shift);
  for (long r = 0; r < t->rows; r++)
    for (long c = 0; c < t->cols; c++)
      t->frame[r * t->cols + c]
	= t->base[(r - shift[0] + t->rows) % t->rows * t->cols
		  + (c - shift[1] + t->cols) % t->cols];
}

static void
run (const struct bench_common *common, const struct track *t, double *seconds)
{
  long points = t->points, side = t->side, search = t->search;
  long pixels = t->rows * t->cols, of_templates = points * side * side;
  long width = side + 2 * search, of_windows = points * width * width;
  long places = points * (2 * search + 1) * (2 * search + 1);
  float *frame = t->frame, *template = t->template, *window = t->window;
  float *sum = t->sum, *squares = t->squares, *score = t->score;
  int *row = t->row, *col = t->col;
  BENCH_MAPPED (of_templates), BENCH_MAPPED (of_windows);
  BENCH_MAPPED (places), BENCH_MAPPED (pixels);
#pragma omp target data if(!common->unified) map(to: template[0:of_templates])\
  map(alloc: frame[0:pixels], window[0:of_windows], sum[0:places],            \
      squares[0:places]) map(tofrom: score[0:places], row[0:points],          \
      col[0:points])
  for (uint64_t k = 1; k <= common->iterations; k++)
    {
      frame_make (t, k);
      double start = omp_get_wtime ();
#pragma omp target update if(!common->unified) to(frame[0:pixels])
      cut (frame, row, col, window, points, width, search, t->cols);
      add_up (window, sum, squares, points, side, search);
      correlate (window, template, sum, squares, score, points, side, search);
      follow (score, row, col, points, search);
      *seconds += omp_get_wtime () - start;
    }
}

/* The score of POINT, which is at ROW and COL of the last frame, at PLACE of
   the search that led there from FROM_ROW and FROM_COL.  */
static double
host_score (const struct track *t, long point, long place, long from_row,
	    long from_col)
{
  long across = 2 * t->search + 1;
  double sum = 0, squares = 0, product = 0;
  for (long i = 0; i < t->side; i++)
    for (long j = 0; j < t->side; j++)
      {
	long r = from_row - t->search + place / across + i;
	long c = from_col - t->search + place % across + j;
	double w = t->frame[r * t->cols + c];
	sum += w;
	squares += w * w;
	product += w * t->template[(point * t->side + i) * t->side + j];
      }
  return product / sqrt (squares - sum * sum / (t->side * t->side));
}

static bool
check (const struct track *t, uint64_t frames)
{
  long shift[2], before[2], places = (2 * t->search + 1) * (2 * t->search + 1);
  shift_at (frames, shift);
  shift_at (frames ? frames - 1 : 0, before);
  for (long p = 0; p < t->points; p++)
    {
      long row = t->search + MARGIN + p / ROW * t->side;
      long col = t->search + MARGIN + p % ROW * t->side;
      if (t->row[p] != row + shift[0] || t->col[p] != col + shift[1])
	{
	  bench_message ("wrong result: point %ld is at %d, %d, not %ld, %ld",
			 p, t->row[p], t->col[p], row + shift[0],
			 col + shift[1]);
	  return false;
	}
      for (long place = 0; frames && p % CHECKED == 0 && place < places;
	   place++)
	{
	  double expected = host_score (t, p, place, row + before[0],
					col + before[1]);
	  if (!bench_near ("score", p * places + place,
			   t->score[p * places + place], expected, 0,
			   TOLERANCE))
	    return false;
	}
    }
  return true;
}

/* Points in rows, each with what is around it.  */
static void
points_make (struct track *t)
{
  for (long p = 0; p < t->points; p++)
    {
      t->row[p] = t->search + MARGIN + p / ROW * t->side;
      t->col[p] = t->search + MARGIN + p % ROW * t->side;
      float *to = t->template + p * t->side * t->side;
      double sum = 0, squares = 0, count = t->side * t->side;
      for (long i = 0; i < count; i++)
	{
	  to[i] = t->base[(t->row[p] + i / t->side) * t->cols + t->col[p]
			  + i % t->side];
	  sum += to[i];
	  squares += (double) to[i] * to[i];
	}
      for (long i = 0; i < count; i++)
	to[i] = (to[i] - sum / count) / sqrt (squares - sum * sum / count);
    }
}

/* ROWS of points; the bytes they take with their frame.  */
static uint64_t
points_fit (struct track *t, long rows)
{
  long width = t->side + 2 * t->search, across = 2 * t->search + 1;
  t->points = rows * ROW;
  t->rows = rows * t->side + 2 * (t->search + MARGIN);
  t->cols = ROW * t->side + 2 * (t->search + MARGIN);
  return sizeof (float) * t->rows * t->cols
	 + t->points * (sizeof (float) * (t->side * t->side + width * width
					  + 3 * across * across)
			+ 2 * sizeof (int));
}

static void
track_make (struct track *t, bool unified, uint64_t state)
{
  long pixels = t->rows * t->cols, width = t->side + 2 * t->search;
  long places = t->points * (2 * t->search + 1) * (2 * t->search + 1);
  t->base = bench_floats (false, pixels, &state);
  t->frame = bench_alloc (unified, pixels * sizeof (float));
  t->template = bench_alloc (unified, t->points * t->side * t->side
				      * sizeof (float));
  t->window = bench_alloc (unified, t->points * width * width
				    * sizeof (float));
  t->sum = bench_alloc (unified, places * sizeof (float));
  t->squares = bench_alloc (unified, places * sizeof (float));
  t->score = bench_alloc (unified, places * sizeof (float));
  t->row = bench_alloc (unified, t->points * sizeof (int));
  t->col = bench_alloc (unified, t->points * sizeof (int));
  memset (t->score, 0, places * sizeof (float));
  points_make (t);
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 8 << 20, .iterations = 5, .seed = 1 };
  uint64_t side = 8, search = 6;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "template", BENCH_NUMBER, &side, "pixels of its side" },
    { "search", BENCH_NUMBER, &search, "pixels to each direction" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Follow points from frame to frame.");
  if (side < 4 || side > 64 || search < STEP || search > 64)
    bench_fatal ("--template must be between 4 and 64, --search between %d and "
		 "64", STEP);
  struct track t = { .side = side, .search = search };
  long rows = 0;
  while (points_fit (&t, rows + 1) <= common.size)
    rows++;
  if (rows < 1)
    bench_fatal ("--size=%llu is too small for a row of points",
		 (unsigned long long) common.size);
  uint64_t footprint = points_fit (&t, rows);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  track_make (&t, unified, common.seed);
  double seconds = 0;
  run (&common, &t, &seconds);
  bool correct = common.no_check || check (&t, common.iterations);
  long places = t.points * (2 * t.search + 1) * (2 * t.search + 1);
  uint64_t sum = bench_checksum (t.score, places * sizeof *t.score);
  void *const arrays[] = { t.frame, t.template, t.window, t.sum, t.squares,
			   t.score, t.row, t.col };
  for (int k = 0; k < 8; k++)
    bench_free (unified, arrays[k]);
  free (t.base);
  return bench_report (&common, footprint, seconds, correct, "points", t.points,
		       sum);
}
