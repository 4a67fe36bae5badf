/* hybridsort: numbers into buckets, and merge sort in each.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Sintorn and Assarsson, "Fast parallel GPU-sorting using a hybrid
   algorithm" (2007).  Region 1 finds the bucket of each number, and counts
   them by blocks of numbers; region 2 sums up the blocks' counts; region 3
   moves the numbers to their buckets; region 4 sorts them by fours; then
   launches merge pairs of lists, each twice as long as before, from one array
   to the other and back, until all buckets are lists.  A thread has a block,
   a bucket, four numbers or a pair.  The bounds of the buckets are quantiles
   of a sample, on the host.  Repetitions sort the same again.  Checked against
   qsort, exactly.  */

#include "kernels.h"

#define BLOCK 1024	/* Numbers of a block.  */
#define SAMPLES 16	/* For each bucket.  */

struct sorted
{
  long n, buckets, blocks;
  float *input, *a, *b;		/* [n] */
  int *bucket;			/* [n]: of each number.  */
  float *bound;			/* [buckets - 1] */
  int *place;			/* [blocks][buckets]: counts, then places.  */
  int *start;			/* [buckets + 1] */
};

static void
find_buckets (const float *input, const float *bound, int *bucket, int *place,
	      long n, long blocks, long buckets)
{
#pragma omp target teams distribute parallel for
  for (long block = 0; block < blocks; block++)
    {
      long end = (block + 1) * BLOCK < n ? (block + 1) * BLOCK : n;
      int *count = place + block * buckets;
      for (long k = 0; k < buckets; k++)
	count[k] = 0;
      for (long i = block * BLOCK; i < end; i++)
	{
	  long low = 0, high = buckets - 1;
	  while (low < high)
	    {
	      long middle = (low + high) / 2;
	      if (bound[middle] <= input[i])
		low = middle + 1;
	      else
		high = middle;
	    }
	  bucket[i] = low;
	  count[low]++;
	}
    }
}

/* Counts become places in the bucket; START[k + 1] is how many bucket K has.  */
static void
sum_counts (int *place, int *start, long blocks, long buckets)
{
#pragma omp target teams distribute parallel for
  for (long k = 0; k < buckets; k++)
    {
      int sum = 0;
      for (long block = 0; block < blocks; block++)
	{
	  int count = place[block * buckets + k];
	  place[block * buckets + k] = sum;
	  sum += count;
	}
      start[k + 1] = sum;
    }
}

static void
move (const float *input, const int *bucket, int *place, const int *start,
      float *a, long n, long blocks, long buckets)
{
#pragma omp target teams distribute parallel for
  for (long block = 0; block < blocks; block++)
    {
      long end = (block + 1) * BLOCK < n ? (block + 1) * BLOCK : n;
      for (long i = block * BLOCK; i < end; i++)
	{
	  int k = bucket[i];
	  a[start[k] + place[block * buckets + k]++] = input[i];
	}
    }
}

/* By insertion, the FOURS fours, or fewer, of each bucket.  */
static void
sort_fours (float *a, const int *start, long buckets, long fours)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long k = 0; k < buckets; k++)
    for (long four = 0; four < fours; four++)
      {
	long from = start[k] + 4 * four;
	long end = from + 4 < start[k + 1] ? from + 4 : start[k + 1];
	for (long i = from + 1; i < end; i++)
	  {
	    float x = a[i];
	    long j = i;
	    for (; j > from && a[j - 1] > x; j--)
	      a[j] = a[j - 1];
	    a[j] = x;
	  }
      }
}

/* Pairs of lists of WIDTH numbers, or fewer at the end of a bucket.  */
static void
merge (const float *from, float *to, const int *start, long buckets, long pairs,
       long width)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long k = 0; k < buckets; k++)
    for (long pair = 0; pair < pairs; pair++)
      {
	long end = start[k + 1], left = start[k] + 2 * width * pair;
	long right = left + width < end ? left + width : end;
	long left_end = right, right_end = right + width < end ? right + width
							       : end;
	for (long i = left; i < right_end; i++)
	  if (right == right_end
	      || (left < left_end && from[left] <= from[right]))
	    to[i] = from[left++];
	  else
	    to[i] = from[right++];
      }
}

/* Sort the data in its buckets, the largest of which has LONGEST; is the
   result in A, not B?  */
static bool
sort_buckets (const struct sorted *s, long longest)
{
  bool in_a = true;
  sort_fours (s->a, s->start, s->buckets, (longest + 3) / 4);
  for (long width = 4; width < longest; width *= 2, in_a = !in_a)
    merge (in_a ? s->a : s->b, in_a ? s->b : s->a, s->start, s->buckets,
	   (longest + 2 * width - 1) / (2 * width), width);
  return in_a;
}

/* Is the result in A?  */
static bool
sort (const struct bench_common *common, const struct sorted *s)
{
  long n = s->n, buckets = s->buckets, blocks = s->blocks;
  float *input = s->input, *a = s->a, *b = s->b, *bound = s->bound;
  int *bucket = s->bucket, *place = s->place, *start = s->start;
  bool unified = common->unified, in_a = true;
  BENCH_MAPPED (b);
#pragma omp target data if(!unified) map(to: input[0:n], bound[0:buckets - 1])\
  map(alloc: bucket[0:n], place[0:blocks * buckets], start[0:buckets + 1])    \
  map(tofrom: a[0:n], b[0:n])
  for (uint64_t i = 0; i < common->iterations; i++)
    {
      find_buckets (input, bound, bucket, place, n, blocks, buckets);
      sum_counts (place, start, blocks, buckets);
#pragma omp target update if(!unified) from(start[0:buckets + 1])
      long longest = 0;
      start[0] = 0;
      for (long k = 0; k < buckets; k++)
	{
	  longest = start[k + 1] > longest ? start[k + 1] : longest;
	  start[k + 1] += start[k];
	}
#pragma omp target update if(!unified) to(start[0:buckets + 1])
      move (input, bucket, place, start, a, n, blocks, buckets);
      in_a = sort_buckets (s, longest);
    }
  return in_a;
}

static int
compare (const void *a, const void *b)
{
  float x = *(const float *) a, y = *(const float *) b;
  return x < y ? -1 : x > y;
}

static bool
check (const float *input, const float *result, long n)
{
  float *expected = bench_alloc (false, n * sizeof *expected);
  memcpy (expected, input, n * sizeof *expected);
  qsort (expected, n, sizeof *expected, compare);
  long i = 0;
  while (i < n && result[i] == expected[i])
    i++;
  if (i < n)
    bench_message ("wrong result: number %ld is %.9g, not %.9g", i, result[i],
		   expected[i]);
  free (expected);
  return i == n;
}

/* Numbers between 0 and 1, more of them small.  */
static void
numbers_make (const struct sorted *s, uint64_t state)
{
  for (long i = 0; i < s->n; i++)
    {
      double x = bench_uniform (&state);
      s->input[i] = x * x;
      s->a[i] = s->b[i] = 0;
    }
  long samples = s->buckets * SAMPLES;
  float *sample = bench_alloc (false, samples * sizeof *sample);
  for (long i = 0; i < samples; i++)
    sample[i] = s->input[bench_below (&state, s->n)];
  qsort (sample, samples, sizeof *sample, compare);
  for (long k = 0; k < s->buckets - 1; k++)
    s->bound[k] = sample[(k + 1) * SAMPLES];
  free (sample);
}

static uint64_t
bytes_of (const struct sorted *s)
{
  return 4 * (4 * s->n + s->blocks * s->buckets + 2 * s->buckets);
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 1, .seed = 1 };
  uint64_t buckets = 128;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "buckets", BENCH_NUMBER, &buckets, "to sort into" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Sort numbers by buckets and merging.");
  if (buckets < 2 || buckets > 1 << 12)
    bench_fatal ("--buckets must be between 2 and %d", 1 << 12);
  struct sorted s = { .buckets = buckets };
  uint64_t fixed = 8 * buckets, each = 4 * (4 * BLOCK + buckets);
  s.blocks = common.size > fixed ? (common.size - fixed) / each : 0;
  s.n = s.blocks * BLOCK;
  if (s.n < 1 || s.n > INT32_MAX)
    bench_fatal ("--size=%llu makes %ld numbers; they must be between %d and "
		 "%d", (unsigned long long) common.size, s.n, BLOCK,
		 INT32_MAX);
  uint64_t footprint = bytes_of (&s);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  s.input = bench_alloc (unified, s.n * sizeof *s.input);
  s.a = bench_alloc (unified, s.n * sizeof *s.a);
  s.b = bench_alloc (unified, s.n * sizeof *s.b);
  s.bucket = bench_alloc (unified, s.n * sizeof *s.bucket);
  s.bound = bench_alloc (unified, buckets * sizeof *s.bound);
  s.place = bench_alloc (unified, s.blocks * buckets * sizeof *s.place);
  s.start = bench_alloc (unified, (buckets + 1) * sizeof *s.start);
  numbers_make (&s, common.seed);
  double start = omp_get_wtime ();
  bool in_a = sort (&common, &s);
  double seconds = omp_get_wtime () - start;

  const float *result = in_a ? s.a : s.b;
  bool correct = common.no_check || !common.iterations
		 || check (s.input, result, s.n);
  uint64_t sum = bench_checksum (result, s.n * sizeof *result);
  void *const arrays[] = { s.input, s.a, s.b, s.bucket, s.bound, s.place,
			   s.start };
  for (int k = 0; k < 7; k++)
    bench_free (unified, arrays[k]);
  return bench_report (&common, footprint, seconds, correct, "numbers", s.n,
		       sum);
}
