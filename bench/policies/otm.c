/* otm: runs under the policy of IWOMP 2018 beside the paper's figures.
   SPDX-License-Identifier: GPL-3.0-or-later

   Li et al., "Manage OpenMP GPU data environment under unified address space",
   IWOMP 2018, section 5.2 and Fig. 3.  Reads the runs that otm.sh lists
   (runs.h), prints the tables, writes the data of the plot, and appends lines
   for collect.  Exit status 1 if a result differs from the host's.  */

#include "common.h"
#include "policies/tables.h"

#define SUITE "otm"

/* Averages over UM of workloads that exceed the memory (of cfd, "similar
   performance across all workloads").  */
static const struct
{
  const char *program;
  double paper;
} speedups[] = { { "bfs", 3.37 }, { "srad", 2.55 }, { "cfd", 1 } };

#define COUNT(A) (sizeof (A) / sizeof *(A))

static void
report (FILE *lines)
{
  printf ("\nFig. 3: otm over um; oversubscribed, geometric means\n"
	  "program    paper    ours  fitting  fitting, over explicit\n");
  for (size_t i = 0; i < COUNT (speedups); i++)
    {
      const char *name = speedups[i].program;
      double ours = table_over (SUITE, name, "otm", "um", table_exceeds);
      double fitting = table_over (SUITE, name, "otm", "um", table_fits);
      double base = table_over (SUITE, name, "otm", "explicit", table_fits);
      printf ("%-8s %7.2f %7.2f %8.2f %8.2f  %s\n", name, speedups[i].paper,
	      ours, fitting, base,
	      ours >= speedups[i].paper ? "reached" : "BELOW");
      fprintf (lines, "summary %s=%.4f %s_fitting=%.4f "
	       "%s_fitting_over_explicit=%.4f\n", name, ours, name, fitting,
	       name, base);
    }
}

int
main (int argc, char **argv)
{
  const char *work = NULL, *output = NULL, *profile = "p100-nvlink1";
  uint64_t scale = 1;
  const struct bench_option options[] = {
    { "work", BENCH_TEXT, &work, "directory of the runs' files" },
    { "output", BENCH_TEXT, &output, "append result lines there" },
    { "profile", BENCH_TEXT, &profile, "of the runs" },
    { "scale", BENCH_NUMBER, &scale, "N of the runs' 1/N" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compare otm with IWOMP 2018.");
  if (!work || !output)
    bench_fatal ("--work and --output are needed");
  FILE *lines = fopen (output, "a");
  if (!lines)
    bench_fatal ("can't write %s: %s", output, strerror (errno));
  int differ = runs_read (stdin, work, profile, scale);
  for (size_t i = 0; i < run_count; i++)
    if (runs[i].seconds > 0)
      run_write (&runs[i], lines);
  printf ("Modelled milliseconds (! exceeds the device's %llu bytes; on the "
	  "machine that is scaled, %llu times as long)\n",
	  (unsigned long long) runs_memory, (unsigned long long) scale);
  table_print_times (SUITE);
  table_write_times (SUITE, work);
  report (lines);
  printf ("\nWhat the time goes to, oversubscribed\n");
  table_print_why (SUITE);
  table_close (lines, output);
  return differ > 0;
}
