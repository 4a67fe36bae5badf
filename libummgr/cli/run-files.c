/* `ummgr run`: the statistics and the report that the run shall leave.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A file that can't be opened is found out before the program starts, which it then
   doesn't: nobody wants to wait for hours to get nothing.  What goes wrong later is said
   once and makes the exit status non-zero.
   A report that the program did not write is made from the statistics, in a
   temporary file if need be.  */

#include "config.h"
#include "cli/run.h"
#include "base/json-text.h"
#include "base/log.h"
#include "base/output.h"
#include "base/world.h"
#include "report/report.h"
#include "report/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The program is told NAME, which is owned here, in place of *TOLD_P.  */
static void
tell (char **told_p, char *name)
{
  free (*told_p);
  *told_p = name;
}

/* What stands for FILE, which is this run's, or, if this is no rank, belongs to all ranks that the
   program starts, unless it is ours ALONE: "%q{}" stands for nothing, and tells apart.  */
static char *
file_told (const char *file, bool alone)
{
  struct ummgr_world world;
  char *name = ummgr_output_tell (file), *told = NULL;
  if (name && asprintf (&told, "%s%s", name, alone || ummgr_world_find (&world) ? "%q{}" : "") < 0)
    told = NULL;
  free (name);
  return told;
}

/* NAME as the user gave it: *TOLD_P is what the program is told.  Returns the
   file's name, or NULL where that depends on the process.  */
static char *
take_name (const char *name, char **told_p)
{
  char *ranked = name ? ummgr_output_for_rank (name) : NULL;
  char *told = ranked ? ummgr_output_expand (ranked, 0) : NULL;
  free (ranked);
  tell (told_p, told);
  return !told || ummgr_output_has_pid (told) ? NULL
    : ummgr_output_expand (told, getpid ());
}

/* Make FILE empty, so that what is in it afterwards is of this run.  */
static bool
make_empty (struct ummgr_run *run, const char *option, const char *file)
{
  int fd = open (file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NONBLOCK,
		 0666);
  if (fd < 0 && errno == ENXIO)
    return true;		/* A pipe whose reader comes later.  */
  if (fd < 0)
    {
      ummgr_error ("--%s: can't write '%s': %s; the program is not started", option, file,
		   strerror (errno));
      run->failed = true;
      return false;
    }
  close (fd);
  return true;
}

static char *
temporary_file (struct ummgr_run *run)
{
  const char *directory = getenv ("TMPDIR");
  char *name;
  if (asprintf (&name, "%s/ummgr-stats-XXXXXX",
		directory && *directory ? directory : "/tmp") < 0)
    return NULL;
  int fd = mkostemp (name, O_CLOEXEC);
  if (fd < 0)
    {
      ummgr_error ("run: no temporary file for the statistics: '%s': %s",
		   name, strerror (errno));
      run->failed = true;
      free (name);
      return NULL;
    }
  close (fd);
  run->stats_temporary = true;
  return name;
}

static bool
is_regular (const char *file, off_t *size_p)
{
  struct stat st;
  if (stat (file, &st) != 0 || !S_ISREG (st.st_mode))
    return false;
  *size_p = st.st_size;
  return true;
}

static void
prepare_trace (struct ummgr_run *run)
{
  char *trace = take_name (run->options.trace, &run->told_trace);
  if (trace && !make_empty (run, "trace", trace))
    tell (&run->told_trace, NULL);
  free (trace);
}

/* The program is told by the option's own variable.  */
static void
prepare_check (struct ummgr_run *run)
{
  char *told = NULL, *check = take_name (run->options.check, &told);
  if (check && strcmp (check, "-") != 0)
    make_empty (run, "check", check);
  free (check);
  free (told);
}

/* A report that is no file is made from the statistics afterwards, which ends
   the program's part with its end.  */
static void
prepare_report (struct ummgr_run *run)
{
  off_t size;
  char *report = take_name (run->options.report, &run->told_report);
  if (!report)
    return;
  if (strcmp (report, "-") == 0 || make_empty (run, "report", report))
    run->report = report;
  if (!run->report || !is_regular (report, &size))
    tell (&run->told_report, NULL);
}

/* What is no file takes the statistics from here, so that it shows whether all
   of them went there.  */
static void
prepare_stats (struct ummgr_run *run)
{
  off_t size;
  char *stats = take_name (run->options.stats, &run->told_stats);
  if (run->told_stats && !stats)
    {
      if (run->report && !run->told_report)
	tell (&run->told_report, file_told (run->report, false));
      return;
    }
  if (stats && (strcmp (stats, "-") == 0 || make_empty (run, "stats", stats)))
    {
      if (is_regular (stats, &size))
	run->stats = stats;
      else
	run->stats_copy = stats;
    }
  if (!run->stats && (run->report || run->stats_copy || run->told_trace))
    run->stats = temporary_file (run);
  tell (&run->told_stats, run->stats ? file_told (run->stats, run->stats_temporary) : NULL);
}

int
ummgr_run_prepare_files (struct ummgr_run *run)
{
  prepare_trace (run);
  prepare_check (run);
  prepare_report (run);
  prepare_stats (run);
  if (run->failed && run->stats_temporary)
    unlink (run->stats);
  return run->failed ? UMMGR_EXIT_FAILURE : 0;
}

/* What is known of a program that SIGNAL killed before it could write anything.  */
static json_t *
killed_json (const struct ummgr_run *run, int signal)
{
  char path[PATH_MAX];
  const char *program = realpath (run->path, path) ? path : run->path;
  return json_pack ("{s:i, s:o, s:s, s:s, s:s*, s:{s:i}, s:{}, s:[], s:[]}", "version", 1, "program",
		    ummgr_json_string (program), "policy", run->options.policy, "gpu",
		    run->simulated ? "sim" : "cuda", "profile",
		    run->simulated ? run->options.profile : NULL, "ended", "signal", signal, "totals",
		    "regions", "objects");
}

/* It takes its place where the statistics would be, and in comparisons.  */
static json_t *
leave_killed (struct ummgr_run *run, int signal)
{
  json_t *json = killed_json (run, signal);
  if (json && !run->stats_temporary
      && ummgr_output_write ("--stats", run->stats, ummgr_stats_dump, json) != UMMGR_OK)
    run->failed = true;
  return json;
}

/* The statistics the program left, or NULL: after a message, unless the
   program did not end by itself, which has been said.  */
static json_t *
load (struct ummgr_run *run, bool ran, int killed)
{
  off_t size = 0;
  json_error_t error;
  if (is_regular (run->stats, &size) && size > 0)
    {
      json_t *json = json_load_file (run->stats, 0, &error);
      if (!json)
	ummgr_error ("run: %s:%d: bad statistics: %s", run->stats, error.line,
		     error.text);
      return json;
    }
  if (killed)
    return leave_killed (run, killed);
  if (ran)
    ummgr_error ("run: '%s' left no statistics: it did not load libummgr, "
		 "or ended without exit", run->program[0]);
  if (is_regular (run->stats, &size))
    unlink (run->stats);
  return NULL;
}

/* What the program could not write has been said.  */
static bool
all_written (const json_t *json)
{
  return json_array_size (json_object_get (json, "unwritten")) == 0;
}

void
ummgr_run_finish_files (struct ummgr_run *run, bool ran, int killed)
{
  struct stat st;
  /* A pipe or a device has taken them already.  */
  bool checked = run->stats
    && (stat (run->stats, &st) != 0 || S_ISREG (st.st_mode));
  json_t *json = checked ? load (run, ran, killed) : NULL;
  run->failed |= checked && (!json || !all_written (json));
  if (json && run->stats_copy
      && ummgr_output_write ("--stats", run->stats_copy, ummgr_stats_dump,
			     json) != UMMGR_OK)
    run->failed = true;
  off_t size = 0;
  bool written = run->report && is_regular (run->report, &size) && size > 0;
  if (json && run->report && !written
      && ummgr_report_write (json, run->report) != UMMGR_OK)
    run->failed = true;
  json_decref (json);
  if (run->stats_temporary)
    unlink (run->stats);
  free (run->stats);
  free (run->report);
}
