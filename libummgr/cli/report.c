/* `ummgr report`: statistics as text or HTML.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Reads and checks every file before it writes anything.  No state.  */

#include "config.h"
#include "cli/cli.h"
#include "log.h"
#include "report.h"

#include <argp.h>
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arguments
{
  bool html;
  const char *out;		/* NULL: standard output.  */
  char **files;
  int count;
};

static error_t
parse_one (int key, char *argument, struct argp_state *state)
{
  struct arguments *a = state->input;
  switch (key)
    {
    case 'H':
      a->html = true;
      a->out = argument;
      return 0;
    case 't':
      a->html = false;
      return 0;
    case 'o':
      a->out = argument;
      return 0;
    case ARGP_KEY_ARGS:
      a->files = state->argv + state->next;
      a->count = state->argc - state->next;
      return 0;
    case ARGP_KEY_NO_ARGS:
      argp_error (state, "no statistics given");
      return EINVAL;
    default:
      return ARGP_ERR_UNKNOWN;
    }
}

static const struct argp_option options[] = {
  { "html", 'H', "OUT", OPTION_ARG_OPTIONAL,
    "one HTML page, to OUT or to standard output", 0 },
  { "text", 't', NULL, 0, "text (the default)", 0 },
  { "output", 'o', "OUT", 0, "write to OUT, not to standard output", 0 },
  { 0 }
};

static const struct argp argp = {
  .options = options, .parser = parse_one, .args_doc = "FILE...",
  .doc = "Show statistics written by --stats: totals, regions and objects; of "
    "several files also a comparison.\vA figure that was not counted is shown "
    "as -."
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

static bool
write_all (const struct arguments *a, const struct ummgr_report_run *runs)
{
  FILE *out = a->out && strcmp (a->out, "-") != 0 ? fopen (a->out, "we")
    : stdout;
  if (!out)
    {
      ummgr_error ("report: can't write '%s': %s", a->out, strerror (errno));
      return false;
    }
  if (a->html)
    ummgr_report_html (out, runs, a->count);
  else
    ummgr_report_text (out, runs, a->count);
  bool good = fflush (out) == 0 && !ferror (out);
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
  struct arguments a = { 0 };
  if (argp_parse (&argp, argc, argv, 0, NULL, &a) != 0)
    return UMMGR_EXIT_FAILURE;
  struct ummgr_report_run *runs = calloc (a.count, sizeof *runs);
  bool good = runs != NULL;
  for (int i = 0; i < a.count && good; i++)
    {
      runs[i].name = a.files[i];
      runs[i].stats = load (a.files[i]);
      good = runs[i].stats != NULL;
    }
  good = good && write_all (&a, runs);
  for (int i = 0; runs && i < a.count; i++)
    json_decref (runs[i].stats);
  free (runs);
  return good ? 0 : UMMGR_EXIT_FAILURE;
}
