/* `ummgr run`: its options, all from the table that the library uses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state but what it fills in struct ummgr_run.  */

#include "config.h"
#include "cli/run.h"
#include "cli/options.h"
#include "base/color.h"
#include "base/log.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is the command's alone; the library has the variables UMMGR_COLOR and UMMGR_LIVE.  */
#define ROW(NAME, TYPE, FIELD, HELP, ...)                                      \
  UMMGR_OPTION (NAME, TYPE, struct ummgr_run, FIELD, HELP, __VA_ARGS__)

const struct ummgr_option ummgr_run_more[] = {
  ROW ("quiet", FLAG, quiet, "don't say which GPU is used", .letter = 'q'),
  UMMGR_COLOR_ROW (struct ummgr_run, color),
  ROW ("live", FLAG, live, "let ummgr top show what the program does"),
  { .name = NULL }
};

enum { KEY_MORE = UMMGR_CLI_KEY + UMMGR_RUN_OPTIONS };

/* The row of ummgr_run_more whose key is KEY, or NULL.  A program's name has key 0, as no letter is.  */
static const struct ummgr_option *
find_more (int key)
{
  for (int i = 0; key && ummgr_run_more[i].name; i++)
    if (key == ummgr_run_more[i].letter || key == KEY_MORE + i)
      return &ummgr_run_more[i];
  return NULL;
}

const char **
ummgr_run_text (struct ummgr_run *run, const char *name)
{
  for (int i = 0; ummgr_option_table[i].name; i++)
    if (strcmp (ummgr_option_table[i].name, name) == 0)
      return &run->text[i];
  return NULL;
}

static error_t
parse_one (int key, char *argument, struct argp_state *state)
{
  struct ummgr_run *run = state->input;
  const struct ummgr_option *more = find_more (key);
  if (more)
    return ummgr_cli_set (more, run, argument) ? 0 : EINVAL;
  if (key == ARGP_KEY_ARG)
    {
      /* The program; everything from here on is its own.  */
      run->program = &state->argv[state->next - 1];
      state->next = state->argc;
    }
  else if (key >= UMMGR_CLI_KEY && key < UMMGR_CLI_KEY + UMMGR_RUN_OPTIONS)
    {
      int i = key - UMMGR_CLI_KEY;
      const struct ummgr_option *option = &ummgr_option_table[i];
      if (!ummgr_cli_set (option, &run->options, argument))
	return EINVAL;
      run->text[i] = argument ? argument : option->absent;
    }
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

/* Variables count where no option was given; a bad one is an error here,
   while the library would only warn and go on.  */
static int
take_variables (struct ummgr_run *run)
{
  int status = 0;
  for (int i = 0; ummgr_option_table[i].name; i++)
    {
      const struct ummgr_option *option = &ummgr_option_table[i];
      char variable[64];
      ummgr_option_variable (option, variable, sizeof variable);
      const char *value = getenv (variable);
      if (run->text[i] || !value || !*value)
	continue;
      if (ummgr_option_set (&run->options, option, value, variable)
	  != UMMGR_OK)
	status = UMMGR_EXIT_FAILURE;
      run->text[i] = value;
    }
  return status;
}

static int
parse_all (struct ummgr_run *run, int argc, char **argv,
	   struct argp_option *options, bool *done_p)
{
  const struct argp argp = {
    .options = options, .parser = parse_one,
    .args_doc = "[--] PROGRAM [ARGUMENT...]",
    .doc = "Run PROGRAM with its GPU memory managed.\v"
      "Each option has a variable of the same name, such as UMMGR_POLICY, "
      "which counts where the option is not given.  SIZE takes K, M, G or T. "
      "--NAME=help tells what each value does.  "
      "The exit status is PROGRAM's, 128+N if signal N ended it, 1 if a file "
      "asked for could not be written to the end, 125 if ummgr failed or can't open one "
      "and PROGRAM did not run, 126 or 127 if PROGRAM could not be run or found."
  };
  for (int i = 1; i < argc && argv[i][0] == '-'; i++)
    {
      if (strcmp (argv[i], "--") == 0)
	break;
      *done_p |= strcmp (argv[i], "--help") == 0
	|| strcmp (argv[i], "-?") == 0 || strcmp (argv[i], "--usage") == 0;
    }
  if (*done_p)
    {
      argp_help (&argp, stdout, ARGP_HELP_STD_HELP, argv[0]);
      return 0;
    }
  return ummgr_cli_check (ummgr_option_table, ummgr_run_more, argc, argv, true)
    && argp_parse (&argp, argc, argv, ARGP_IN_ORDER | ARGP_SILENT, NULL, run)
       == 0 ? 0 : UMMGR_EXIT_FAILURE;
}

static int
check_threads (const struct ummgr_run *run)
{
  if (!run->options.team_threads || strcmp (run->options.fidelity, "access") == 0
      || ummgr_options_joined (&run->options))
    return 0;
  ummgr_error ("run: --team-threads says how many threads a modelled launch has, but "
	       "launches are modelled with --fidelity=access only");
  return UMMGR_EXIT_FAILURE;
}

static int
check_level (const struct ummgr_run *run)
{
  if (!ummgr_options_light (&run->options)
      || (strcmp (run->options.fidelity, "access") != 0 && !ummgr_options_joined (&run->options)))
    return 0;
  ummgr_error ("run: --trace-level=copies leaves out accesses, which --fidelity=access and "
	       "--placement need");
  return UMMGR_EXIT_FAILURE;
}

int
ummgr_run_options (struct ummgr_run *run, int argc, char **argv, bool *done_p)
{
  struct argp_option options[UMMGR_RUN_OPTIONS + 8] = { { 0 } };
  int n = ummgr_cli_argp (ummgr_option_table, UMMGR_CLI_KEY, options);
  n += ummgr_cli_argp (ummgr_run_more, KEY_MORE, options + n);
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    if (o->fallback)
      ummgr_cli_set (o, &run->options, o->fallback);
  int status = parse_all (run, argc, argv, options, done_p);
  ummgr_cli_argp_free (options, n);
  if (status || *done_p)
    return status;
  if (run->color)
    ummgr_color_choose (run->color);
  status = take_variables (run);
  if (status == 0)
    status = check_threads (run);
  if (status == 0)
    status = check_level (run);
  if (status == 0 && !run->program)
    {
      ummgr_error ("run: no program given: ummgr run [OPTION...] -- PROGRAM "
		   "[ARGUMENT...]");
      status = UMMGR_EXIT_FAILURE;
    }
  return status;
}
