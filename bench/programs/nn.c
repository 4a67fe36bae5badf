/* nn: the records nearest to a place.
   SPDX-License-Identifier: GPL-3.0-or-later

   A region computes the distance of every record to the place asked for; the
   host picks the nearest.  Each iteration asks for another place.  The records
   go to the device once and are read there whole; all distances come back and
   all were written: nothing to find fault with.  Checked against the host's
   own distances, to a relative 1e-5 (a GPU may contract a * b + c).  */

#include "common.h"

#include <math.h>

#define TOLERANCE 1e-5f

struct location
{
  float latitude, longitude;
};

static void
measure (const struct location *d_locations, float *d_distances, long n,
	 struct location place)
{
  float latitude = place.latitude, longitude = place.longitude;
#pragma omp target teams distribute parallel for
  for (long i = 0; i < n; i++)
    {
      float north = d_locations[i].latitude - latitude;
      float east = d_locations[i].longitude - longitude;
      d_distances[i] = sqrtf (north * north + east * east);
    }
}

/* The COUNT records of least distance, nearest first, in NEAREST.  */
static void
pick (const float *distances, long n, long *nearest, long count)
{
  long have = 0;
  for (long i = 0; i < n; i++)
    {
      if (have == count && distances[i] >= distances[nearest[have - 1]])
	continue;
      long at = have < count ? have++ : count - 1;
      while (at > 0 && distances[i] < distances[nearest[at - 1]])
	{
	  nearest[at] = nearest[at - 1];
	  at--;
	}
      nearest[at] = i;
    }
}

static struct location
location_make (uint64_t *state)
{
  struct location l;
  l.latitude = 180 * bench_uniform (state) - 90;
  l.longitude = 360 * bench_uniform (state) - 180;
  return l;
}

/* NEAREST holds the COUNT nearest to PLACE, in order.  */
static bool
check (const struct location *locations, const float *distances, long n,
       struct location place, const long *nearest, long count)
{
  float farthest = distances[nearest[count - 1]];
  long nearer = 0;
  for (long i = 0; i < n; i++)
    {
      float d = hypotf (locations[i].latitude - place.latitude,
			locations[i].longitude - place.longitude);
      if (!(fabsf (distances[i] - d) <= TOLERANCE * (d + 1)))
	{
	  bench_message ("wrong result: distance %ld is %.7g, not %.7g", i,
			 distances[i], d);
	  return false;
	}
      nearer += distances[i] < farthest;
    }
  for (long i = 1; i < count; i++)
    if (distances[nearest[i]] < distances[nearest[i - 1]])
      nearer = count;
  if (nearer >= count)
    bench_message ("wrong result: the %ld records picked are not the nearest",
		   count);
  return nearer < count;
}

/* Ask for place after place; HASH is over the records found.  */
static bool
ask (const struct bench_common *common, const struct location *d_locations,
     float *d_distances, long n, long *nearest, long count, uint64_t *hash,
     double *seconds)
{
  uint64_t state = ~common->seed;
  bool correct = true;
  double start = omp_get_wtime ();
#pragma omp target enter data if(!common->unified)                           \
  map(alloc: d_locations[0:n], d_distances[0:n])
#pragma omp target update if(!common->unified) to(d_locations[0:n])
  *seconds = omp_get_wtime () - start;
  for (uint64_t k = 0; k < common->iterations && correct; k++)
    {
      struct location place = location_make (&state);
      start = omp_get_wtime ();
      measure (d_locations, d_distances, n, place);
#pragma omp target update if(!common->unified) from(d_distances[0:n])
      *seconds += omp_get_wtime () - start;
      pick (d_distances, n, nearest, count);
      *hash = *hash * 31 + bench_checksum (nearest, count * sizeof *nearest);
      correct = common->no_check
		|| check (d_locations, d_distances, n, place, nearest, count);
    }
#pragma omp target exit data if(!common->unified)                            \
  map(delete: d_locations[0:n], d_distances[0:n])
  return correct;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 48 << 20, .iterations = 1, .seed = 1 };
  uint64_t count = 10;
  const struct bench_option options[] = {
    BENCH_COMMON_OPTIONS (common),
    { "nearest", BENCH_NUMBER, &count, "records to find" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Find the records nearest to a place.");
  struct location *d_locations;
  float *d_distances;
  uint64_t each = sizeof *d_locations + sizeof *d_distances;
  long n = common.size / each;
  if (count < 1 || n < (long) count)
    bench_fatal ("--size=%llu holds %ld records; --nearest must be between 1 "
		 "and that", (unsigned long long) common.size, n);
  if (common.footprint)
    {
      printf ("%llu\n", (unsigned long long) (n * each));
      return 0;
    }

  common.unified = bench_unified (common.unified);
  d_locations = bench_alloc (common.unified, n * sizeof *d_locations);
  d_distances = bench_alloc (common.unified, n * sizeof *d_distances);
  long *nearest = bench_alloc (false, count * sizeof *nearest);
  uint64_t state = common.seed, hash = 0;
  for (long i = 0; i < n; i++)
    d_locations[i] = location_make (&state);
  double seconds = 0;
  bool correct = ask (&common, d_locations, d_distances, n, nearest, count,
		      &hash, &seconds);
  char extra[96];
  snprintf (extra, sizeof extra, "records=%ld checksum=%016llx", n,
	    (unsigned long long) hash);
  bench_free (common.unified, d_locations);
  bench_free (common.unified, d_distances);
  free (nearest);
  return bench_result (&common, n * each, seconds, !common.no_check, correct,
		       extra);
}
