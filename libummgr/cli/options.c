/* A subcommand's options and files, from a table of the rows that ummgr's own
   options have.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/options.h"

#include "cli/cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 16 };		/* Rows of a subcommand.  */

static int
key_of (const struct ummgr_option *table, int i)
{
  return table[i].letter ? table[i].letter : UMMGR_CLI_KEY + i;
}

static const char *
argument_name (const struct ummgr_option *option)
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
    case UMMGR_OPTION_WHERE: return "FILE";
    default: return list ? "TEXT,..." : "TEXT";
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
ummgr_cli_argp (const struct ummgr_option *table, struct argp_option *out)
{
  int n = 0;
  for (; table[n].name; n++)
    out[n] = (struct argp_option) {
      .name = table[n].name, .key = key_of (table, n),
      .arg = argument_name (&table[n]),
      .flags = table[n].type == UMMGR_OPTION_WHERE ? OPTION_ARG_OPTIONAL : 0, .doc = help_text (&table[n])
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
  if (option->values && strcmp (value, "help") == 0)
    explain (option);
  return ummgr_option_set (values, option, value, where) == UMMGR_OK;
}

struct parsing
{
  const struct ummgr_option *table;
  void *values;
  struct ummgr_cli_files *files;
};

static error_t
parse_one (int key, char *argument, struct argp_state *state)
{
  struct parsing *p = state->input;
  for (int i = 0; p->table[i].name; i++)
    if (key == key_of (p->table, i))
      return ummgr_cli_set (&p->table[i], p->values, argument ? argument : "")
	     ? 0 : EINVAL;
  switch (key)
    {
    case ARGP_KEY_ARGS:
      p->files->name = state->argv + state->next;
      p->files->count = state->argc - state->next;
      if (p->files->most && p->files->count > p->files->most)
	argp_error (state, "one %s at a time", p->files->what);
      return 0;
    case ARGP_KEY_NO_ARGS:
      if (p->files->optional)
	return 0;
      argp_error (state, "no %s given", p->files->what);
      return EINVAL;
    default:
      return ARGP_ERR_UNKNOWN;
    }
}

bool
ummgr_cli_parse (const struct ummgr_option *table, void *values,
		 struct ummgr_cli_files *files, const char *doc, int argc,
		 char **argv)
{
  struct argp_option options[MOST + 1] = { { 0 } };
  struct parsing p = { table, values, files };
  const struct argp argp = {
    .options = options, .parser = parse_one, .args_doc = files->usage,
    .doc = doc
  };
  for (const struct ummgr_option *o = table; o->name; o++)
    if (o->fallback && !(o->type & UMMGR_OPTION_LIST))
      ummgr_cli_set (o, values, o->fallback);
  int count = ummgr_cli_argp (table, options);
  bool good = argp_parse (&argp, argc, argv, 0, NULL, &p) == 0;
  ummgr_cli_argp_free (options, count);
  return good;
}
