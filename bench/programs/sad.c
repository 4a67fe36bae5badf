/* sad: sums of absolute differences, the motion search of a video coder.
   SPDX-License-Identifier: GPL-3.0-or-later

   As H.264's: a macroblock of 16 by 16 pixels is compared with each place of a
   window in the picture before, and a sum is kept of each place and each of
   41 parts of the block, of seven shapes.  Region 1 sums the 16 parts of 4 by
   4 pixels; region 2 adds these to 8 by 4, 4 by 8 and 8 by 8, and region 3 those
   to 16 by 8, 8 by 16 and 16 by 16.  Sums are 16 bits; places of a part lie
   side by side, and so do the parts of a shape.  Repetitions compute the same
   again.  Checked against the host's sums of whole parts, exactly, at some of
   the places.  */

#include "kernels.h"

#define BLOCK 16
#define PARTS 41
#define CHECKED 31	/* Each so many-th place.  */

/* Where the sums of each shape begin, in parts of all blocks.  */
enum { AT_4X4 = 0, AT_8X4 = 16, AT_4X8 = 24, AT_8X8 = 32, AT_16X8 = 36,
       AT_8X16 = 38, AT_16X16 = 40 };

struct search
{
  long rows, cols;		/* In blocks.  */
  long range, places;		/* (2 RANGE + 1)^2 */
};

/* BEFORE has a border of RANGE pixels around it.  */
static void
sum_smallest (const uint8_t *now, const uint8_t *before, uint16_t *sum,
	      long rows, long cols, long range)
{
  long side = 2 * range + 1, places = side * side, width = cols * BLOCK;
  long pitch = width + 2 * range;
#pragma omp target teams distribute parallel for collapse(3)
  for (long b = 0; b < rows * cols; b++)
    for (long part = 0; part < 16; part++)
      for (long place = 0; place < places; place++)
	{
	  long y = b / cols * BLOCK + part / 4 * 4;
	  long x = b % cols * BLOCK + part % 4 * 4;
	  const uint8_t *a = now + y * width + x;
	  const uint8_t *c = before + (y + place / side) * pitch + x
			     + place % side;
	  int total = 0;
	  for (int i = 0; i < 4; i++)
	    for (int j = 0; j < 4; j++)
	      {
		int d = a[i * width + j] - c[i * pitch + j];
		total += d < 0 ? -d : d;
	      }
	  sum[(b * 16 + part) * places + place] = total;
	}
}

/* Parts of 4 by 4 are numbered by rows of four, those of 8 by 8 by rows of
   two; a thread adds up one of these.  */
static void
sum_eights (uint16_t *sum, long blocks, long places)
{
#pragma omp target teams distribute parallel for collapse(3)
  for (long b = 0; b < blocks; b++)
    for (long part = 0; part < 4; part++)
      for (long place = 0; place < places; place++)
	{
	  long first = b * 16 + part / 2 * 8 + part % 2 * 2;
	  const uint16_t *four = sum + first * places + place;
	  int a = four[0], c = four[places];
	  int e = four[4 * places], g = four[5 * places];
	  uint16_t *wide = sum + AT_8X4 * blocks * places + place;
	  uint16_t *high = sum + AT_4X8 * blocks * places + place;
	  uint16_t *both = sum + AT_8X8 * blocks * places + place;
	  wide[(b * 8 + 2 * part) * places] = a + c;
	  wide[(b * 8 + 2 * part + 1) * places] = e + g;
	  high[(b * 8 + 2 * part) * places] = a + e;
	  high[(b * 8 + 2 * part + 1) * places] = c + g;
	  both[(b * 4 + part) * places] = a + c + e + g;
	}
}

static void
sum_sixteens (uint16_t *sum, long blocks, long places)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long b = 0; b < blocks; b++)
    for (long place = 0; place < places; place++)
      {
	const uint16_t *eight = sum + (AT_8X8 * blocks + b * 4) * places + place;
	int a = eight[0], c = eight[places];
	int e = eight[2 * places], g = eight[3 * places];
	uint16_t *wide = sum + (AT_16X8 * blocks + b * 2) * places + place;
	uint16_t *high = sum + (AT_8X16 * blocks + b * 2) * places + place;
	wide[0] = a + c;
	wide[places] = e + g;
	high[0] = a + e;
	high[places] = c + g;
	sum[(AT_16X16 * blocks + b) * places + place] = a + c + e + g;
      }
}

static void
run (const struct bench_common *common, const struct search *s,
     const uint8_t *now, const uint8_t *before, uint16_t *sum)
{
  long blocks = s->rows * s->cols, sums = PARTS * blocks * s->places;
  long pixels = blocks * BLOCK * BLOCK;
  long wider = (s->rows * BLOCK + 2 * s->range)
	       * (s->cols * BLOCK + 2 * s->range);
#pragma omp target data if(!common->unified)                                  \
  map(to: now[0:pixels], before[0:wider]) map(from: sum[0:sums])
  for (uint64_t k = 0; k < common->iterations; k++)
    {
      sum_smallest (now, before, sum, s->rows, s->cols, s->range);
      sum_eights (sum, blocks, s->places);
      sum_sixteens (sum, blocks, s->places);
    }
}

/* What part PART of shape WIDTH by HEIGHT of block B sums up to at PLACE.  */
static int
host_sum (const struct search *s, const uint8_t *now, const uint8_t *before,
	  long b, long part, long width, long height, long place)
{
  long pitch = s->cols * BLOCK, wide = pitch + 2 * s->range;
  /* Parts of 8 by 4 and 4 by 8 are in pairs, one pair for each 8 by 8.  */
  long y = part / (BLOCK / width) * height, x = part % (BLOCK / width) * width;
  if (width + height == 12)
    {
      y = part / 4 * 8 + (height == 4 ? part % 2 * 4 : 0);
      x = part / 2 % 2 * 8 + (width == 4 ? part % 2 * 4 : 0);
    }
  y += b / s->cols * BLOCK;
  x += b % s->cols * BLOCK;
  int total = 0;
  for (long i = y; i < y + height; i++)
    for (long j = x; j < x + width; j++)
      total += abs (now[i * pitch + j]
		    - before[(i + place / (2 * s->range + 1)) * wide + j
			     + place % (2 * s->range + 1)]);
  return total;
}

static bool
check (const struct search *s, const uint8_t *now, const uint8_t *before,
       const uint16_t *sum)
{
  static const int shape[][3] = { { 4, 4, AT_4X4 }, { 8, 4, AT_8X4 },
				  { 4, 8, AT_4X8 }, { 8, 8, AT_8X8 },
				  { 16, 8, AT_16X8 }, { 8, 16, AT_8X16 },
				  { 16, 16, AT_16X16 } };
  long blocks = s->rows * s->cols;
  for (int k = 0; k < 7; k++)
    {
      long parts = BLOCK * BLOCK / (shape[k][0] * shape[k][1]);
      const uint16_t *of_shape = sum + shape[k][2] * blocks * s->places;
      for (long i = 0; i < blocks * parts; i++)
	for (long place = i % CHECKED; place < s->places; place += CHECKED)
	  {
	    int expected = host_sum (s, now, before, i / parts, i % parts,
				     shape[k][0], shape[k][1], place);
	    if (of_shape[i * s->places + place] != expected)
	      {
		bench_message ("wrong result: sum of part %ld, %d by %d, place "
			       "%ld is %d, not %d", i, shape[k][0], shape[k][1],
			       place, of_shape[i * s->places + place],
			       expected);
		return false;
	      }
	  }
    }
  return true;
}

/* Bytes for so many rows of blocks.  */
static uint64_t
bytes_of (const struct search *s, long rows)
{
  uint64_t blocks = rows * s->cols;
  return blocks * (PARTS * s->places * sizeof (uint16_t) + BLOCK * BLOCK)
	 + (rows * BLOCK + 2 * s->range) * (s->cols * BLOCK + 2 * s->range);
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 1, .seed = 1 };
  uint64_t cols = 11, range = 16;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "cols", BENCH_NUMBER, &cols, "of the picture, in blocks" },
    { "range", BENCH_NUMBER, &range, "of the search, in pixels" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Search a picture in the one before.");
  if (cols < 1 || cols > 1 << 12 || range < 1 || range > 64)
    bench_fatal ("--cols must be between 1 and %d, --range and 64", 1 << 12);
  struct search s = { .cols = cols, .range = range };
  s.places = (2 * s.range + 1) * (2 * s.range + 1);
  while (bytes_of (&s, s.rows + 1) <= common.size)
    s.rows++;
  if (s.rows < 1)
    bench_fatal ("--size=%llu is too small for a row of blocks",
		 (unsigned long long) common.size);
  uint64_t footprint = bytes_of (&s, s.rows);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  long pixels = s.rows * s.cols * BLOCK * BLOCK;
  long wider = (s.rows * BLOCK + 2 * s.range) * (s.cols * BLOCK + 2 * s.range);
  long sums = PARTS * s.rows * s.cols * s.places;
  uint8_t *now = bench_alloc (unified, pixels);
  uint8_t *before = bench_alloc (unified, wider);
  uint16_t *sum = bench_alloc (unified, sums * sizeof *sum);
  uint64_t state = common.seed;
  for (long i = 0; i < pixels; i++)
    now[i] = bench_below (&state, 256);
  for (long i = 0; i < wider; i++)
    before[i] = bench_below (&state, 256);
  double start = omp_get_wtime ();
  run (&common, &s, now, before, sum);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || !common.iterations
		 || check (&s, now, before, sum);
  uint64_t hash
    = common.iterations ? bench_checksum (sum, sums * sizeof *sum) : 0;
  bench_free (unified, now);
  bench_free (unified, before);
  bench_free (unified, sum);
  return bench_report (&common, footprint, seconds, correct, "rows", s.rows,
		       hash);
}
