/* faults: how fast first touches of managed memory are served.
   SPDX-License-Identifier: GPL-3.0-or-later

   One region touches one byte in each STRIDE bytes, in one thread, so that
   each touch is one fault where prefetching is off.  Prints what the region
   took in wall and in CPU time (of the whole process); the number of faults
   is in the statistics of `ummgr run`.  */

#include "common.h"

#include <sys/resource.h>

static double
cpu_seconds (void)
{
  struct rusage u;
  getrusage (RUSAGE_SELF, &u);
  return u.ru_utime.tv_sec + u.ru_stime.tv_sec
	 + 1e-6 * (u.ru_utime.tv_usec + u.ru_stime.tv_usec);
}

static uint64_t
touch (unsigned char *data, uint64_t size, uint64_t stride, uint64_t sweeps)
{
  uint64_t sum = 0;
#pragma omp target map(tofrom: sum)
  for (uint64_t s = 0; s < sweeps; s++)
    for (uint64_t i = 0; i < size; i += stride)
      sum += ++data[i];
  return sum;
}

int
main (int argc, char **argv)
{
  uint64_t size = 256 << 20, stride = 64 << 10, sweeps = 1;
  bool written = false;
  const struct bench_option options[] = {
    { "size", BENCH_SIZE, &size, "bytes of managed memory" },
    { "stride", BENCH_SIZE, &stride, "bytes from touch to touch" },
    { "sweeps", BENCH_NUMBER, &sweeps, "over all of it" },
    { "written", BENCH_SWITCH, &written, "the host writes the data first" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Measure faults on managed memory.");
  if (size < 1 || stride < 1 || sweeps < 1 || sweeps > 100)
    bench_fatal ("--size, --stride and --sweeps must be at least 1");
  if (!bench_unified (true))
    return 2;
  unsigned char *data = bench_alloc (true, size);
  if (written)
    memset (data, 0, size);
  /* Make the device's threads first.  */
#pragma omp target
  {
  }
  double cpu = cpu_seconds (), wall = omp_get_wtime ();
  uint64_t sum = touch (data, size, stride, sweeps);
  wall = omp_get_wtime () - wall;
  cpu = cpu_seconds () - cpu;
  uint64_t touches = (size + stride - 1) / stride;
  uint64_t expected = touches * sweeps * (sweeps + 1) / 2;
  printf ("touches=%llu wall_s=%.6f cpu_s=%.6f\n",
	  (unsigned long long) (touches * sweeps), wall, cpu);
  bench_free (true, data);
  if (sum != expected)
    bench_message ("wrong result: the sum is %llu, not %llu",
		   (unsigned long long) sum, (unsigned long long) expected);
  return sum != expected;
}
