/* kmeans: points grouped around centres, Lloyd's method.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each iteration assigns every point to the nearest centre in one target
   region and makes each centre the mean of its points, until no point changes
   its cluster.  The device has the points as [features][points], so that
   neighbouring threads read side by side.  The host computes the means, as
   Rodinia's program does, from the records as they were read; with
   --update=device a second region sums them by blocks of points, and the host
   adds the blocks.  With --turn=device the device turns the records to
   [features][points] in a region of its own, before all others, as Rodinia's
   does: half of the data is then used once, by that.

   In the naive variant each region maps its own data, so that the points,
   which never change, go to the device again and again; the remedied one maps
   them once.  Rodinia's cuda/kmeans/kmeans_cuda.cu and the OpenMP offload versions
   (nctu-sslab's rodinia, passlab's NeoRodinia) do that too; but SC'19's Baseline
   can't, whose Fig. 5 (a) has roughly 90 % of the traffic saved.

   Each assignment is checked on the host, in double: no centre may be nearer than
   the chosen one by more than a relative 1e-5, since points between two centres may
   fall either way.  */

#include "common.h"

#include <float.h>
#include <math.h>

#define TOLERANCE 1e-5
#define BLOCK 1024

struct points
{
  long n, features, clusters, blocks;
  float *records;		/* [n][features]; the host's.  */
  float *input;			/* The device's copy of them, or NULL.  */
  float *feature;		/* [features][n].  */
  float *centres;		/* [clusters][features].  */
  int *membership;		/* [n].  */
  float *partial;		/* [blocks][clusters][features].  */
  int *before;			/* [n]: last membership; the host's.  */
  bool remedied, device_update, device_turn;
};

/* RECORDS to FEATURE's order.  */
static void
turn (const float *records, float *feature, long n, long features, bool mapped)
{
  BENCH_MAPPED (mapped);
#pragma omp target data if(mapped) map(to: records[0:features * n])           \
  map(from: feature[0:features * n])
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    for (long f = 0; f < features; f++)
      feature[f * n + i] = records[i * features + f];
}

static void
assign (const float *feature, const float *centres, int *membership, long n,
	long features, long clusters, bool mapped)
{
  BENCH_MAPPED (mapped);
#pragma omp target data if(mapped)                                            \
  map(to: feature[0:features * n], centres[0:clusters * features])            \
  map(from: membership[0:n])
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    {
      float least = FLT_MAX;
      int nearest = 0;
      for (long c = 0; c < clusters; c++)
	{
	  float distance = 0;
	  for (long f = 0; f < features; f++)
	    {
	      float d = feature[f * n + i] - centres[c * features + f];
	      distance += d * d;
	    }
	  if (distance < least)
	    {
	      least = distance;
	      nearest = c;
	    }
	}
      membership[i] = nearest;
    }
}

/* Sums of the points of each cluster, by blocks of points; a thread has one
   feature of one block, and so a part of PARTIAL to itself.  */
static void
sum_blocks (const float *feature, const int *membership, float *partial,
	    long n, long features, long clusters, long blocks, bool mapped)
{
  BENCH_MAPPED (mapped);
#pragma omp target data if(mapped)                                            \
  map(to: feature[0:features * n], membership[0:n])                           \
  map(from: partial[0:blocks * clusters * features])
#pragma omp target teams distribute parallel for collapse(2)
  for (long b = 0; b < blocks; b++)
    for (long f = 0; f < features; f++)
      {
	long end = (b + 1) * BLOCK < n ? (b + 1) * BLOCK : n;
	for (long c = 0; c < clusters; c++)
	  partial[(b * clusters + c) * features + f] = 0;
	for (long i = b * BLOCK; i < end; i++)
	  partial[(b * clusters + membership[i]) * features + f]
	    += feature[f * n + i];
      }
}

/* SUMS of the points of each cluster, from the records or the blocks.  */
static void
host_sums (const struct points *p, double *sums)
{
  long size = p->clusters * p->features;
  for (long k = 0; k < size; k++)
    sums[k] = 0;
  if (p->device_update)
    for (long b = 0; b < p->blocks; b++)
      for (long k = 0; k < size; k++)
	sums[k] += p->partial[b * size + k];
  else
    for (long i = 0; i < p->n; i++)
      for (long f = 0; f < p->features; f++)
	sums[p->membership[i] * p->features + f]
	  += p->records[i * p->features + f];
}

/* A centre without points stays where it was.  */
static void
move_centres (struct points *p)
{
  long size = p->clusters * p->features;
  double *sums = bench_alloc (false, size * sizeof *sums);
  long *count = bench_alloc (false, p->clusters * sizeof *count);
  memset (count, 0, p->clusters * sizeof *count);
  for (long i = 0; i < p->n; i++)
    count[p->membership[i]]++;
  host_sums (p, sums);
  for (long k = 0; k < size; k++)
    if (count[k / p->features])
      p->centres[k] = sums[k] / count[k / p->features];
  free (sums);
  free (count);
}

/* How many points are in another cluster than before.  */
static long
changes (struct points *p)
{
  long changed = 0;
  for (long i = 0; i < p->n; i++)
    {
      changed += p->membership[i] != p->before[i];
      p->before[i] = p->membership[i];
    }
  return changed;
}

static double
host_distance (const struct points *p, long i, long c)
{
  double sum = 0;
  for (long f = 0; f < p->features; f++)
    {
      double d = (double) p->records[i * p->features + f]
		 - p->centres[c * p->features + f];
      sum += d * d;
    }
  return sum;
}

static bool
check_assignment (const struct points *p)
{
  long wrong = -1;
#pragma omp parallel for reduction(max: wrong)
  for (long i = 0; i < p->n; i++)
    {
      bool valid = p->membership[i] >= 0 && p->membership[i] < p->clusters;
      double chosen = valid ? host_distance (p, i, p->membership[i]) : INFINITY;
      for (long c = 0; c < p->clusters; c++)
	if (!(chosen <= host_distance (p, i, c) * (1 + TOLERANCE) + TOLERANCE))
	  wrong = i;
    }
  if (wrong >= 0)
    bench_message ("wrong result: point %ld is in cluster %d, but another "
		   "centre is nearer", wrong, p->membership[wrong]);
  return wrong < 0;
}

/* The centres against the means of the records.  */
static bool
check_centres (struct points *p)
{
  long size = p->clusters * p->features;
  float *got = bench_alloc (false, size * sizeof *got);
  memcpy (got, p->centres, size * sizeof *got);
  bool device_update = p->device_update;
  p->device_update = false;
  move_centres (p);
  long k = 0;
  while (k < size && fabsf (got[k] - p->centres[k]) <= 1e-4f)
    k++;
  if (k < size)
    bench_message ("wrong result: feature %ld of centre %ld is %.7g, not %.7g",
		   k % p->features, k / p->features, got[k], p->centres[k]);
  memcpy (p->centres, got, size * sizeof *got);
  p->device_update = device_update;
  free (got);
  return k == size;
}

/* One iteration: false if a check failed.  CHANGED is how many points have
   moved; SECONDS gets the time of the regions and the means, not of the
   checks.  */
static bool
iterate (const struct bench_common *common, struct points *p, long *changed,
	 double *seconds)
{
  const long n = p->n, features = p->features, clusters = p->clusters;
  float *feature = p->feature, *centres = p->centres, *partial = p->partial;
  int *membership = p->membership;
  bool own = !common->unified && !p->remedied;
  bool once = !common->unified && p->remedied;
  double start = omp_get_wtime ();
#pragma omp target update if(once) to(centres[0:clusters * features])
  assign (feature, centres, membership, n, features, clusters, own);
#pragma omp target update if(once) from(membership[0:n])
  *seconds += omp_get_wtime () - start;
  if (!common->no_check && !check_assignment (p))
    return false;

  start = omp_get_wtime ();
  if (p->device_update)
    {
      long blocks = p->blocks, sums = blocks * clusters * features;
      BENCH_MAPPED (sums);
      sum_blocks (feature, membership, partial, n, features, clusters, blocks,
		  own);
#pragma omp target update if(once) from(partial[0:sums])
    }
  move_centres (p);
  *changed = changes (p);
  *seconds += omp_get_wtime () - start;
  return common->no_check || !p->device_update || check_centres (p);
}

/* ROUNDS is how many iterations it took.  */
static bool
group (const struct bench_common *common, struct points *p, uint64_t *rounds,
       double *seconds)
{
  long n = p->n, features = p->features, clusters = p->clusters;
  long sums = p->blocks * clusters * features;
  float *feature = p->feature, *centres = p->centres, *partial = p->partial;
  int *membership = p->membership;
  bool once = !common->unified && p->remedied, correct = true;
  bool blocks_once = once && p->device_update;
  BENCH_MAPPED (feature), BENCH_MAPPED (centres), BENCH_MAPPED (partial);
  BENCH_MAPPED (membership), BENCH_MAPPED (sums);
  double start = omp_get_wtime ();
  if (p->device_turn)
    turn (p->input, feature, n, features, !common->unified);
#pragma omp target enter data if(once) map(to: feature[0:features * n])       \
  map(alloc: centres[0:clusters * features], membership[0:n])
#pragma omp target enter data if(blocks_once) map(alloc: partial[0:sums])
  *seconds += omp_get_wtime () - start;
  long changed = 1;
  for (*rounds = 0; *rounds < common->iterations && changed && correct;
       ++*rounds)
    correct = iterate (common, p, &changed, seconds);
#pragma omp target exit data if(once) map(delete: feature[0:features * n],    \
  centres[0:clusters * features], membership[0:n])
#pragma omp target exit data if(blocks_once) map(delete: partial[0:sums])
  return correct;
}

/* Records spread evenly, so that the method takes many iterations; the first
   of them are the first centres.  */
static void
points_make (struct points *p, bool unified, uint64_t state)
{
  long size = p->n * p->features;
  p->records = bench_alloc (false, size * sizeof *p->records);
  if (p->device_turn)
    p->input = bench_alloc (unified, size * sizeof *p->input);
  p->feature = bench_alloc (unified, size * sizeof *p->feature);
  p->centres = bench_alloc (unified,
			    p->clusters * p->features * sizeof *p->centres);
  p->membership = bench_alloc (unified, p->n * sizeof *p->membership);
  p->before = bench_alloc (false, p->n * sizeof *p->before);
  if (p->device_update)
    p->partial = bench_alloc (unified, p->blocks * p->clusters * p->features
				       * sizeof *p->partial);
  for (long i = 0; i < p->n; i++)
    {
      for (long f = 0; f < p->features; f++)
	{
	  float x = bench_uniform (&state);
	  p->records[i * p->features + f] = x;
	  if (p->device_turn)
	    p->input[i * p->features + f] = x;
	  else
	    p->feature[f * p->n + i] = x;
	}
      p->membership[i] = p->before[i] = -1;
    }
  memcpy (p->centres, p->records,
	  p->clusters * p->features * sizeof *p->centres);
}

static void
points_free (struct points *p, bool unified)
{
  free (p->records);
  free (p->before);
  if (p->device_turn)
    bench_free (unified, p->input);
  bench_free (unified, p->feature);
  bench_free (unified, p->centres);
  bench_free (unified, p->membership);
  if (p->device_update)
    bench_free (unified, p->partial);
}

/* As many points as BYTES hold; the bytes they take.  */
static uint64_t
points_fit (struct points *p, uint64_t bytes)
{
  uint64_t copies = p->device_turn ? 2 : 1;
  uint64_t each = copies * p->features * sizeof (float) + sizeof (int);
  uint64_t table = p->clusters * p->features * sizeof (float);
  /* The centres, and what the last block has that is not full.  */
  uint64_t fixed = p->device_update ? 2 * table : table;
  double block = (double) BLOCK * each + (p->device_update ? table : 0);
  double blocks = bytes > fixed ? (bytes - fixed) / block : 0;
  p->n = blocks * BLOCK;
  p->blocks = p->device_update ? (p->n + BLOCK - 1) / BLOCK : 0;
  return p->n * each + (1 + p->blocks) * table;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 24 << 20, .iterations = 20,
				 .seed = 1 };
  uint64_t features = 34, clusters = 5;
  const char *variant = "naive", *update = "host", *turns = "host";
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    BENCH_VARIANT_OPTION (variant),
    { "update", BENCH_TEXT, &update, "of the centres: host or device" },
    { "turn", BENCH_TEXT, &turns,
      "the records to [features][points]: host or device" },
    { "features", BENCH_NUMBER, &features, "of a point" },
    { "clusters", BENCH_NUMBER, &clusters, "to find" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Group points around centres.");
  struct points p = { .features = features, .clusters = clusters,
		      .remedied = bench_remedied (variant) };
  if (strcmp (update, "host") != 0 && strcmp (update, "device") != 0)
    bench_fatal ("--update=%s: expected host or device", update);
  if (strcmp (turns, "host") != 0 && strcmp (turns, "device") != 0)
    bench_fatal ("--turn=%s: expected host or device", turns);
  p.device_update = update[0] == 'd';
  p.device_turn = turns[0] == 'd';
  if (features < 1 || clusters < 1 || features > 1 << 12 || clusters > 1 << 12)
    bench_fatal ("--features and --clusters must be between 1 and %d", 1 << 12);
  uint64_t footprint = points_fit (&p, common.size);
  if (p.n < p.clusters)
    bench_fatal ("--size=%llu holds %ld points, fewer than clusters",
		 (unsigned long long) common.size, p.n);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) footprint);
      return 0;
    }

  common.unified = bench_unified (common.unified);
  points_make (&p, common.unified, common.seed);
  uint64_t rounds = 0;
  double seconds = 0;
  bool correct = group (&common, &p, &rounds, &seconds);
  char extra[192];
  snprintf (extra, sizeof extra, "code=%s update=%s points=%ld rounds=%llu "
	    "checksum=%016llx", variant, update, p.n,
	    (unsigned long long) rounds,
	    (unsigned long long) bench_checksum (p.membership,
						 p.n * sizeof (int)));
  points_free (&p, common.unified);
  return bench_result (&common, footprint, seconds, !common.no_check, correct,
		       extra);
}
