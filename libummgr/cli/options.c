/* A subcommand's options and files, from a table of the rows that ummgr's own
   options have.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/options.h"

#include "cli/cli.h"
#include "base/color.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 24 };		/* Rows of a subcommand.  */

static int
key_of (const struct ummgr_option *table, int i, int first)
{
  return table[i].letter ? table[i].letter : first + i;
}

const char *
ummgr_cli_value_name (const struct ummgr_option *option)
{
  bool list = option->type & UMMGR_OPTION_LIST;
  switch (option->type & ~UMMGR_OPTION_LIST)
    {
    case UMMGR_OPTION_FLAG: return NULL;
    case UMMGR_OPTION_NAME: return list ? "NAME,..." : "NAME";
    case UMMGR_OPTION_LEAST:
    case UMMGR_OPTION_SIZE: return list ? "SIZE,..." : "SIZE";
    case UMMGR_OPTION_COUNT: return "N";
    case UMMGR_OPTION_SCALE: return "1/N";
    case UMMGR_OPTION_SWITCH: return "on|off";
    case UMMGR_OPTION_PART: return "PART";
    case UMMGR_OPTION_TIME: return "TIME";
    default:
      return list ? "TEXT,..." : option->means == UMMGR_OPTION_FILE ? "FILE"
	     : option->means == UMMGR_OPTION_DIRECTORY ? "DIR"
	     : option->means == UMMGR_OPTION_PROFILE ? "PROFILE" : "TEXT";
    }
}

/* "what it does (one two three; default: one)", in memory of its own.  */
static char *
help_text (const struct ummgr_option *option)
{
  char *text;
  const char *words = option->values;
  bool given = option->fallback;
  int n = asprintf (&text, words || given ? "%s (%s%s%s%s)" : "%s",
		    option->help, words ? words : "",
		    words && given ? "; " : "", given ? "default: " : "",
		    given ? option->fallback : "");
  return n < 0 ? NULL : text;
}

int
ummgr_cli_argp (const struct ummgr_option *table, int first, struct argp_option *out)
{
  int n = 0;
  for (; table[n].name; n++)
    out[n] = (struct argp_option) {
      .name = table[n].name, .key = key_of (table, n, first),
      .arg = ummgr_cli_value_name (&table[n]), .doc = help_text (&table[n]),
      .flags = table[n].absent ? OPTION_ARG_OPTIONAL : 0
    };
  return n;
}

void
ummgr_cli_argp_free (struct argp_option *options, int count)
{
  for (int i = 0; i < count; i++)
    free ((char *) options[i].doc);
}

/* --NAME=help: what it does and which words it takes.  As argp's --help, ends the command.  */
static void
explain (const struct ummgr_option *option)
{
  printf ("--%s: %s\n\n", option->name, option->help);
  if (option->means == UMMGR_OPTION_PROFILE)
    ummgr_cli_list ("profiles");
  else
    ummgr_cli_list_words (option->name, option->values);
  if (option->fallback)
    printf ("\nThe default is %s.\n", option->fallback);
  exit (fflush (stdout) == 0 && !ferror (stdout) ? 0 : UMMGR_EXIT_FAILURE);
}

bool
ummgr_cli_set (const struct ummgr_option *option, void *values,
	       const char *value)
{
  char where[64];
  snprintf (where, sizeof where, "--%s", option->name);
  if (!value)
    value = option->absent ? option->absent : "";
  if ((option->values || option->means == UMMGR_OPTION_PROFILE) && strcmp (value, "help") == 0)
    explain (option);
  return ummgr_option_set (values, option, value, where) == UMMGR_OK;
}

const struct ummgr_option ummgr_cli_common[] = {
  UMMGR_COLOR_ROW (struct ummgr_cli_common_values, color),
  { .name = NULL }
};

struct parsing
{
  /* A command's own options, and those that all have.  */
  const struct ummgr_option *table[2];
  void *values[2];
  int first[2];			/* Their keys, beside letters, are from there on.  */
  struct ummgr_cli_files *files;
};

static error_t
take_files (struct ummgr_cli_files *files, struct argp_state *state)
{
  files->name = state->argv + state->next;
  files->count = state->argc - state->next;
  if (files->most && files->count > files->most)
    argp_error (state, "one %s at a time", files->what);
  return 0;
}

/* No file was named.  */
static error_t
take_fallback (struct ummgr_cli_files *files, struct argp_state *state)
{
  static char *found[4];
  const char *const *name = files->fallback;
  if (files->optional)
    return 0;
  for (; name && *name; name++)
    if (access (*name, F_OK) == 0)
      found[files->count++] = (char *) *name;
  files->name = found;
  if (files->count)
    return 0;
  argp_error (state, "no %s given%s%s%s", files->what, files->fallback ? ", and there is no " : "",
	      files->fallback ? files->fallback[0] : "", files->fallback ? " here" : "");
  return EINVAL;
}

static error_t
parse_one (int key, char *argument, struct argp_state *state)
{
  struct parsing *p = state->input;
  for (int t = 0; t < 2; t++)
    for (int i = 0; p->table[t][i].name; i++)
      if (key == key_of (p->table[t], i, p->first[t]))
	return ummgr_cli_set (&p->table[t][i], p->values[t], argument) ? 0 : EINVAL;
  switch (key)
    {
    case ARGP_KEY_ARGS:
      return take_files (p->files, state);
    case ARGP_KEY_NO_ARGS:
      return take_fallback (p->files, state);
    default:
      return ARGP_ERR_UNKNOWN;
    }
}

static void
set_defaults (const struct ummgr_option *table, void *values)
{
  for (const struct ummgr_option *o = table; o->name; o++)
    if (o->fallback && !(o->type & UMMGR_OPTION_LIST))
      ummgr_cli_set (o, values, o->fallback);
}

bool
ummgr_cli_parse (const struct ummgr_option *table, void *values,
		 struct ummgr_cli_files *files, const char *doc, int argc,
		 char **argv)
{
  struct argp_option options[MOST + 1] = { { 0 } };
  struct ummgr_cli_common_values common = { NULL };
  struct parsing p = { { table, ummgr_cli_common }, { values, &common }, { 0 }, files };
  const struct argp argp = {
    .options = options, .parser = parse_one, .args_doc = files->usage,
    .doc = doc
  };
  if (!ummgr_cli_check (table, ummgr_cli_common, argc, argv, false))
    return false;
  set_defaults (table, values);
  p.first[0] = UMMGR_CLI_KEY;
  int own = ummgr_cli_argp (table, p.first[0], options);
  p.first[1] = UMMGR_CLI_KEY + own;
  int count = own + ummgr_cli_argp (ummgr_cli_common, p.first[1], options + own);
  bool good = argp_parse (&argp, argc, argv, 0, NULL, &p) == 0;
  ummgr_cli_argp_free (options, count);
  if (good && common.color)
    ummgr_color_choose (common.color);
  return good;
}
