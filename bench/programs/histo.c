/* histo: a saturating histogram of a long input.
   SPDX-License-Identifier: GPL-3.0-or-later

   Counts stop at 255.  Most values lie around the middle of the range, so that
   they meet in few bins; one in eight lies anywhere.  Each repetition computes the histogram anew,
   in four regions: clear the counters, find the bin of each value, count, and
   saturate.  A thread has a value, or a bin; counters are atomic.  Checked
   against the host's own counts, exactly.

   Bins are found as in Parboil's histo, whose input is a picture of 996 pixels a
   row: threads side by side walk down 16 rows, each with two pixels of a row,
   and all such stripes are on their way at once.  Of its histograms in shared
   memory there is nothing here.  */

#include "kernels.h"

#define MOST 255
#define WIDTH 996	/* Values of a row.  */
#define STRIPE 16	/* Rows.  */

struct data
{
  uint32_t *value, *place;	/* [n] */
  uint32_t *counter;		/* [bins] */
  uint8_t *histogram;		/* [bins] */
};

static void
clear (uint32_t *counter, long bins)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < bins; i++)
    counter[i] = 0;
}

/* Two that lie side by side go to the two halves of the row.  */
static void
find_places (const uint32_t *value, uint32_t *place, long n, long bins)
{
  long rows = n / WIDTH, stripes = (rows + STRIPE - 1) / STRIPE;
#pragma omp target teams distribute parallel for collapse(2)
  for (long s = 0; s < stripes; s++)
    for (long x = 0; x < WIDTH / 2; x++)
      for (long r = s * STRIPE; r < (s + 1) * STRIPE && r < rows; r++)
	{
	  const uint32_t *from = value + r * WIDTH + 2 * x;
	  uint32_t *to = place + r * WIDTH + x;
	  to[0] = (uint32_t) ((uint64_t) from[0] * bins >> 32);
	  to[WIDTH / 2] = (uint32_t) ((uint64_t) from[1] * bins >> 32);
	}
}

static void
count (const uint32_t *place, uint32_t *counter, long n)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    {
      uint32_t at = place[i];
#pragma omp atomic update
      counter[at]++;
    }
}

static void
saturate (const uint32_t *counter, uint8_t *histogram, long bins)
{
#pragma omp target teams distribute parallel for
  for (long i = 0; i < bins; i++)
    histogram[i] = counter[i] < MOST ? counter[i] : MOST;
}

static void
run (const struct bench_common *common, const struct data *d, long n, long bins)
{
  uint32_t *value = d->value, *place = d->place, *counter = d->counter;
  uint8_t *histogram = d->histogram;
#pragma omp target data if(!common->unified) map(to: value[0:n])              \
  map(alloc: place[0:n], counter[0:bins]) map(tofrom: histogram[0:bins])
  for (uint64_t k = 0; k < common->iterations; k++)
    {
      clear (counter, bins);
      find_places (value, place, n, bins);
      count (place, counter, n);
      saturate (counter, histogram, bins);
    }
}

static bool
check (const struct data *d, long n, long bins, uint64_t iterations)
{
  uint32_t *expected = bench_alloc (false, bins * sizeof *expected);
  memset (expected, 0, bins * sizeof *expected);
  for (long i = 0; i < n && iterations; i++)
    expected[(uint64_t) d->value[i] * bins >> 32]++;
  long i = 0;
  while (i < bins
	 && d->histogram[i] == (expected[i] < MOST ? expected[i] : MOST))
    i++;
  if (i < bins)
    bench_message ("wrong result: bin %ld has %u, not %u of at most %d", i,
		   d->histogram[i], expected[i], MOST);
  free (expected);
  return i == bins;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 5, .seed = 1 };
  uint64_t bins = 65536;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "bins", BENCH_NUMBER, &bins, "of the histogram" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Count values up to 255 in bins.");
  if (bins < 1 || bins > UINT32_C (1) << 28)
    bench_fatal ("--bins must be between 1 and %d", 1 << 28);
  struct data d;
  uint64_t fixed = bins * (sizeof *d.counter + sizeof *d.histogram);
  uint64_t each = sizeof *d.value + sizeof *d.place;
  long n = common.size > fixed ? (common.size - fixed) / each : 0;
  n = n / WIDTH * WIDTH;
  if (n < 1)
    bench_fatal ("--size=%llu is too small for the bins and a row",
		 (unsigned long long) common.size);
  uint64_t footprint = fixed + n * each;
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  d.value = bench_alloc (unified, n * sizeof *d.value);
  d.place = bench_alloc (unified, n * sizeof *d.place);
  d.counter = bench_alloc (unified, bins * sizeof *d.counter);
  d.histogram = bench_alloc (unified, bins * sizeof *d.histogram);
  uint64_t state = common.seed;
  for (long i = 0; i < n; i++)
    {
      /* Eight uniform ones make a bell; it is narrow.  */
      int64_t sum = 0, middle = INT64_C (1) << 31;
      for (int k = 0; k < 8; k++)
	sum += (int64_t) bench_below (&state, 2 * middle) - middle;
      bool anywhere = bench_below (&state, 8) == 0;
      d.value[i] = anywhere ? bench_below (&state, 2 * middle)
			    : (uint64_t) (middle + sum / (8 * 32));
    }
  memset (d.histogram, 0, bins);
  double start = omp_get_wtime ();
  run (&common, &d, n, bins);
  double seconds = omp_get_wtime () - start;

  bool correct = common.no_check || check (&d, n, bins, common.iterations);
  uint64_t sum = bench_checksum (d.histogram, bins);
  bench_free (unified, d.value);
  bench_free (unified, d.place);
  bench_free (unified, d.counter);
  bench_free (unified, d.histogram);
  return bench_report (&common, footprint, seconds, correct, "values", n, sum);
}
