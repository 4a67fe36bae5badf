/* Runs of a program under several policies: reading them, and taking their
   modelled time apart.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "config.h"
#include "base/options.h"
#include "device/profile.h"

#include "common.h"
#include "json.h"
#include "policies/runs.h"

#include <math.h>

const char *const term_names[TERMS] = {
  "local", "remote", "h2d", "d2h", "gpu-faults", "cpu-faults", "launches",
  "rest"
};

struct run runs[RUN_MOST];
size_t run_count;
uint64_t runs_memory;
static uint64_t runs_scale;

/* --- numbers ---------------------------------------------------------------- */

void
mean_add (struct mean *mean, double value)
{
  if (value > 0)
    {
      mean->logs += log (value);
      mean->count++;
    }
}

double
mean_of (const struct mean *mean)
{
  return mean->count ? exp (mean->logs / mean->count) : 0;
}

static double
number_of (const json_t *object, const char *key)
{
  return json_number_value (json_object_get (object, key));
}

static double
most (double a, double b)
{
  return a > b ? a : b;
}

/* --- the model, backwards ----------------------------------------------------- */

/* The model's figures, as --profile and --scale make them.  */
static struct ummgr_figures
figures_find (const char *profile, uint64_t scale)
{
  static struct ummgr_profile p;
  struct ummgr_options options = { .scale = scale };
  if (!ummgr_profile_find (profile, &p) || !ummgr_profile_adjust (&p, &options))
    bench_fatal ("no figures of profile %s", profile);
  return p.device[0];
}

/* Add what the launches of REGION took to the terms of RUN: their own time, by what of
   local and remote memory takes longer in the sum; and, where it faults, all else, since
   the copies of faults overlap with one another and with the driver's work.  */
static void
region_take_apart (struct run *run, const json_t *region,
		   const struct ummgr_figures *f)
{
  double launches = number_of (region, "launches") * f->launch_cost;
  double local = number_of (region, "local_bytes") / f->memory_rate;
  double remote = number_of (region, "remote_bytes") / f->remote_rate;
  double own = number_of (region, "kernel_seconds");
  run->terms[local > remote ? TERM_LOCAL : TERM_REMOTE] += own;
  run->terms[TERM_LAUNCHES] += launches;
  run->d2h_regions += number_of (region, "d2h_bytes");
  if (number_of (region, "gpu_faults") > 0)
    {
      run->terms[TERM_GPU_FAULTS]
	+= most (0, number_of (region, "model_seconds") - launches - own);
      run->terms[TERM_H2D] -= number_of (region, "h2d_bytes") / f->h2d_rate;
      run->terms[TERM_D2H] -= number_of (region, "d2h_bytes") / f->d2h_rate;
    }
}

static void
take_apart (struct run *run, const json_t *stats,
	    const struct ummgr_figures *f)
{
  size_t i;
  json_t *region;
  json_array_foreach (json_object_get (stats, "regions"), i, region)
    region_take_apart (run, region, f);
  run->terms[TERM_H2D] += run->h2d / f->h2d_rate;
  run->terms[TERM_D2H] += run->d2h / f->d2h_rate;
  run->terms[TERM_CPU_FAULTS] = run->cpu_faults * f->cpu_fault_cost;
  double sum = 0;
  for (int t = 0; t < TERM_REST; t++)
    sum += run->terms[t];
  run->terms[TERM_REST] = run->seconds - sum;
}

enum term
run_main_term (const struct run *run)
{
  int main = 0;
  for (int t = 1; t < TERMS; t++)
    if (run->terms[t] > run->terms[main])
      main = t;
  return main;
}

/* --- reading ------------------------------------------------------------------ */

/* NAME=VALUE in LINE, to OUT.  */
static bool
word_find (const char *line, const char *name, char out[RUN_WORD])
{
  char key[RUN_WORD + 2];
  int n = snprintf (key, sizeof key, " %s=", name);
  const char *at = strstr (line, key);
  return at && sscanf (at + n, "%31[^ \n]", out) == 1;
}

/* What the program itself said, in PATH.  */
static void
read_output (struct run *run, const char *path)
{
  FILE *in = fopen (path, "r");
  if (!in)
    bench_fatal ("can't read %s: %s", path, strerror (errno));
  char line[1024], footprint[RUN_WORD], check[RUN_WORD];
  bool found = false;
  while (!found && fgets (line, sizeof line, in))
    found = strncmp (line, "result ", 7) == 0
      && word_find (line, "footprint", footprint)
      && word_find (line, "checksum", run->checksum)
      && word_find (line, "check", check);
  fclose (in);
  if (!found)
    bench_fatal ("%s: no result", path);
  run->footprint = strtoull (footprint, NULL, 10);
  run->fits = run->footprint <= runs_memory;
}

static void
read_statistics (struct run *run, const char *path,
		 const struct ummgr_figures *f)
{
  json_t *stats = bench_json_load (path);
  const json_t *totals = json_object_get (stats, "totals");
  run->seconds = number_of (totals, "model_seconds");
  if (run->seconds <= 0)
    bench_fatal ("%s: no modelled time", path);
  run->h2d = number_of (totals, "h2d_bytes");
  run->d2h = number_of (totals, "d2h_bytes");
  run->remote = number_of (totals, "remote_bytes");
  run->local = number_of (totals, "local_bytes");
  run->gpu_faults = number_of (totals, "gpu_faults");
  run->cpu_faults = number_of (totals, "cpu_faults");
  run->evictions = number_of (totals, "evictions");
  run->launches = number_of (totals, "launches");
  run->decision_ns = number_of (stats, "decision_ns");
  run->decisions = number_of (stats, "decisions");
  run->wall = number_of (stats, "wall_seconds");
  take_apart (run, stats, f);
  json_decref (stats);
}

static int
compare_results (void)
{
  int differ = 0;
  for (size_t i = 0; i < run_count; i++)
    {
      const struct run *r = &runs[i];
      const struct run *host = run_find (r->program, r->gigabytes,
					 "host-only");
      if (!host)
	bench_fatal ("no run of %s, %g GB, on the host", r->program,
		     r->gigabytes);
      if (strcmp (r->checksum, host->checksum) == 0)
	continue;
      printf ("WRONG    %s, %g GB, %s: checksum %s, on the host %s\n",
	      r->program, r->gigabytes, r->config, r->checksum,
	      host->checksum);
      differ++;
    }
  return differ;
}

int
runs_read (FILE *in, const char *work, const char *profile, uint64_t scale)
{
  struct ummgr_figures f = figures_find (profile, scale);
  runs_memory = f.memory_bytes;
  runs_scale = scale;
  char line[256], size[RUN_WORD], path[4096];
  while (fgets (line, sizeof line, in))
    {
      struct run *r = &runs[run_count];
      if (run_count == RUN_MOST
	  || sscanf (line, "%31s %31s %31s %31s", r->suite, r->program, size,
		     r->config) != 4)
	bench_fatal ("expected SUITE PROGRAM GIGABYTES CONFIG, at most %d "
		     "times: %s", RUN_MOST, line);
      r->gigabytes = strtod (size, NULL);
      int n = snprintf (path, sizeof path, "%s/%s-%s-%s", work, r->program,
			size, r->config);
      if (n > (int) sizeof path - 6)
	bench_fatal ("%s: too long a name", work);
      strcpy (path + n, ".out");
      read_output (r, path);
      strcpy (path + n, ".json");
      if (strcmp (r->config, "host-only") != 0)
	read_statistics (r, path, &f);
      run_count++;
    }
  return compare_results ();
}

/* --- use ---------------------------------------------------------------------- */

const struct run *
run_find (const char *program, double gigabytes, const char *config)
{
  for (size_t i = 0; i < run_count; i++)
    if (runs[i].gigabytes == gigabytes
	&& strcmp (runs[i].program, program) == 0
	&& strcmp (runs[i].config, config) == 0)
      return &runs[i];
  return NULL;
}

double
run_over (const struct run *run, const char *base)
{
  const struct run *b = run_find (run->program, run->gigabytes, base);
  return b ? b->seconds / run->seconds : 0;
}

void
run_write (const struct run *run, FILE *lines)
{
  fprintf (lines, "row suite=%s program=%s policy=%s gigabytes=%g "
	   "scale=%llu footprint=%llu memory_ratio=%.4f fits=%d model_seconds=%.9g "
	   "h2d_bytes=%.0f d2h_bytes=%.0f d2h_bytes_regions=%.0f "
	   "remote_bytes=%.0f local_bytes=%.0f gpu_faults=%.0f "
	   "cpu_faults=%.0f evictions=%.0f launches=%.0f decision_ns=%.0f "
	   "decisions=%.0f", run->suite, run->program, run->config,
	   run->gigabytes, (unsigned long long) runs_scale,
	   (unsigned long long) run->footprint,
	   (double) run->footprint / runs_memory, run->fits, run->seconds,
	   run->h2d, run->d2h, run->d2h_regions, run->remote, run->local,
	   run->gpu_faults, run->cpu_faults, run->evictions, run->launches,
	   run->decision_ns, run->decisions);
  double over = run_over (run, "um");
  if (over > 0)
    fprintf (lines, " over_um=%.4f", over);
  for (int t = 0; t < TERMS; t++)
    fprintf (lines, " share_%s=%.4f", term_names[t],
	     run->terms[t] / run->seconds);
  fprintf (lines, " most=%s\n", term_names[run_main_term (run)]);
}
