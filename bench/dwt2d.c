/* dwt2d: the reversible 5/3 wavelet transform of a picture, level by level.
   SPDX-License-Identifier: GPL-3.0-or-later

   The lifting steps of JPEG 2000 (ISO/IEC 15444-1, annex F), on integers:

     d(i) = x(2i+1) - floor ((x(2i) + x(2i+2)) / 2)
     s(i) = x(2i) + floor ((d(i-1) + d(i) + 2) / 4)

   mirrored at the ends, along rows and then down columns.  A region takes the
   picture apart into red, green and blue; two for each level and colour
   transform what the level before left of low frequencies, the top left
   quarter.  So that part of the data is used again and again.  Checked on the
   host by the inverse transform, which must give the picture back exactly.
   Each repetition begins anew.  */

#include "kernels.h"

#define COLOURS 3

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

/* A row of FROM is PITCH long; a thread makes a pair, one of low and one of
   high frequency.  Shifts of negative numbers are GCC's, which round down.  */
static void
along_rows (const int *from, int *to, long rows, long cols, long pitch)
{
  long half = cols / 2;
#pragma omp target teams distribute parallel for collapse(2)
  for (long r = 0; r < rows; r++)
    for (long i = 0; i < half; i++)
      {
	const int *x = from + r * pitch + 2 * i;
	int left = i > 0 ? x[-2] : x[2];
	int before = i > 0 ? x[-1] : x[1];
	int right = i < half - 1 ? x[2] : x[0];
	int d_before = before - ((left + x[0]) >> 1);
	int d = x[1] - ((x[0] + right) >> 1);
	to[r * pitch + i] = x[0] + ((d_before + d + 2) >> 2);
	to[r * pitch + half + i] = d;
      }
}

static void
down_columns (const int *from, int *to, long rows, long cols, long pitch)
{
  long half = rows / 2;
#pragma omp target teams distribute parallel for collapse(2)
  for (long i = 0; i < half; i++)
    for (long c = 0; c < cols; c++)
      {
	const int *x = from + 2 * i * pitch + c;
	int above = i > 0 ? x[-2 * pitch] : x[2 * pitch];
	int before = i > 0 ? x[-pitch] : x[pitch];
	int below = i < half - 1 ? x[2 * pitch] : x[0];
	int d_before = before - ((above + x[0]) >> 1);
	int d = x[pitch] - ((x[0] + below) >> 1);
	to[i * pitch + c] = x[0] + ((d_before + d + 2) >> 2);
	to[(half + i) * pitch + c] = d;
      }
}

static void
transform (const struct bench_common *common, const unsigned char *picture,
	   int *const colour[COLOURS], int *between, long rows, long cols,
	   long levels)
{
  long n = rows * cols;
  int *red = colour[0], *green = colour[1], *blue = colour[2];
#pragma omp target data if(!common->unified) map(to: picture[0:COLOURS * n])  \
  map(from: red[0:n], green[0:n], blue[0:n]) map(alloc: between[0:n])
  for (uint64_t k = 0; k < common->iterations; k++)
    {
      split (picture, red, green, blue, n);
      for (int c = 0; c < COLOURS; c++)
	for (long l = 0; l < levels; l++)
	  {
	    along_rows (colour[c], between, rows >> l, cols >> l, cols);
	    down_columns (between, colour[c], rows >> l, cols >> l, cols);
	  }
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

static bool
check (const unsigned char *picture, int *const colour[COLOURS], long rows,
       long cols, long levels)
{
  long n = rows * cols, bad = 0;
  int *x = bench_alloc (false, n * sizeof *x);
  int *space = bench_alloc (false, (rows + cols) * sizeof *space);
  for (int k = 0; k < COLOURS; k++)
    {
      memcpy (x, colour[k], n * sizeof *x);
      for (long l = levels - 1; l >= 0; l--)
	{
	  for (long c = 0; c < cols >> l; c++)
	    host_inverse (x + c, rows >> l, cols, space);
	  for (long r = 0; r < rows >> l; r++)
	    host_inverse (x + r * cols, cols >> l, 1, space);
	}
      for (long i = 0; i < n; i++)
	bad += x[i] != picture[COLOURS * i + k] - 128;
    }
  if (bad)
    bench_message ("wrong result: %ld of %ld values do not come back", bad,
		   COLOURS * n);
  free (x);
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
  uint64_t cols = 512, levels = 4;
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
  long each = COLOURS * (sizeof (char) + sizeof (int)) + sizeof (int);
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
  int *colour[COLOURS];
  for (int k = 0; k < COLOURS; k++)
    colour[k] = bench_alloc (unified, n * sizeof (int));
  int *between = bench_alloc (unified, n * sizeof *between);
  picture_make (picture, rows, cols, common.seed);
  double start = omp_get_wtime ();
  transform (&common, picture, colour, between, rows, cols, levels);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || !common.iterations
		 || check (picture, colour, rows, cols, levels);
  uint64_t sum = 0;
  for (int k = 0; k < COLOURS && common.iterations; k++)
    sum = sum * 31 + bench_checksum (colour[k], n * sizeof (int));
  for (int k = 0; k < COLOURS; k++)
    bench_free (unified, colour[k]);
  bench_free (unified, picture);
  bench_free (unified, between);
  return bench_report (&common, footprint, seconds, correct, "rows", rows, sum);
}
