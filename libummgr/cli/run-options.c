/* `ummgr run`: its options, all from the table that the library uses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state but what it fills in struct ummgr_run.  */

#include "config.h"
#include "cli/run.h"
#include "cli/options.h"
#include "base/log.h"
#include "base/meant.h"

#include <argp.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_QUIET = 'q' };

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
  if (key == KEY_QUIET)
    run->quiet = true;
  else if (key == ARGP_KEY_ARG)
    {
      /* The program; everything from here on is its own.  */
      run->program = &state->argv[state->next - 1];
      state->next = state->argc;
    }
  else if (key >= UMMGR_CLI_KEY && key < UMMGR_CLI_KEY + UMMGR_RUN_OPTIONS)
    {
      int i = key - UMMGR_CLI_KEY;
      argument = argument ? argument : "-";
      if (!ummgr_cli_set (&ummgr_option_table[i], &run->options, argument))
	return EINVAL;
      run->text[i] = argument;
    }
  else
    return ARGP_ERR_UNKNOWN;
  return 0;
}

/* Is WORD, an option before the program, what argp takes?  If not, say why
   and what is known.  *TAKES_NEXT_P: its value is the next word.  */
static bool
check_option (const char *word, bool *takes_next_p)
{
  char known[1024] = "--quiet", names[1024] = "quiet", typed[64], meant[64];
  const char *name = word + 2;
  size_t n = strcspn (word, "=");
  int matches = 0;
  bool exact = false, optional = false;
  *takes_next_p = false;
  if (strcmp (word, "-q") == 0
      || (n > 2 && strncmp (word, "--quiet", n) == 0 && !word[n]))
    return true;
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    {
      size_t used = strlen (known);
      snprintf (known + used, sizeof known - used, " --%s", o->name);
      used = strlen (names);
      snprintf (names + used, sizeof names - used, " %s", o->name);
      if (n > 2 && word[1] == '-' && strncmp (o->name, name, n - 2) == 0)
	{
	  matches++;
	  optional = o->type == UMMGR_OPTION_WHERE;
	  exact |= o->name[n - 2] == 0;
	}
    }
  *takes_next_p = !word[n] && !optional;
  if (exact || matches == 1)
    return true;
  if (n > 2 && word[n] == '=' && strncmp ("--quiet", word, n) == 0)
    ummgr_error ("run: option '%.*s' takes no value", (int) n, word);
  else
    {
      snprintf (typed, sizeof typed, "%.*s", n > 2 ? (int) n - 2 : 0, name);
      ummgr_error ("run: %s option '%.*s'%s (known: %s)", matches ? "ambiguous" : "unknown", (int) n,
		   word, matches ? "" : ummgr_meant (typed, names, "--", meant, sizeof meant), known);
    }
  return false;
}

/* argp, which doesn't say what is known, is not asked to complain: find out
   what it will refuse.  */
static bool
check_arguments (int argc, char **argv)
{
  for (int i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++)
    {
      bool takes_next;
      if (strcmp (argv[i], "--") == 0)
	break;
      if (!check_option (argv[i], &takes_next))
	return false;
      if (takes_next && ++i == argc)
	{
	  ummgr_error ("run: option '%s' needs a value", argv[i - 1]);
	  return false;
	}
    }
  return true;
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
  return check_arguments (argc, argv)
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

/* With --check the clauses alone decide what is where, and only the simulated GPU tells.  */
static int
check_check (struct ummgr_run *run)
{
  struct ummgr_options *o = &run->options;
  const char *other
    = o->trace || o->report ? "--trace and --report"
    : strcmp (o->fidelity, "access") == 0 || ummgr_options_joined (o) ? "--fidelity=access"
    : strcmp (o->kernels, "ptx") == 0 ? "--kernels=ptx"
    : ummgr_options_spread (o) || ummgr_options_stream (o) || o->pieces > 1
      ? "--spread, --stream and --pieces"
    : strcmp (o->policy, "auto") != 0 && strcmp (o->policy, "explicit") != 0
      ? "a policy other than explicit" : strcmp (o->gpu, "cuda") == 0 ? "--gpu=cuda" : NULL;
  if (!o->check)
    return 0;
  if (other)
    {
      ummgr_error ("run: --check and %s don't go together: leave one of them out", other);
      return UMMGR_EXIT_FAILURE;
    }
  o->gpu = "sim";
  return 0;
}

int
ummgr_run_options (struct ummgr_run *run, int argc, char **argv, bool *done_p)
{
  struct argp_option options[UMMGR_RUN_OPTIONS + 2] = { { 0 } };
  int n = ummgr_cli_argp (ummgr_option_table, options);
  for (const struct ummgr_option *o = ummgr_option_table; o->name; o++)
    if (o->fallback)
      ummgr_cli_set (o, &run->options, o->fallback);
  options[n].name = "quiet";
  options[n].key = KEY_QUIET;
  options[n].doc = "don't say which GPU is used";
  int status = parse_all (run, argc, argv, options, done_p);
  ummgr_cli_argp_free (options, n);
  if (status || *done_p)
    return status;
  status = take_variables (run);
  if (status == 0)
    status = check_threads (run);
  if (status == 0)
    status = check_level (run);
  if (status == 0)
    status = check_check (run);
  if (status == 0 && !run->program)
    {
      ummgr_error ("run: no program given: ummgr run [OPTION...] -- PROGRAM "
		   "[ARGUMENT...]");
      status = UMMGR_EXIT_FAILURE;
    }
  return status;
}
