/* Unified memory as modelled, beside a measured machine.
   SPDX-License-Identifier: GPL-3.0-or-later

   Pratheek et al., "SUV: static analysis guided unified virtual memory", MICRO
   2024: how much slower programs of PolyBench are on a GeForce RTX 3090 with
   unmodified unified memory when their data exceeds the memory.  X % of
   oversubscription: the data is (1 + X / 100) times the memory.

   Modelled twice: with warps that take turns whether their pages are there or not,
   one trace for all memories; and with warps that wait for their pages while others
   go on (ummgr run --stall), a trace for each.  The second is the nearer to a
   GPU; neither is fitted.  */

#include "common.h"
#include "eviction/model.h"
#include "json.h"

#include <unistd.h>

enum { OVERS = 3 };
static const int overs[OVERS] = { 15, 30, 50 };

static const struct
{
  const char *program;
  double paper[OVERS];
} measured[] = {
  { "2dconv", { 1.17, 1.19, 1.26 } },
  { "gemm", { 1.01, 1.01, 1.01 } },
  { "fdtd2d", { 7.82, 7.84, 15.5 } },
  { "mvt", { 2.08, 350, 472 } }
};

struct modelled
{
  double seconds, faults, cpu_faults, evictions, h2d, d2h;
};

/* Run AT of JSON, which PATH has.  */
static struct modelled
modelled_of (const json_t *json, size_t at, const char *path)
{
  const json_t *trace = json_array_get (json_object_get (json, "traces"), 0);
  const json_t *runs = json_object_get (trace, "runs");
  const json_t *run = json_array_get (runs, at);
  const json_t *seconds = json_object_get (run, "model_seconds");
  if (!json_is_number (seconds))
    bench_fatal ("%s: run %zu has no model_seconds", path, at);
  return (struct modelled) {
    json_number_value (seconds),
    json_number_value (json_object_get (run, "gpu_faults")),
    json_number_value (json_object_get (run, "cpu_faults")),
    json_number_value (json_object_get (run, "evictions")),
    json_number_value (json_object_get (run, "h2d_bytes")),
    json_number_value (json_object_get (run, "d2h_bytes"))
  };
}

static double
slowdown (const struct modelled *m, const struct modelled *base)
{
  return base->seconds > 0 ? m->seconds / base->seconds : 0;
}

/* M: warps take turns; W: they wait.  */
static void
print_over (const char *program, int over, double paper,
	    const struct modelled *m, const struct modelled *w,
	    const struct modelled *base, FILE *lines)
{
  double ours = slowdown (m, base), waiting = slowdown (w, base);
  printf ("%-8s %3d%% %9.2f %9.2f %9.2f %12.3f %9.0f %9.0f %9.0f %9.1f %9.1f\n",
	  program, over, paper, waiting, ours, m->seconds * 1e3, m->faults,
	  m->cpu_faults, m->evictions, m->h2d / 1048576, m->d2h / 1048576);
  fprintf (lines, "row table=model program=%s oversubscription=%d slowdown=%.4f "
	   "slowdown_stall=%.4f measured=%g model_seconds=%.9g gpu_faults=%.0f "
	   "cpu_faults=%.0f evictions=%.0f h2d_bytes=%.0f d2h_bytes=%.0f "
	   "model_seconds_stall=%.9g gpu_faults_stall=%.0f\n", program, over,
	   ours, waiting, paper, m->seconds, m->faults, m->cpu_faults,
	   m->evictions, m->h2d, m->d2h, w->seconds, w->faults);
  fprintf (lines, "summary model_%s_%d=%.4f model_stall_%s_%d=%.4f\n", program,
	   over, ours, program, over, waiting);
}

/* What `ummgr replay --policy' says of PROGRAM's traces in WORK: memory enough
   first, then OVERS; with warps that wait, a file for each.  */
static void
report_program (const char *program, const double *paper, const char *work,
		FILE *lines)
{
  char path[4096];
  snprintf (path, sizeof path, "%s/model-%s.json", work, program);
  json_t *json = bench_json_load (path);
  struct modelled base = modelled_of (json, 0, path);
  printf ("%-8s %3d%% %9s %9s %9s %12.3f %9.0f %9.0f %9.0f %9.1f %9.1f\n",
	  program, 0, "1", "1", "1", base.seconds * 1e3, base.faults,
	  base.cpu_faults, base.evictions, base.h2d / 1048576,
	  base.d2h / 1048576);
  for (int o = 0; o < OVERS; o++)
    {
      struct modelled m = modelled_of (json, o + 1, path);
      char one[4096];
      snprintf (one, sizeof one, "%s/model-%s-%d.json", work, program,
		100 + overs[o]);
      json_t *alone = bench_json_load (one);
      struct modelled w = modelled_of (alone, 0, one);
      print_over (program, overs[o], paper[o], &m, &w, &base, lines);
      json_decref (alone);
    }
  json_decref (json);
}

void
model_report (const char *work, FILE *lines)
{
  bool head = false;
  for (size_t i = 0; i < sizeof measured / sizeof *measured; i++)
    {
      const char *name = measured[i].program;
      char path[4096];
      snprintf (path, sizeof path, "%s/model-%s.json", work, name);
      if (access (path, R_OK) != 0)
	continue;
      if (!head)
	printf ("\nModelled slowdown of unified memory against memory enough, "
		"beside SUV's measurements on a GeForce RTX 3090\n"
		"(waiting: warps wait for their pages; in turns: they take turns "
		"all the same, and so in the columns after that)\n"
		"%-8s %4s %9s %9s %9s %12s %9s %9s %9s %9s %9s\n", "program",
		"over", "measured", "waiting", "in turns", "modelled ms",
		"faults", "CPU's", "evictions", "MiB in", "MiB out");
      head = true;
      report_program (name, measured[i].paper, work, lines);
    }
}
