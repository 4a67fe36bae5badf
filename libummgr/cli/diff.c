/* `ummgr diff`: what is different between two runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "base/log.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/report-trace.h"
#include "report/diff.h"

#include <errno.h>
#include <jansson.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct arguments
{
  bool json;
  const char *html;
};

const struct ummgr_option ummgr_diff_rows[] = {
  UMMGR_OPTION ("html", TEXT, struct arguments, html,
		"an HTML page there, instead of text; - is standard output",
		.means = UMMGR_OPTION_FILE),
  UMMGR_OPTION ("json", FLAG, struct arguments, json, "one JSON object"),
  { .name = NULL }
};

static const char doc[]
  = "Tell what is different between two runs, of each its statistics (ummgr run --stats=FILE) or "
    "its trace: what was set, totals, and of each region, object and finding what changed, the most "
    "first.\vOf a trace there are launches, bytes and findings, and no times of regions.";

/* --- a trace as statistics ------------------------------------------------------------ */

static json_t *
place (const char *file, uint32_t line)
{
  char text[4400];
  if (!*file)
    return json_null ();
  snprintf (text, sizeof text, "%s:%u", file, (unsigned) line);
  return ummgr_json_text (text);
}

static json_t *
trace_regions (const struct ummgr_diagnosis *d)
{
  json_t *out = json_array ();
  for (size_t i = 0; i < d->region_count; i++)
    json_array_append_new (out, json_pack ("{s:o, s:o, s:o, s:I, s:I}", "name",
					   ummgr_json_text (d->regions[i].name), "title",
					   ummgr_json_text (d->regions[i].title), "file",
					   ummgr_json_text (d->regions[i].file), "line",
					   (json_int_t) d->regions[i].line, "calls",
					   (json_int_t) d->region_launches[i]));
  return out;
}

static json_t *
trace_objects (const struct ummgr_diagnosis *d)
{
  json_t *out = json_array ();
  for (size_t i = 0; i < d->object_count; i++)
    {
      const struct ummgr_traced_object *o = d->objects[i];
      json_array_append_new (out, json_pack ("{s:I, s:o, s:o, s:I, s:I, s:I}", "id", (json_int_t) o->id,
					     "name", ummgr_json_text (o->name), "where_allocated",
					     place (o->file, o->line), "size", (json_int_t) o->size,
					     "h2d_bytes", (json_int_t) o->copied_in, "d2h_bytes",
					     (json_int_t) o->copied_out));
    }
  return out;
}

/* What the diagnosis D says, as far as statistics have it, too.  */
static json_t *
trace_stats (const struct ummgr_diagnosis *d)
{
  return json_pack ("{s:o, s:o, s:o, s:I, s:{s:I, s:I, s:I}, s:o, s:o, s:o}", "program",
		    ummgr_json_text (d->run.program), "policy", ummgr_json_text (d->run.policy),
		    "profile", ummgr_json_text (d->run.profile), "devices", (json_int_t) d->device_count,
		    "totals", "launches", (json_int_t) d->launches, "h2d_bytes",
		    (json_int_t) d->copied_in, "d2h_bytes", (json_int_t) d->copied_out, "regions",
		    trace_regions (d), "objects", trace_objects (d), "findings",
		    ummgr_diagnosis_json_findings (d));
}

/* --- files ---------------------------------------------------------------------------- */

static json_t *
load_stats (const char *file)
{
  json_error_t error;
  json_t *stats = json_load_file (file, 0, &error);
  if (!stats)
    ummgr_error ("diff: %s:%d: %s", file, error.line > 0 ? error.line : 1, error.text);
  else if (ummgr_report_check (file, stats) != UMMGR_OK)
    {
      json_decref (stats);
      stats = NULL;
    }
  return stats;
}

static json_t *
load_trace (const char *file)
{
  struct ummgr_diagnosis *d = ummgr_diagnose (file, NULL);
  json_t *stats = d && !d->cut ? trace_stats (d) : NULL;
  if (d && !stats)
    ummgr_error ("diff: %s: the trace is not whole", file);
  ummgr_diagnosis_free (d);
  return stats;
}

static bool
put_html (const char *file, const struct ummgr_report_run *runs)
{
  bool to_stdout = strcmp (file, "-") == 0;
  FILE *out = to_stdout ? stdout : fopen (file, "we");
  if (out)
    ummgr_report_diff_html (out, &runs[0], &runs[1]);
  bool good = out && fflush (out) == 0 && !ferror (out);
  if (out && !to_stdout)
    good &= fclose (out) == 0;
  if (!good)
    ummgr_error ("diff: can't write '%s': %s", file, strerror (errno));
  return good;
}

static bool
put (const struct arguments *a, const struct ummgr_report_run *runs)
{
  enum { DIGITS = 15 };
  if (a->json)
    return ummgr_json_put (ummgr_report_diff_json (&runs[0], &runs[1]), DIGITS);
  if (a->html)
    return put_html (a->html, runs);
  ummgr_report_diff_text (stdout, &runs[0], &runs[1]);
  return true;
}

/* The last run and the one before, of which there are statistics or else traces; false if there are
   none.  */
static bool
find_last (struct ummgr_cli_files *files)
{
  static char *found[2];
  static const char *const pairs[][2] = {
    { UMMGR_STATS_FILE UMMGR_OLD_SUFFIX, UMMGR_STATS_FILE },
    { UMMGR_TRACE_FILE UMMGR_OLD_SUFFIX, UMMGR_TRACE_FILE }
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (access (pairs[i][0], F_OK) == 0 && access (pairs[i][1], F_OK) == 0)
      {
	found[0] = (char *) pairs[i][0];
	found[1] = (char *) pairs[i][1];
	files->name = found;
	files->count = 2;
	return true;
      }
  ummgr_error ("diff: no two runs given, and " UMMGR_STATS_FILE " and " UMMGR_STATS_FILE UMMGR_OLD_SUFFIX
	       ", or both traces, are not here (ummgr run --stats leaves them)");
  return false;
}

int
ummgr_cli_diff (int argc, char **argv)
{
  struct arguments a = { 0 };
  struct ummgr_cli_files files = { .what = "statistics or traces", .usage = "[BEFORE AFTER]", .most = 2,
				    .optional = true };
  if (!ummgr_cli_parse (ummgr_diff_rows, &a, &files, doc, argc, argv))
    return UMMGR_EXIT_FAILURE;
  if (!files.count && !find_last (&files))
    return UMMGR_EXIT_FAILURE;
  if (files.count != 2)
    {
      ummgr_error ("diff: %s: one file has nothing to differ from; name two", files.name[0]);
      return UMMGR_EXIT_FAILURE;
    }
  struct ummgr_report_run runs[2] = { { .name = files.name[0] }, { .name = files.name[1] } };
  bool good = true;
  for (size_t i = 0; i < 2 && good; i++)
    {
      runs[i].stats = ummgr_report_is_trace (runs[i].name) ? load_trace (runs[i].name)
		      : load_stats (runs[i].name);
      good = runs[i].stats != NULL;
    }
  good = good && put (&a, runs);
  json_decref (runs[0].stats);
  json_decref (runs[1].stats);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
