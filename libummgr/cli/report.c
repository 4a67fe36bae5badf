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

enum { KEY_JSON = 256, KEY_CSV, KEY_FINDINGS, KEY_MAPS, KEY_DENSITY, KEY_COST,
       KEY_SMALLEST, KEY_SHARE, KEY_REPLAY, KEY_NO_REPLAY, KEY_BASELINE };

#define ROW(NAME, TYPE, FIELD)						\
  { NAME, UMMGR_OPTION_##TYPE,						\
    offsetof (struct ummgr_diagnose_options, FIELD), NULL, NULL, NULL, NULL, 0 }

/* Of the machine and the policy under which remedies are tried.  */
static const char *const machine_names[] = { "policy", "profile", "scale", "device-mem" };
enum { MACHINE = sizeof machine_names / sizeof *machine_names, KEY_MACHINE = 512 };

static const struct ummgr_option *
machine_option (unsigned i)
{
  const struct ummgr_option *o = ummgr_option_table;
  while (strcmp (o->name, machine_names[i]) != 0)
    o++;
  return o;
}

/* From KEY_DENSITY on.  */
static const struct ummgr_option rows[] = {
  ROW ("density", PART, density), ROW ("cost", TIME, cost),
  ROW ("smallest", LEAST, smallest), ROW ("share", PART, share)
};

static error_t
parse_form (int key, char *argument, struct ummgr_report_arguments *a)
{
  static const struct { int key; enum ummgr_report_form form; } forms[] = {
    { 'H', UMMGR_REPORT_FORM_HTML }, { 't', UMMGR_REPORT_FORM_TEXT },
    { KEY_JSON, UMMGR_REPORT_FORM_JSON }, { KEY_CSV, UMMGR_REPORT_FORM_CSV },
    { KEY_FINDINGS, UMMGR_REPORT_FORM_FINDINGS_CSV }
  };
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
    if (forms[i].key == key)
      {
	a->form = forms[i].form;
	if (argument)
	  a->out = argument;
	return 0;
      }
  return ARGP_ERR_UNKNOWN;
}

static error_t
parse_one (int key, char *argument, struct argp_state *state)
{
  struct ummgr_report_arguments *a = state->input;
  switch (key)
    {
    case 'o':
      a->out = argument;
      return 0;
    case KEY_MAPS:
      a->maps = argument;
      return 0;
    case KEY_BASELINE:
      a->baselines[a->baseline_count++] = argument;
      return 0;
    case KEY_DENSITY:
    case KEY_COST:
    case KEY_SMALLEST:
    case KEY_SHARE:
      return ummgr_cli_set (&rows[key - KEY_DENSITY], &a->options, argument)
	     ? 0 : EINVAL;
    case KEY_REPLAY:
    case KEY_NO_REPLAY:
      a->anyway = key == KEY_REPLAY;
      a->untried = key == KEY_NO_REPLAY;
      return 0;
    case KEY_MACHINE ... KEY_MACHINE + MACHINE - 1:
      return ummgr_cli_set (machine_option (key - KEY_MACHINE), &a->machine, argument)
	     ? 0 : EINVAL;
    case ARGP_KEY_ARGS:
      a->files = state->argv + state->next;
      a->count = state->argc - state->next;
      return 0;
    case ARGP_KEY_NO_ARGS:
      argp_error (state, "no statistics and no trace given");
      return EINVAL;
    default:
      return parse_form (key, argument, a);
    }
}

static const struct argp_option options[] = {
  { "html", 'H', "OUT", OPTION_ARG_OPTIONAL,
    "one HTML page, to OUT or to standard output", 0 },
  { "text", 't', NULL, 0, "text (the default)", 0 },
  { "output", 'o', "OUT", 0, "write to OUT, not to standard output", 0 },
  { "json", KEY_JSON, "OUT", OPTION_ARG_OPTIONAL,
    "as JSON: the comparison of statistics; of a trace findings, objects and phases", 0 },
  { "baseline", KEY_BASELINE, "FILE", 0,
    "compare runs of its program with this one (with the first that went well); for each "
    "program one may be given", 0 },
  { NULL, 0, NULL, 0, "Of a trace:", 1 },
  { "csv", KEY_CSV, "OUT", OPTION_ARG_OPTIONAL,
    "a line for each object, side and phase", 1 },
  { "findings-csv", KEY_FINDINGS, "OUT", OPTION_ARG_OPTIONAL,
    "a line for each finding", 1 },
  { "maps", KEY_MAPS, "DIR", 0, "also write access maps to DIR, as PNG", 1 },
  { "density", KEY_DENSITY, "PART", 0,
    "access density below which it is low (0.5)", 1 },
  { "cost", KEY_COST, "TIME", 0,
    "modelled time below which waste is not reported (1us)", 1 },
  { "smallest", KEY_SMALLEST, "SIZE", 0,
    "bytes below which waste is not reported that has no modelled time (4K)",
    1 },
  { "share", KEY_SHARE, "PART", 0,
    "part of a copy below which waste is not reported (0.1)", 1 },
  { "no-replay", KEY_NO_REPLAY, NULL, 0,
    "don't try by replay which advice to the driver would help", 1 },
  { "replay", KEY_REPLAY, NULL, 0,
    "try it even where the launches are in a GPU's order, which takes minutes", 1 },
  { "policy", KEY_MACHINE, "POLICY", 0, "try it under POLICY (as it was recorded)", 1 },
  { "profile", KEY_MACHINE + 1, "PROFILE", 0, "on this machine (as it was recorded)", 1 },
  { "scale", KEY_MACHINE + 2, "1/N", 0, "so scaled", 1 },
  { "device-mem", KEY_MACHINE + 3, "SIZE", 0, "with so much memory", 1 },
  { 0 }
};

static const struct argp argp = {
  .options = options, .parser = parse_one, .args_doc = "FILE...",
  .doc = "Show statistics written by --stats: totals, regions and objects; of "
    "several files also a comparison, of each program's runs with a baseline. Of a trace written by --trace, show what "
    "it says of data transfers and accesses, and what to change.\vA figure "
    "that was not counted is shown as -. Seconds of findings are modelled."
};

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
  in->runs = calloc ((size_t) (a->count + a->baseline_count), sizeof *in->runs);
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
  for (int i = 0; i < a->baseline_count; i++)
    if (!read_baseline (a->baselines[i], in))
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
  a.baselines = calloc ((size_t) argc + 1, sizeof *a.baselines);
  if (!a.baselines || argp_parse (&argp, argc, argv, 0, NULL, &a) != 0)
    {
      free (a.baselines);
      return UMMGR_EXIT_FAILURE;
    }
  bool good = read_all (&a, &in) && check (&a, &in) && write_all (&a, &in);
  /* What stands before a trace's damage was shown, and the damage was told. */
  for (size_t i = 0; i < in.trace_count && good; i++)
    {
      if (a.maps)
	good = ummgr_access_map_png_all (a.maps, in.traces[i]) == UMMGR_OK;
      good &= !in.traces[i]->cut;
    }
  free_all (&in);
  free (a.baselines);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
