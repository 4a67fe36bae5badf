/* `ummgr report`: statistics and traces, as text, HTML, JSON or CSV.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Reads and checks every file before it writes anything.  A trace beside the
   statistics of one run belongs to it.  No state.  */

#include "config.h"
#include "cli/remedies.h"
#include "cli/report-trace.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "base/log.h"
#include "report/report.h"
#include "report/stats.h"
#include "diagnose/map.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STANDARD_OUTPUT "-"

#define ROW(NAME, TYPE, FIELD, HELP, ...)                                      \
  UMMGR_OPTION (NAME, TYPE, struct ummgr_report_arguments, FIELD, HELP, __VA_ARGS__)
#define FORM(NAME, FIELD, HELP, ...)                                           \
  ROW (NAME, TEXT, FIELD, HELP, .absent = STANDARD_OUTPUT, .means = UMMGR_OPTION_FILE, __VA_ARGS__)

const struct ummgr_option ummgr_report_rows[] = {
  FORM ("html", html, "one HTML page, to FILE or to standard output", .letter = 'H'),
  ROW ("text", FLAG, text, "text (the default)", .letter = 't'),
  ROW ("output", TEXT, out, "write to FILE, not to standard output", .letter = 'o',
       .means = UMMGR_OPTION_FILE),
  FORM ("json", json, "as JSON: the comparison of statistics; of a trace findings, objects and phases",
	.letter = 0),
  ROW ("baseline", TEXT | UMMGR_OPTION_LIST, baselines,
       "compare runs of its program with this one (with the first that went well); for each program one "
       "may be given", .means = UMMGR_OPTION_FILE),
  FORM ("csv", csv, "of a trace: a line for each object, side and phase", .letter = 0),
  FORM ("findings-csv", findings, "of a trace: a line for each finding", .letter = 0),
  ROW ("maps", TEXT, maps, "of a trace: also write access maps to DIR, as PNG",
       .means = UMMGR_OPTION_DIRECTORY),
  ROW ("density", PART, options.density, "of a trace: access density below which it is low (0.5)"),
  ROW ("cost", TIME, options.cost,
       "of a trace: modelled time below which waste is not reported (1us)"),
  ROW ("smallest", LEAST, options.smallest,
       "of a trace: bytes below which waste is not reported that has no modelled time (4K)"),
  ROW ("share", PART, options.share,
       "of a trace: part of a copy below which waste is not reported (0.1)"),
  ROW ("no-replay", FLAG, untried,
       "of a trace: don't try by replay which advice to the driver would help"),
  ROW ("replay", FLAG, anyway,
       "of a trace: try it even where the launches are in a GPU's order, which takes minutes"),
  ROW ("policy", NAME, machine.policy, "try it under this policy (default: as it was recorded)",
       .values = ummgr_policy_words + 1),
  ROW ("profile", TEXT, machine.profile, "on this machine (default: as it was recorded)",
       .means = UMMGR_OPTION_PROFILE),
  ROW ("scale", SCALE, machine.scale, "so scaled"),
  ROW ("device-mem", SIZE, machine.device_mem, "with so much memory"),
  { .name = NULL }
};

static const char doc[]
  = "Show statistics written by --stats: totals, regions and objects; of "
    "several files also a comparison, of each program's runs with a baseline. Of a trace written by --trace, show what "
    "it says of data transfers and accesses, and what to change.\vA figure "
    "that was not counted is shown as -. Seconds of findings are modelled.";

/* The one form that was asked for; false after a message.  */
static bool
choose_form (struct ummgr_report_arguments *a)
{
  const struct { const char *name, *file; enum ummgr_report_form form; } forms[] = {
    { "text", a->text ? STANDARD_OUTPUT : NULL, UMMGR_REPORT_FORM_TEXT },
    { "html", a->html, UMMGR_REPORT_FORM_HTML }, { "json", a->json, UMMGR_REPORT_FORM_JSON },
    { "csv", a->csv, UMMGR_REPORT_FORM_CSV },
    { "findings-csv", a->findings, UMMGR_REPORT_FORM_FINDINGS_CSV }
  };
  const char *chosen = NULL;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (forms[i].file && chosen)
      {
	ummgr_error ("report: --%s and --%s: one form at a time", chosen, forms[i].name);
	return false;
      }
    else if (forms[i].file)
      {
	chosen = forms[i].name;
	a->form = forms[i].form;
	if (strcmp (forms[i].file, STANDARD_OUTPUT) != 0)
	  a->out = forms[i].file;
      }
  return true;
}

/* The statistics in FILE, or NULL after a message.  */
static json_t *
load (const char *file)
{
  json_error_t error;
  FILE *in = strcmp (file, "-") == 0 ? stdin : fopen (file, "re");
  if (!in)
    {
      ummgr_error ("report: %s: %s", file, strerror (errno));
      return NULL;
    }
  json_t *stats = json_loadf (in, 0, &error);
  if (in != stdin)
    fclose (in);
  if (!stats)
    ummgr_error ("report: %s:%d: %s", file, error.line > 0 ? error.line : 1,
		 error.text);
  else if (ummgr_report_check (file, stats) != UMMGR_OK)
    {
      json_decref (stats);
      stats = NULL;
    }
  return stats;
}

struct input
{
  struct ummgr_report_run *runs; /* Those with statistics.  */
  size_t run_count;
  struct ummgr_diagnosis **traces;
  size_t trace_count;
};

static bool
read_trace (const struct ummgr_report_arguments *a, const char *file, struct input *in)
{
  struct ummgr_diagnosis *d = ummgr_diagnose (file, &a->options);
  if (!d)
    return false;
  in->traces[in->trace_count++] = d;
  if (!a->untried)
    ummgr_remedies_try (d, &a->machine, a->anyway);
  return true;
}

static bool
read_run (const char *file, struct input *in)
{
  struct ummgr_report_run *run = &in->runs[in->run_count];
  run->name = file;
  run->stats = load (file);
  if (!run->stats)
    return false;
  in->run_count++;
  return true;
}

/* A baseline is one of the files, or one more.  */
static bool
read_baseline (const char *file, struct input *in)
{
  for (size_t i = 0; i < in->run_count; i++)
    if (strcmp (in->runs[i].name, file) == 0)
      {
	in->runs[i].baseline = true;
	return true;
      }
  if (!read_run (file, in))
    return false;
  in->runs[in->run_count - 1].baseline = true;
  return true;
}

static bool
read_all (const struct ummgr_report_arguments *a, struct input *in)
{
  in->runs = calloc ((size_t) (a->count + a->baselines.count), sizeof *in->runs);
  in->traces = calloc ((size_t) a->count, sizeof *in->traces);
  if (!in->runs || !in->traces)
    {
      ummgr_error ("report: out of memory");
      return false;
    }
  for (int i = 0; i < a->count; i++)
    if (!(ummgr_report_is_trace (a->files[i]) ? read_trace (a, a->files[i], in)
	  : read_run (a->files[i], in)))
      return false;
  for (size_t i = 0; i < a->baselines.count; i++)
    if (!read_baseline (a->baselines.word[i], in))
      return false;
  return ummgr_report_join (in->runs, &in->run_count)
	 && ummgr_report_check_baselines (in->runs, in->run_count) == UMMGR_OK;
}

static void
free_all (const struct input *in)
{
  for (size_t i = 0; i < in->run_count; i++)
    json_decref (in->runs[i].stats);
  for (size_t i = 0; i < in->trace_count; i++)
    ummgr_diagnosis_free (in->traces[i]);
  free (in->runs);
  free (in->traces);
}

/* Can what was read be written in the form that was asked for?  */
static bool
check (const struct ummgr_report_arguments *a, struct input *in)
{
  bool of_traces = a->form == UMMGR_REPORT_FORM_CSV
    || a->form == UMMGR_REPORT_FORM_FINDINGS_CSV;
  if ((of_traces || a->maps) && !in->trace_count)
    {
      ummgr_error ("report: %s: statistics are text, HTML or JSON; CSV and "
		   "maps are made from a trace (ummgr run --trace=FILE)",
		   a->files[0]);
      return false;
    }
  if (in->trace_count > 1 && a->form != UMMGR_REPORT_FORM_TEXT)
    {
      ummgr_error ("report: %s: one trace at a time, unless as text",
		   in->traces[1]->path);
      return false;
    }
  if (in->run_count && in->trace_count
      && (in->run_count > 1 || in->trace_count > 1))
    {
      ummgr_error ("report: %s: a trace goes with the statistics of one run",
		   in->traces[0]->path);
      return false;
    }
  if (in->run_count && in->trace_count)
    {
      in->runs[0].diagnosis = in->traces[0];
      in->runs[0].diagnosis_html = ummgr_diagnosis_html_part;
      in->runs[0].diagnosis_text = ummgr_diagnosis_text;
    }
  return true;
}

/* JSON, which is given up.  */
static bool
put_json (FILE *out, json_t *json)
{
  if (!json)
    {
      ummgr_error ("report: out of memory");
      return false;
    }
  ummgr_stats_dump (out, json);
  json_decref (json);
  return true;
}

static bool
put (FILE *out, const struct ummgr_report_arguments *a, const struct input *in)
{
  bool both = a->form == UMMGR_REPORT_FORM_TEXT
    || a->form == UMMGR_REPORT_FORM_HTML;
  if (both && in->run_count)
    {
      if (a->form == UMMGR_REPORT_FORM_HTML)
	ummgr_report_html (out, in->runs, in->run_count);
      else
	ummgr_report_text (out, in->runs, in->run_count);
      return true;
    }
  if (!in->trace_count)
    return put_json (out, ummgr_report_json (in->runs, in->run_count));
  for (size_t i = 0; i < in->trace_count; i++)
    {
      if (i)
	fputc ('\n', out);
      if (!ummgr_report_trace (out, in->traces[i], a))
	return false;
    }
  return true;
}

static bool
write_all (const struct ummgr_report_arguments *a, const struct input *in)
{
  FILE *out = a->out && strcmp (a->out, "-") != 0 ? fopen (a->out, "we")
    : stdout;
  if (!out)
    {
      ummgr_error ("report: can't write '%s': %s", a->out, strerror (errno));
      return false;
    }
  bool good = put (out, a, in) && fflush (out) == 0 && !ferror (out);
  if (out != stdout)
    good &= fclose (out) == 0;
  if (!good)
    ummgr_error ("report: can't write '%s': %s", a->out ? a->out
		 : "standard output", strerror (errno));
  return good;
}

int
ummgr_cli_report (int argc, char **argv)
{
  struct ummgr_report_arguments a = { .options = UMMGR_DIAGNOSE_DEFAULTS };
  struct input in = { 0 };
  struct ummgr_cli_files files = { .what = "statistics or trace", .usage = "[FILE...]",
				    .fallback = ummgr_last_run };
  if (!ummgr_cli_parse (ummgr_report_rows, &a, &files, doc, argc, argv) || !choose_form (&a))
    return UMMGR_EXIT_FAILURE;
  a.files = files.name;
  a.count = files.count;
  bool good = read_all (&a, &in) && check (&a, &in) && write_all (&a, &in);
  /* What stands before a trace's damage was shown, and the damage was told. */
  for (size_t i = 0; i < in.trace_count && good; i++)
    {
      if (a.maps)
	good = ummgr_access_map_png_all (a.maps, in.traces[i]) == UMMGR_OK;
      good &= !in.traces[i]->cut;
    }
  free_all (&in);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
