/* objects: a million mapped objects at once.
   SPDX-License-Identifier: GPL-3.0-or-later

   Maps and unmaps objects of its own, one construct each, and prints what one of
   them takes: nanoseconds for both, of one core, all threads together, and bytes of
   host memory while all are mapped.  A run without libummgr shows libgomp's and the driver's part of it.  */

#include "common.h"

#include <time.h>
#include <unistd.h>

static uint64_t
resident_bytes (void)
{
  unsigned long size, resident = 0;
  FILE *f = fopen ("/proc/self/statm", "r");
  if (!f || fscanf (f, "%lu %lu", &size, &resident) != 2)
    bench_fatal ("can't read /proc/self/statm");
  fclose (f);
  return (uint64_t) resident * (uint64_t) sysconf (_SC_PAGESIZE);
}

/* Of all threads.  */
static double
core_seconds (void)
{
  struct timespec t;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

int
main (int argc, char **argv)
{
  uint64_t count = 1000000, size = 64;
  const struct bench_option options[] = {
    { "objects", BENCH_NUMBER, &count, "mapped at once" },
    { "size", BENCH_SIZE, &size, "of each" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Map very many objects.");
  if (count < 1 || count > 100000000 || size < 8 || size > 1 << 20)
    bench_fatal ("--objects must be at least 1, --size 8 bytes to 1M");
  /* Twice as far apart as they are long: no two of them touch.  */
  char *data = bench_alloc (false, 2 * count * size);
  memset (data, 1, 2 * count * size);
  /* The device, and what the first object alone makes.  */
#pragma omp target enter data map(to: data[:size])
  uint64_t before = resident_bytes ();
  double start = core_seconds ();
  for (uint64_t i = 1; i < count; i++)
    {
#pragma omp target enter data map(to: data[2 * i * size : size])
    }
  double middle = core_seconds ();
  uint64_t after = resident_bytes ();
  bool there = omp_target_is_present (data + 2 * (count - 1) * size,
				      omp_get_default_device ());
  double resumed = core_seconds ();
  for (uint64_t i = 0; i < count; i++)
    {
#pragma omp target exit data map(delete: data[2 * i * size : size])
    }
  double end = core_seconds ();
  printf ("objects=%llu map_ns=%.0f unmap_ns=%.0f bytes=%.0f\n",
	  (unsigned long long) count, (middle - start) * 1e9 / count,
	  (end - resumed) * 1e9 / count,
	  (after > before ? (double) (after - before) : 0) / count);
  if (!there)
    bench_message ("wrong result: the last object isn't mapped");
  free (data);
  return !there;
}
