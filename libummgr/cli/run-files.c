/* `ummgr run`: the statistics and the report that the run shall leave.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A file that can't be written is found out before the program starts, said
   once, and makes the exit status non-zero; the program runs all the same.
   A report that the program did not write is made from the statistics, in a
   temporary file if need be.  */

#include "config.h"
#include "cli/run.h"
#include "log.h"
#include "report.h"

#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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
      ummgr_error ("--%s: can't write '%s': %s", option, file,
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

void
ummgr_run_prepare_files (struct ummgr_run *run)
{
  const char *stats = run->options.stats, *report = run->options.report;
  off_t size;
  if (run->options.trace && !make_empty (run, "trace", run->options.trace))
    *ummgr_run_text (run, "trace") = NULL;
  if (report && (strcmp (report, "-") == 0
		 || make_empty (run, "report", report)))
    run->report = strdup (report);
  if (stats && strcmp (stats, "-") == 0)
    run->stats_copy = stats;
  else if (stats && make_empty (run, "stats", stats))
    {
      /* What goes into a pipe or a device can't be read again here.  */
      if (run->report && !is_regular (stats, &size))
	run->stats_copy = stats;
      else
	run->stats = strdup (stats);
    }
  if (!run->stats && (run->report || run->stats_copy))
    run->stats = temporary_file (run);
}

bool
ummgr_run_report_is_file (const struct ummgr_run *run)
{
  off_t size;
  return run->report && is_regular (run->report, &size);
}

/* The statistics the program left, or NULL: after a message, unless the
   program did not end by itself, which has been said.  */
static json_t *
load (const struct ummgr_run *run, bool ran)
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
  if (ran)
    ummgr_error ("run: '%s' left no statistics: it did not load libummgr, "
		 "or ended without exit", run->program[0]);
  if (is_regular (run->stats, &size))
    unlink (run->stats);
  return NULL;
}

static void
write_copy (struct ummgr_run *run, const json_t *json)
{
  bool std = strcmp (run->stats_copy, "-") == 0;
  FILE *to = std ? stderr : fopen (run->stats_copy, "we");
  bool good = to
    && json_dumpf (json, to, JSON_INDENT (1) | JSON_REAL_PRECISION (15)) == 0
    && fputc ('\n', to) != EOF;
  if (to && !std)
    good &= fclose (to) == 0;
  if (good)
    return;
  ummgr_error ("--stats: can't write '%s': %s", run->stats_copy,
	       strerror (errno));
  run->failed = true;
}

void
ummgr_run_finish_files (struct ummgr_run *run, bool ran)
{
  struct stat st;
  /* A pipe or a device has taken them already.  */
  bool checked = run->stats
    && (stat (run->stats, &st) != 0 || S_ISREG (st.st_mode));
  json_t *json = checked ? load (run, ran) : NULL;
  run->failed |= checked && !json;
  if (json && run->stats_copy)
    write_copy (run, json);
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
