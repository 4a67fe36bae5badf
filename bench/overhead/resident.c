/* resident: regions whose data is already on the device, against the same
   code on the host.
   SPDX-License-Identifier: GPL-3.0-or-later

   Alternates, in one process, the region on the device and its host version
   on a copy of the data in ordinary memory (the `if` clause is false), and
   prints the ratio of the medians.  On the simulated GPU both run the same
   instructions on the same cores, so that the ratio is what the simulator
   and libummgr cost.  */

#include "common.h"

static void
smooth (const float *from, float *to, long n, int work, bool offload)
{
#pragma omp target teams distribute parallel for if(target: offload)
  for (long i = 1; i < n - 1; i++)
    {
      float x = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
      for (int k = 0; k < work; k++)
	x = 0.5f * (x + from[i] / (x + 1.0f));
      to[i] = x;
    }
}

struct side
{
  float *from, *to;
  double *seconds;
  bool unified;
};

static struct side
side_make (long n, uint64_t rounds, bool unified)
{
  struct side s = { .unified = unified };
  s.from = bench_alloc (unified, n * sizeof *s.from);
  s.to = bench_alloc (unified, n * sizeof *s.to);
  s.seconds = bench_alloc (false, rounds * sizeof *s.seconds);
  for (long i = 0; i < n; i++)
    {
      s.from[i] = 1 + i % 7;
      s.to[i] = 0;
    }
  return s;
}

static double
side_finish (struct side *s, uint64_t rounds)
{
  qsort (s->seconds, rounds, sizeof *s->seconds, bench_by_value);
  double median = s->seconds[rounds / 2];
  bench_free (s->unified, s->from);
  bench_free (s->unified, s->to);
  free (s->seconds);
  return median;
}

static void
round_run (struct side *s, long n, int work, bool offload, double *seconds)
{
  double start = omp_get_wtime ();
  smooth (s->from, s->to, n, work, offload);
  *seconds = omp_get_wtime () - start;
}

int
main (int argc, char **argv)
{
  struct bench_common common = { .size = 64 << 20, .iterations = 11,
				 .seed = 1 };
  uint64_t work = 8;
  const struct bench_option options[] = {
    { "work", BENCH_NUMBER, &work, "divisions for each element" },
    BENCH_COMMON_OPTIONS (common),
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options,
	       "Compare regions on resident data with the host.");
  long n = common.size / (2 * sizeof (float));
  uint64_t rounds = common.iterations;
  if (n < 3 || rounds < 1)
    bench_fatal ("--size and --iterations are too small");
  common.unified = bench_unified (common.unified);
  struct side device = side_make (n, rounds, common.unified);
  struct side host = side_make (n, rounds, false);
  float *from = device.from, *to = device.to;
#pragma omp target data if(!common.unified) map(to: from[0:n])               \
  map(tofrom: to[0:n])
  {
    double first;
    /* Managed data becomes resident; threads and caches warm up.  */
    round_run (&device, n, work, true, &first);
    round_run (&host, n, work, false, &first);
    for (uint64_t r = 0; r < rounds; r++)
      {
	round_run (&device, n, work, true, &device.seconds[r]);
	round_run (&host, n, work, false, &host.seconds[r]);
      }
  }
  bool same = memcmp (to, host.to, n * sizeof *to) == 0
	      && memcmp (from, host.from, n * sizeof *from) == 0;
  if (!same)
    bench_message ("wrong result: device and host differ");
  double on_device = side_finish (&device, rounds);
  double on_host = side_finish (&host, rounds);
  printf ("device_us=%.1f host_us=%.1f ratio=%.4f\n", on_device * 1e6,
	  on_host * 1e6, on_device / on_host);
  return !same;
}
