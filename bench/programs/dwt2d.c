/* dwt2d: the reversible 5/3 wavelet transform of a picture, level by level.
   SPDX-License-Identifier: GPL-3.0-or-later

   The lifting steps of JPEG 2000 (ISO/IEC 15444-1, annex F), on integers:

     d(i) = x(2i+1) - floor ((x(2i) + x(2i+2)) / 2)
     s(i) = x(2i) + floor ((d(i-1) + d(i) + 2) / 4)

   mirrored at the ends, along rows and then down columns.  A region takes the
   picture apart into red, green and blue.  Then each colour has one launch for
   each level, from one array to another, and one that copies the quarter of low
   frequencies back for the next level.  So that part of the data is used again.
   Checked on the host by the inverse transform, which must give the picture
   back exactly.  Each repetition begins anew.

   Arrays, launches and the way through them are those of Rodinia's dwt2d (run
   there with 1024 by 1024 pixels and 3 levels): an input and an output for each
   colour; the four bands of a level one after the other, each without gaps; a
   window that slides down each of at most 15 stripes of the picture, a thread
   for each pair of columns, which needs each row once.  */

#include "kernels.h"

#define COLOURS 3
#define STRIPES 15	/* At most.  */
#define WINDOW 8	/* Rows of one; a stripe has so many windows.  */

static void
split (const unsigned char *picture, int *red, int *green, int *blue, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    {
      red[i] = picture[3 * i] - 128;
      green[i] = picture[3 * i + 1] - 128;
      blue[i] = picture[3 * i + 2] - 128;
    }
}

enum { LOW, HIGH, BANDS };	/* Frequency.  */

/* Pair I of HALF of the row at X.  Shifts of negative numbers are GCC's, which
   round down.  */
#pragma omp declare target
static inline void
pair_of (const int *x, long i, long half, int pair[BANDS])
{
  x += 2 * i;
  int left = i > 0 ? x[-2] : x[2];
  int before = i > 0 ? x[-1] : x[1];
  int right = i < half - 1 ? x[2] : x[0];
  int d_before = before - ((left + x[0]) >> 1);
  int d = x[1] - ((x[0] + right) >> 1);
  pair[LOW] = x[0] + ((d_before + d + 2) >> 2);
  pair[HIGH] = d;
}
#pragma omp end declare target

/* A level: FROM becomes four bands in TO.  A thread walks down a stripe, HEIGHT
   pairs of rows, with the last row of even number and the last difference in
   hand, of low frequency and of high.  */
static void
level (const int *from, int *to, long rows, long cols, long height)
{
  long half = cols / 2, pairs = rows / 2, size = pairs * half;
  long stripes = (pairs + height - 1) / height;
#pragma omp target teams distribute parallel for collapse(2)
  for (long s = 0; s < stripes; s++)
    for (long i = 0; i < half; i++)
      {
	long r = s * height;
	long end = r + height < pairs ? r + height : pairs;
	int even[BANDS], odd[BANDS], next[BANDS], d_before[BANDS];
	pair_of (from + 2 * r * cols, i, half, even);
	/* Of the stripe above; at the top, the mirror image.  */
	pair_of (from + (r ? 2 * r - 1 : 1) * cols, i, half, odd);
	pair_of (from + (r ? 2 * r - 2 : 2) * cols, i, half, next);
	for (int b = LOW; b < BANDS; b++)
	  d_before[b] = odd[b] - ((next[b] + even[b]) >> 1);
	for (; r < end; r++)
	  {
	    pair_of (from + (2 * r + 1) * cols, i, half, odd);
	    pair_of (from + (r < pairs - 1 ? 2 * r + 2 : 2 * r) * cols, i, half,
		     next);
	    for (int b = LOW; b < BANDS; b++)
	      {
		int d = odd[b] - ((even[b] + next[b]) >> 1);
		int *out = to + b * size + r * half + i;
		out[0] = even[b] + ((d_before[b] + d + 2) >> 2);
		out[2 * size] = d;
		d_before[b] = d;
		even[b] = next[b];
	      }
	  }
      }
}

static void
copy (const int *from, int *to, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    to[i] = from[i];
}

static void
transform_colour (int *in, int *out, long rows, long cols, long levels)
{
  for (long l = 0; l < levels; l++, rows /= 2, cols /= 2)
    {
      if (l > 0)
	copy (out, in, rows * cols);
      long steps = (rows + STRIPES * WINDOW - 1) / (STRIPES * WINDOW);
      level (in, out, rows, cols, steps * WINDOW / 2);
    }
}

static void
transform (const struct bench_common *common, const unsigned char *picture,
	   int *const in[COLOURS], int *const out[COLOURS], long rows, long cols,
	   long levels)
{
  long n = rows * cols;
  int *red = in[0], *green = in[1], *blue = in[2];
  int *red_out = out[0], *green_out = out[1], *blue_out = out[2];
#pragma omp target data if(!common->unified) map(to: picture[0:COLOURS * n])  \
  map(alloc: red[0:n], green[0:n], blue[0:n])                                 \
  map(from: red_out[0:n], green_out[0:n], blue_out[0:n])
  for (uint64_t k = 0; k < common->iterations; k++)
    {
      split (picture, red, green, blue, n);
      transform_colour (red, red_out, rows, cols, levels);
      transform_colour (green, green_out, rows, cols, levels);
      transform_colour (blue, blue_out, rows, cols, levels);
    }
}

/* Undo the lifting of COUNT numbers that are STRIDE apart, all of low
   frequency before all of high.  SPACE is for COUNT numbers.  */
static void
host_inverse (int *x, long count, long stride, int *space)
{
  long half = count / 2;
  const int *d = x + half * stride;
  for (long i = 0; i < half; i++)
    {
      int sum = d[(i ? i - 1 : 0) * stride] + d[i * stride] + 2;
      space[2 * i] = x[i * stride] - (int) floor (sum / 4.0);
    }
  for (long i = 0; i < half; i++)
    {
      int sum = space[2 * i] + space[i < half - 1 ? 2 * i + 2 : 2 * i];
      space[2 * i + 1] = d[i * stride] + (int) floor (sum / 2.0);
    }
  for (long i = 0; i < count; i++)
    x[i * stride] = space[i];
}

/* The bands of X to a picture of the quarters, in ROW's order: of rows, the
   first half is of low frequency, and so are the first columns.  */
static void
host_join (const int *x, int *picture, long rows, long cols)
{
  long half = cols / 2, band = rows / 2 * half;
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      picture[r * cols + c]
	= x[((r >= rows / 2) * 2 + (c >= half)) * band + r % (rows / 2) * half
	    + c % half];
}

static bool
check (const unsigned char *picture, int *const out[COLOURS], long rows,
       long cols, long levels)
{
  long n = rows * cols, bad = 0;
  int *x = bench_alloc (false, n * sizeof *x);
  int *joined = bench_alloc (false, n * sizeof *joined);
  int *space = bench_alloc (false, (rows + cols) * sizeof *space);
  for (int k = 0; k < COLOURS; k++)
    {
      memcpy (x, out[k], n * sizeof *x);
      for (long l = levels - 1; l >= 0; l--)
	{
	  long height = rows >> l, width = cols >> l;
	  host_join (x, joined, height, width);
	  for (long c = 0; c < width; c++)
	    host_inverse (joined + c, height, width, space);
	  for (long r = 0; r < height; r++)
	    host_inverse (joined + r * width, width, 1, space);
	  memcpy (x, joined, height * width * sizeof *x);
	}
      for (long i = 0; i < n; i++)
	bad += x[i] != picture[COLOURS * i + k] - 128;
    }
  if (bad)
    bench_message ("wrong result: %ld of %ld values do not come back", bad,
		   COLOURS * n);
  free (x);
  free (joined);
  free (space);
  return !bad;
}

/* Shades with some noise.  */
static void
picture_make (unsigned char *picture, long rows, long cols, uint64_t state)
{
  for (long r = 0; r < rows; r++)
    for (long c = 0; c < cols; c++)
      for (int k = 0; k < COLOURS; k++)
	picture[(r * cols + c) * COLOURS + k]
	  = (r * (k + 1) + 2 * c + bench_below (&state, 32)) / 4;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 32 << 20, .iterations = 1, .seed = 1 };
  uint64_t cols = 1024, levels = 3;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "cols", BENCH_NUMBER, &cols, "of the picture" },
    { "levels", BENCH_NUMBER, &levels, "of the transform" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Transform a picture to wavelets.");
  if (levels < 1 || levels > 12 || cols < UINT64_C (2) << levels
      || cols > 1 << 20 || cols % (1 << levels))
    bench_fatal ("--levels must be between 1 and 12, --cols a multiple of two "
		 "to the power of them, at least twice that");
  long each = COLOURS * (sizeof (char) + 2 * sizeof (int));
  long rows = common.size / (each * cols) >> levels << levels;
  if (rows < 2 << levels)
    bench_fatal ("--size=%llu is too small for %llu levels",
		 (unsigned long long) common.size,
		 (unsigned long long) levels);
  long n = rows * cols;
  uint64_t footprint = (uint64_t) n * each;
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  unsigned char *picture = bench_alloc (unified, COLOURS * n);
  int *in[COLOURS], *out[COLOURS];
  for (int k = 0; k < COLOURS; k++)
    in[k] = bench_alloc (unified, n * sizeof (int));
  for (int k = 0; k < COLOURS; k++)
    out[k] = bench_alloc (unified, n * sizeof (int));
  picture_make (picture, rows, cols, common.seed);
  double start = omp_get_wtime ();
  transform (&common, picture, in, out, rows, cols, levels);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || !common.iterations
		 || check (picture, out, rows, cols, levels);
  uint64_t sum = 0;
  for (int k = 0; k < COLOURS && common.iterations; k++)
    sum = sum * 31 + bench_checksum (out[k], n * sizeof (int));
  for (int k = 0; k < COLOURS; k++)
    {
      bench_free (unified, in[k]);
      bench_free (unified, out[k]);
    }
  bench_free (unified, picture);
  return bench_report (&common, footprint, seconds, correct, "rows", rows, sum);
}
