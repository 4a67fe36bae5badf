/* region: what an empty target region costs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Prints the median over batches of the time for one region.  overhead.sh
   runs it with and without libummgr in turn.  */

#include "common.h"

int
main (int argc, char **argv)
{
  uint64_t batches = 41, regions = 100;
  const struct bench_option options[] = {
    { "batches", BENCH_NUMBER, &batches, "whose median counts" },
    { "regions", BENCH_NUMBER, &regions, "in each batch" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Measure an empty target region.");
  if (batches < 1 || regions < 1 || batches > 1 << 20)
    bench_fatal ("--batches and --regions must be at least 1");
  double *seconds = bench_alloc (false, batches * sizeof *seconds);
  /* The first region loads the image and makes threads: not counted.  */
#pragma omp target
  {
  }
  for (uint64_t b = 0; b < batches; b++)
    {
      double start = omp_get_wtime ();
      for (uint64_t r = 0; r < regions; r++)
	{
#pragma omp target
	  {
	  }
	}
      seconds[b] = (omp_get_wtime () - start) / regions;
    }
  qsort (seconds, batches, sizeof *seconds, bench_by_value);
  printf ("region_ns=%.1f\n", seconds[batches / 2] * 1e9);
  free (seconds);
  return 0;
}
