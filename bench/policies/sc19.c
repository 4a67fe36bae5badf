/* sc19: runs under the policies of SC'19 beside the paper's figures.
   SPDX-License-Identifier: GPL-3.0-or-later

   Li and Chapman, "Compiler assisted hybrid implicit and explicit GPU memory
   management under unified address space", SC'19, section 5.2.  Reads the
   runs that oversubscription.sh lists (runs.h), prints the tables, writes the
   data of the plots, and appends lines for collect.  Of runs of PolyBench it
   prints tables only.  Exit status 1 if a result differs from the host's.  */

#include "common.h"
#include "policies/tables.h"

#define SUITE "sc19"

/* Section 5.2, "Data Thrashing Prevention": over UM, of workloads that exceed
   the memory.  */
static const struct
{
  const char *policy;
  double paper;
} thrashing[] = {
  { "host", 8.2 }, { "lru", 8.5 }, { "rlm", 3.7 }, { "glm", 15.7 },
  { "rdm", 18.7 }
};

/* Fig. 6: over UM, of all workloads.  The text gives the last one, and by how
   much it exceeds the one before.  */
static const struct
{
  const char *config, *field, *what, *paper;
} components[] = {
  { "rdm-implicit", "implicit_over_um", "distance, implicit transfer", "-" },
  { "rdm-explicit", "explicit_over_um", "distance, explicit transfer", "-" },
  { "rdm-hybrid", "hybrid_over_um", "distance, hybrid transfer", "6.9" },
  { "rdm-paper", "partial_paper_over_um", "the same, partial=paper", "7.6" },
  { "rdm", "all_over_um_rdm", "the same, partial=on", "7.6" }
};

/* Those for which the paper reports a gain where the data fits.  */
static const char *const gaining[] = {
  "louvain", "backprop", "hotspot", "kmeans"
};

/* A figure within this factor of the paper's counts as reached.  */
#define TOLERANCE 1.5

#define COUNT(A) (sizeof (A) / sizeof *(A))

static FILE *lines;

static void
say (const char *field, double value)
{
  fprintf (lines, "summary %s=%.4f\n", field, value);
}

static void
report_thrashing (void)
{
  printf ("\nOversubscribed, geometric means over um (paper: section 5.2; its "
	  "Fig. 4 has no data beyond twice the memory)\n"
	  "policy        paper    ours  up to 2x\n");
  for (size_t i = 0; i < COUNT (thrashing); i++)
    {
      const char *policy = thrashing[i].policy;
      double paper = thrashing[i].paper;
      double ours = table_over (SUITE, NULL, policy, "um", table_exceeds);
      double little = table_over (SUITE, NULL, policy, "um",
				  table_exceeds_little);
      printf ("%-12s %6.1f %7.2f %9.2f  %s\n", policy, paper, ours, little,
	      ours >= paper ? "better"
	      : ours >= paper / TOLERANCE ? "within 1.5" : "BELOW");
      fprintf (lines, "summary over_um_%s=%.4f over_um_%s_to_2x=%.4f\n",
	       policy, ours, policy, little);
    }
}

static void
report_components (const char *work)
{
  FILE *out = table_open (work, "fig6.dat");
  printf ("\nFig. 6: parts of rdm, geometric means over um of all workloads\n"
	  "%-30s %6s %7s %8s %8s\n", "", "paper", "ours", "fitting",
	  "beyond");
  for (size_t i = 0; i < COUNT (components); i++)
    {
      const char *config = components[i].config;
      double all = table_over (SUITE, NULL, config, "um", NULL);
      printf ("%-30s %6s %7.2f %8.2f %8.2f\n", components[i].what,
	      components[i].paper, all,
	      table_over (SUITE, NULL, config, "um", table_fits),
	      table_over (SUITE, NULL, config, "um", table_exceeds));
      say (components[i].field, all);
      fprintf (out, "%zu %s %.4f %s\n", i, config, all, components[i].paper);
    }
  double hybrid = table_over (SUITE, NULL, "rdm-hybrid", "um", NULL);
  double on = table_over (SUITE, NULL, "rdm", "um", NULL) - hybrid;
  double paper = table_over (SUITE, NULL, "rdm-paper", "um", NULL) - hybrid;
  printf ("partial mapping's share: +%.2f with on, +%.2f with paper (paper: "
	  "+0.7)\n", on, paper);
  say ("partial_share", on);
  say ("partial_paper_share", paper);
  table_close (out, "fig6.dat");
}

/* The fastest of the ways there are without ummgr's policies.  */
static const struct run *
best_without (const char *program, double size)
{
  static const char *const ways[] = { "explicit", "um", "prefetch" };
  const struct run *best = NULL;
  for (size_t i = 0; i < COUNT (ways); i++)
    {
      const struct run *r = run_find (program, size, ways[i]);
      if (r && (!best || r->seconds < best->seconds))
	best = r;
    }
  return best;
}

static void
report_fitting (void)
{
  double worst = 0;
  const struct run *worst_run = NULL;
  printf ("\nFitting: the best of explicit, um and prefetch over rdm\n"
	  "program          GB  best         its ms   rdm ms  best/rdm  "
	  "explicit/rdm  rdm's time is\n");
  for (const char *name = NULL; (name = table_program (SUITE, name));)
    for (double size = 0; (size = table_size (name, size)) > 0;)
      {
	const struct run *rdm = run_find (name, size, "rdm");
	if (!rdm || !rdm->fits)
	  continue;
	const struct run *best = best_without (name, size);
	double ratio = best->seconds / rdm->seconds;
	if (!worst_run || ratio < worst)
	  {
	    worst = ratio;
	    worst_run = rdm;
	  }
	enum term term = run_main_term (rdm);
	printf ("%-12s %6g  %-10s %8.3f %8.3f %9.3f %13.2f  %s, %.0f %%\n",
		name, size, best->config, best->seconds * 1e3,
		rdm->seconds * 1e3, ratio, run_over (rdm, "explicit"),
		term_names[term], 100 * rdm->terms[term] / rdm->seconds);
      }
  struct mean mean = { 0, 0 };
  for (size_t i = 0; i < COUNT (gaining); i++)
    for (double size = 0; (size = table_size (gaining[i], size)) > 0;)
      {
	const struct run *rdm = run_find (gaining[i], size, "rdm");
	if (rdm && rdm->fits)
	  mean_add (&mean, run_over (rdm, "explicit"));
      }
  printf ("rdm over explicit, geometric mean of louvain, backprop, hotspot and "
	  "kmeans: %.2f (paper: 2.40)\n", mean_of (&mean));
  say ("fitting_rdm_over_explicit", mean_of (&mean));
  if (!worst_run)
    return;
  printf ("worst: %.3f, %s, %g GB (to reach: 0.97)\n", worst,
	  worst_run->program, worst_run->gigabytes);
  fprintf (lines, "summary fitting_worst=%.4f fitting_worst_program=%s "
	   "fitting_worst_gigabytes=%g\n", worst, worst_run->program,
	   worst_run->gigabytes);
}

/* Fig. 5 (a): bytes moved in both directions, over those of explicit.  */
static void
report_traffic_fitting (const char *work)
{
  FILE *out = table_open (work, "fig5a.dat");
  printf ("\nFig. 5 (a), fitting: rdm's traffic by that of explicit, mean of "
	  "the sizes\nprogram          h2d    d2h    sum\n");
  for (const char *name = NULL; (name = table_program (SUITE, name));)
    {
      double in = 0, from = 0;
      int sizes = 0;
      for (double size = 0; (size = table_size (name, size)) > 0;)
	{
	  const struct run *rdm = run_find (name, size, "rdm");
	  const struct run *base = run_find (name, size, "explicit");
	  if (!rdm || !base || !rdm->fits)
	    continue;
	  in += rdm->h2d / (base->h2d + base->d2h);
	  from += rdm->d2h / (base->h2d + base->d2h);
	  sizes++;
	}
      if (!sizes)
	continue;
      printf ("%-12s %7.3f%7.3f%7.3f\n", name, in / sizes, from / sizes,
	      (in + from) / sizes);
      fprintf (out, "%s %.5f %.5f\n", name, in / sizes, from / sizes);
      fprintf (lines, "row figure=5a program=%s h2d_by_explicit=%.5f "
	       "d2h_by_explicit=%.5f\n", name, in / sizes, from / sizes);
    }
  table_close (out, "fig5a.dat");
}

/* Fig. 5 (b) and (c).  Bytes out while regions run or for their sake are
   thrashing; after them, the host reads the result.  */
static void
report_traffic_bfs (double size, const char *work)
{
  static const char *const policies[] = { "um", "rlm", "glm", "rdm" };
  char file[64];
  snprintf (file, sizeof file, "fig5-%g.dat", size);
  FILE *out = table_open (work, file);
  printf ("\nFig. 5, bfs of %g GB: traffic by footprint\n"
	  "policy         h2d  d2h in regions  d2h after  remote\n", size);
  for (size_t i = 0; i < COUNT (policies); i++)
    {
      const struct run *r = run_find ("bfs", size, policies[i]);
      if (!r)
	continue;
      printf ("%-9s %8.3f %15.3f %10.3f %7.3f\n", policies[i],
	      r->h2d / r->footprint, r->d2h_regions / r->footprint,
	      (r->d2h - r->d2h_regions) / r->footprint,
	      r->remote / r->footprint);
      fprintf (out, "%s %.5f %.5f %.5f\n", policies[i], r->h2d / r->footprint,
	       r->d2h_regions / r->footprint,
	       (r->d2h - r->d2h_regions) / r->footprint);
      fprintf (lines, "summary bfs_%gg_h2d_%s=%.0f bfs_%gg_d2h_%s=%.0f\n",
	       size, policies[i], r->h2d, size, policies[i], r->d2h_regions);
    }
  table_close (out, file);
}

/* Fig. 7: bfs alone, far beyond the memory.  */
static void
report_scalability (void)
{
  struct mean mean = { 0, 0 };
  for (double size = 0; (size = table_size ("bfs", size)) > 0;)
    {
      const struct run *r = run_find ("bfs", size, "rdm");
      if (!r || r->fits || table_exceeds_little (r))
	continue;
      if (!mean.count)
	printf ("\nFig. 7: rdm over um, bfs\n");
      printf ("%6g GB %8.2f%s\n", size, run_over (r, "um"),
	      size == 112 ? " (paper: 132)" : "");
      mean_add (&mean, run_over (r, "um"));
    }
  if (!mean.count)
    return;
  printf ("geometric mean of these: %.2f (paper: 269, sizes not given)\n",
	  mean_of (&mean));
  say ("bfs_scalability", mean_of (&mean));
}

/* What deciding takes, which the modelled time doesn't contain: the paper's
   contains it.  The machine is SCALE times smaller, the decisions are not.  */
static void
report_decisions (uint64_t scale)
{
  double worst = 0;
  const struct run *at = NULL;
  for (size_t i = 0; i < run_count; i++)
    {
      double share = runs[i].seconds > 0
	? runs[i].decision_ns * 1e-9 / (runs[i].seconds * scale) : 0;
      if (share > worst)
	{
	  worst = share;
	  at = &runs[i];
	}
    }
  if (!at)
    return;
  printf ("\ndecisions, measured here and not in the times above: at most "
	  "%.3f %% of the time on the machine that is scaled (%s, %g GB, %s; "
	  "paper: 0.9 %%, bfs)\n", worst * 100, at->program, at->gigabytes,
	  at->config);
  say ("decision_share_most", worst);
}

static void
report_polybench (void)
{
  table_print_times ("polybench");
  printf ("\nPolyBench, oversubscribed, over um\n");
  table_print_over ("polybench");
  printf ("\nPolyBench: what the time goes to, oversubscribed\n");
  table_print_why ("polybench");
}

static void
report (const char *work, uint64_t scale)
{
  table_print_times (SUITE);
  table_write_times (SUITE, work);
  report_fitting ();
  printf ("\nOversubscribed, each program over um\n");
  table_print_over (SUITE);
  report_thrashing ();
  report_components (work);
  report_traffic_fitting (work);
  report_traffic_bfs (19, work);
  report_traffic_bfs (31, work);
  report_scalability ();
  printf ("\nWhat the time goes to, oversubscribed\n");
  table_print_why (SUITE);
  report_decisions (scale);
}

int
main (int argc, char **argv)
{
  const char *work = NULL, *output = NULL, *profile = "v100-nvlink2";
  uint64_t scale = 1;
  const struct bench_option options[] = {
    { "work", BENCH_TEXT, &work, "directory of the runs' files" },
    { "output", BENCH_TEXT, &output, "append result lines there" },
    { "profile", BENCH_TEXT, &profile, "of the runs" },
    { "scale", BENCH_NUMBER, &scale, "N of the runs' 1/N" },
    { NULL, 0, NULL, NULL }
  };
  bench_parse (argc, argv, options, "Compare policies with SC'19.");
  if (!work || !output)
    bench_fatal ("--work and --output are needed");
  lines = fopen (output, "a");
  if (!lines)
    bench_fatal ("can't write %s: %s", output, strerror (errno));
  int differ = runs_read (stdin, work, profile, scale);
  for (size_t i = 0; i < run_count; i++)
    if (runs[i].seconds > 0)
      run_write (&runs[i], lines);
  printf ("Modelled milliseconds (! exceeds the device's %llu bytes; on the "
	  "machine that is scaled, %llu times as long)\n",
	  (unsigned long long) runs_memory, (unsigned long long) scale);
  if (table_program (SUITE, NULL))
    report (work, scale);
  else
    report_polybench ();
  table_close (lines, output);
  return differ > 0;
}
