/* hybridsort: numbers into buckets, and merge sort in each.
   SPDX-License-Identifier: GPL-3.0-or-later

   After Sintorn and Assarsson, "Fast parallel GPU-sorting using a hybrid
   algorithm" (2007).  Region 1 finds the bucket of each number, and its place
   among those of its block of numbers; region 2 sums up the blocks' counts;
   region 3 moves the numbers to their buckets; region 4 sorts them by fours;
   then launches merge pairs of lists, each twice as long as before, from one
   array to the other and back, until all buckets are lists.  A thread has a
   block, a bucket, four numbers or a pair.  The bounds of the buckets are
   quantiles of a sample, on the host.  Checked against qsort, exactly.

   As in Rodinia's hybridsort: the array that the numbers come in is the second
   one of the merges; the blocks, whose threads go side by side there, take
   turns of 32 numbers each, and their counts are not in global memory until they
   are complete; and each repetition, of which there are four there, has arrays
   of its own.  So the data that is used moves.  */

#include "kernels.h"

#define BLOCK 4096	/* Numbers of a block, about.  */
#define TURN 32
#define SAMPLES 16	/* For each bucket.  */
#define BUCKETS_MOST 1024

struct sorted
{
  long n, buckets, blocks;
  float *a, *b;			/* [n]: input in A.  */
  int *bucket;			/* [n]: of each number, and its place there
				   among the block's.  */
  float *bound;			/* [buckets - 1] */
  int *place;			/* [blocks][buckets]: counts, then places.  */
  int *start;			/* [buckets + 1] */
  float *input;			/* [n]: the host's copy.  */
};

static void
find_buckets (const float *input, const float *bound, int *bucket, int *place,
	      long n, long blocks, long buckets)
{
#pragma omp target teams distribute parallel for
  for (long block = 0; block < blocks; block++)
    {
      int count[BUCKETS_MOST];
      for (long k = 0; k < buckets; k++)
	count[k] = 0;
      for (long turn = block * TURN; turn < n; turn += blocks * TURN)
	for (long i = turn; i < turn + TURN && i < n; i++)
	  {
	    float x = input[i];
	    long low = 0, high = buckets - 1;
	    while (low < high)
	      {
		long middle = (low + high) / 2;
		if (bound[middle] <= x)
		  low = middle + 1;
		else
		  high = middle;
	      }
	    bucket[i] = count[low]++ * buckets + low;
	  }
      for (long k = 0; k < buckets; k++)
	place[block * buckets + k] = count[k];
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
move (const float *input, const int *bucket, const int *place, const int *start,
      float *to, long n, long blocks, long buckets)
{
#pragma omp target teams distribute parallel for
  for (long block = 0; block < blocks; block++)
    {
      int first[BUCKETS_MOST];
      for (long k = 0; k < buckets; k++)
	first[k] = start[k] + place[block * buckets + k];
      for (long turn = block * TURN; turn < n; turn += blocks * TURN)
	for (long i = turn; i < turn + TURN && i < n; i++)
	  to[first[bucket[i] % buckets] + bucket[i] / buckets] = input[i];
    }
}

/* By insertion, the FOURS fours, or fewer, of each bucket.  */
static void
sort_fours (const float *from, float *to, const int *start, long buckets,
	    long fours)
{
#pragma omp target teams distribute parallel for collapse(2)
  for (long k = 0; k < buckets; k++)
    for (long four = 0; four < fours; four++)
      {
	long first = start[k] + 4 * four;
	long end = first + 4 < start[k + 1] ? first + 4 : start[k + 1];
	float sorted[4];
	for (long i = first; i < end; i++)
	  {
	    float x = from[i];
	    long j = i - first;
	    for (; j > 0 && sorted[j - 1] > x; j--)
	      sorted[j] = sorted[j - 1];
	    sorted[j] = x;
	  }
	for (long i = first; i < end; i++)
	  to[i] = sorted[i - first];
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

/* Sort the data, which is in B, in its buckets, the largest of which has
   LONGEST; is the result in A, not B?  */
static bool
sort_buckets (float *a, float *b, const int *start, long buckets, long longest)
{
  bool in_a = true;
  sort_fours (b, a, start, buckets, (longest + 3) / 4);
  for (long width = 4; width < longest; width *= 2, in_a = !in_a)
    merge (in_a ? a : b, in_a ? b : a, start, buckets,
	   (longest + 2 * width - 1) / (2 * width), width);
  return in_a;
}

/* Is the result in A?  */
static bool
sort (const struct sorted *s, bool unified)
{
  long n = s->n, buckets = s->buckets, blocks = s->blocks;
  float *a = s->a, *b = s->b, *bound = s->bound;
  int *bucket = s->bucket, *place = s->place, *start = s->start;
  bool in_a = true;
#pragma omp target data if(!unified) map(to: bound[0:buckets - 1])            \
  map(alloc: bucket[0:n], place[0:blocks * buckets], start[0:buckets + 1])    \
  map(tofrom: a[0:n], b[0:n])
  {
    find_buckets (a, bound, bucket, place, n, blocks, buckets);
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
    move (a, bucket, place, start, b, n, blocks, buckets);
    in_a = sort_buckets (a, b, start, buckets, longest);
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
      s->input[i] = s->a[i] = x * x;
      s->b[i] = 0;
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

static void
sorted_make (struct sorted *s, bool unified, uint64_t state)
{
  s->a = bench_alloc (unified, s->n * sizeof *s->a);
  s->b = bench_alloc (unified, s->n * sizeof *s->b);
  s->bucket = bench_alloc (unified, s->n * sizeof *s->bucket);
  s->bound = bench_alloc (unified, s->buckets * sizeof *s->bound);
  s->place = bench_alloc (unified, s->blocks * s->buckets * sizeof *s->place);
  s->start = bench_alloc (unified, (s->buckets + 1) * sizeof *s->start);
  s->input = bench_alloc (false, s->n * sizeof *s->input);
  numbers_make (s, state);
}

static void
sorted_free (const struct sorted *s, bool unified)
{
  void *const arrays[]
    = { s->a, s->b, s->bucket, s->bound, s->place, s->start };
  for (int k = 0; k < 6; k++)
    bench_free (unified, arrays[k]);
  free (s->input);
}

/* As many numbers as BYTES hold.  */
static void
sorted_fit (struct sorted *s, uint64_t bytes)
{
  /* A block that is not full has as many counts as one that is.  */
  double fixed = 4 * 3 * s->buckets;
  double n = (bytes - fixed) / (12 + 4.0 * s->buckets / BLOCK);
  if (n < 1 || n > INT32_MAX)
    bench_fatal ("%llu bytes for a repetition are too few, or too many: they "
		 "make %.0f numbers of at most %d", (unsigned long long) bytes,
		 n, INT32_MAX);
  s->n = n;
  s->blocks = (s->n + BLOCK - 1) / BLOCK;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 16 << 20, .iterations = 4, .seed = 1 };
  uint64_t buckets = BUCKETS_MOST;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "buckets", BENCH_NUMBER, &buckets, "to sort into" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Sort numbers by buckets and merging.");
  if (buckets < 2 || buckets > BUCKETS_MOST)
    bench_fatal ("--buckets must be between 2 and %d", BUCKETS_MOST);
  if (common.iterations < 1 || common.iterations > 1 << 10)
    bench_fatal ("--iterations must be between 1 and %d", 1 << 10);
  struct sorted s = { .buckets = buckets };
  sorted_fit (&s, common.size / common.iterations);
  uint64_t footprint = common.iterations * 4
		       * (3 * s.n + s.blocks * buckets + 2 * buckets);
  if (bench_footprint (&common, footprint))
    return 0;

  bool unified = common.unified = bench_unified (common.unified);
  struct sorted *each = bench_alloc (false, common.iterations * sizeof *each);
  for (uint64_t k = 0; k < common.iterations; k++)
    {
      each[k] = s;
      sorted_make (&each[k], unified, common.seed + k);
    }
  bool correct = true;
  uint64_t sum = 0;
  double seconds = 0;
  for (uint64_t k = 0; k < common.iterations; k++)
    {
      double start = omp_get_wtime ();
      const float *result = sort (&each[k], unified) ? each[k].a : each[k].b;
      seconds += omp_get_wtime () - start;
      correct = correct
		&& (common.no_check || check (each[k].input, result, s.n));
      sum = sum * 31 + bench_checksum (result, s.n * sizeof *result);
    }
  for (uint64_t k = 0; k < common.iterations; k++)
    sorted_free (&each[k], unified);
  free (each);
  return bench_report (&common, footprint, seconds, correct, "numbers", s.n,
		       sum);
}
