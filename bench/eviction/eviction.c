/* eviction: replacement policies of pages beside the figures of HPE.
   SPDX-License-Identifier: GPL-3.0-or-later

   Yu et al., "HPE: hierarchical page eviction policy for unified memory in
   GPUs", IEEE TCAD 39(10), 2020, sections III-B and V.  Reads what eviction.sh
   left in --work (apps.h), prints the tables, writes the data of the
   plots and appends lines for collect.  */

#include "common.h"
#include "eviction/tables.h"

#include <math.h>

/* What the paper says on average, at 75 and at 50 %: sections V-B.  */
static const struct figure
{
  const char *what;
  const char *key;		/* Of the summary; NULL: not in it.  */
  app_measure *measure;
  enum policy policy;
  double offset;		/* Added to ours: -1 makes a difference.  */
  double paper[CAPACITIES];
  enum { ABOUT, AT_MOST } how;	/* To within 10 %; or no more.  */
  enum half half;
} figures[] = {
  { "speedup of hpe over lru", "hpe_speedup", app_speedup, POLICY_hpe, 0,
    { 1.34, 1.16 }, ABOUT, HALF_ALL },
  { "evictions of hpe against lru", "hpe_evictions_vs_lru", app_to_lru,
    POLICY_hpe, -1, { -0.18, -0.12 }, AT_MOST, HALF_ALL },
  { "evictions of hpe above ideal", "hpe_above_ideal", app_to_ideal,
    POLICY_hpe, -1, { 0.18, 0.16 }, AT_MOST, HALF_ALL },
  { "evictions of hpe-jumps above ideal", "hpe_jumps_above_ideal", app_to_ideal,
    POLICY_hpe_jumps, -1, { 0.18, 0.16 }, AT_MOST, HALF_ALL },
  { "speedup of hpe over random", NULL, app_hpe_speedup, POLICY_random, 0,
    { 1.16, 1.21 }, ABOUT, HALF_ALL },
  { "speedup of hpe over rrip", NULL, app_hpe_speedup, POLICY_rrip, 0,
    { 1.27, 1.16 }, ABOUT, HALF_ALL },
  { "speedup of hpe over clockpro", NULL, app_hpe_speedup, POLICY_clockpro, 0,
    { 1.2, 1.15 }, ABOUT, HALF_ALL },
  { "time of ideal by hpe's", NULL, app_performance, POLICY_hpe, 0,
    { 0.89, 0.89 }, ABOUT, HALF_ALL },
  /* Ours, with what a GPU of today can know.  */
  { "evictions of hint above ideal", "hint_above_ideal", app_to_ideal,
    POLICY_hint, -1, { 0.10, 0.08 }, AT_MOST, HALF_ALL },
  { "  programs its rules were chosen on", "hint_above_ideal_rules",
    app_to_ideal, POLICY_hint, -1, { NAN, NAN }, ABOUT, HALF_RULES },
  { "  the other programs", "hint_above_ideal_other", app_to_ideal,
    POLICY_hint, -1, { 0.10, 0.08 }, AT_MOST, HALF_OTHER },
  { "speedup of hint over lru", "hint_speedup", app_speedup, POLICY_hint, 0,
    { NAN, NAN }, ABOUT, HALF_ALL },
  { "speedup of hpe-nohits over lru", "hpe_nohits_speedup", app_speedup,
    POLICY_hpe_nohits, 0, { NAN, NAN }, ABOUT, HALF_ALL },
  { "evictions of hpe-nohits against lru", "hpe_nohits_evictions_vs_lru",
    app_to_lru, POLICY_hpe_nohits, -1, { NAN, NAN }, ABOUT, HALF_ALL },
  { "evictions of hpe-nohits above ideal", "hpe_nohits_above_ideal",
    app_to_ideal, POLICY_hpe_nohits, -1, { NAN, NAN }, ABOUT, HALF_ALL }
};

static const char *
verdict (const struct figure *f, int c, double ours)
{
  if (!isfinite (f->paper[c]))
    return "";
  if (f->how == AT_MOST)
    return ours <= f->paper[c] ? "reached" : "ABOVE";
  return fabs (ours / f->paper[c] - 1) <= 0.1 ? "within 10 %" : "DIFFERS";
}

static void
print_figures (FILE *lines)
{
  printf ("\nAverages of all programs beside the paper's (of hint, beside what "
	  "it is meant to reach)\n%-38s", "");
  for (int c = 0; c < CAPACITIES; c++)
    printf (" | %4d%%: paper   ours %12s", capacity_percents[c], "");
  printf (" | sees hits\n");
  for (const struct figure *f = figures;
       f < figures + sizeof figures / sizeof *figures; f++)
    {
      printf ("%-38s", f->what);
      for (int c = 0; c < CAPACITIES; c++)
	{
	  double ours = apps_mean (f->measure, f->policy, c, 0, f->half) + f->offset;
	  char paper[16] = "-";
	  if (isfinite (f->paper[c]))
	    snprintf (paper, sizeof paper, "%.2f", f->paper[c]);
	  printf (" | %12s %6.2f %12s", paper, ours, verdict (f, c, ours));
	  if (f->key && isfinite (ours))
	    fprintf (lines, "summary %s_%d=%.4f\n", f->key,
		     capacity_percents[c], ours);
	}
      printf (" | %s\n", f->policy == POLICY_hint
	      || f->policy == POLICY_hpe_nohits ? "no" : "yes");
    }
  printf ("lru, rrip, clockpro and hpe see accesses that the TLB does not serve, "
	  "as in the paper; today's GPUs report\nonly faults, which is all that "
	  "hpe-nohits and hint see.\n");
}

int
main (int argc, char **argv)
{
  const char *work = NULL, *output = NULL, *fault = NULL;
  const struct bench_option options[] = {
    { "work", BENCH_TEXT, &work, "directory of the runs' files" },
    { "output", BENCH_TEXT, &output, "append result lines there" },
    { "cpu-fault", BENCH_TEXT, &fault, "seconds of one, in the profile" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compare replacement policies with HPE.");
  double cpu_fault = fault ? strtod (fault, NULL) : 0;
  if (!work || !output || !(cpu_fault > 0))
    bench_fatal ("--work, --output and --cpu-fault are needed");
  FILE *lines = fopen (output, "a");
  if (!lines)
    bench_fatal ("can't write %s: %s", output, strerror (errno));
  apps_read (stdin, work, cpu_fault);
  table_apps ();
  table_missing ();
  table_means ();
  table_categories ();
  table_data (work);
  table_rows (lines);
  print_figures (lines);
  if (isfinite (table_classified ()))
    fprintf (lines, "summary classified_as_paper=%.4f\n",
	     table_classified ());
  apps_close (lines, output);
  return 0;
}
