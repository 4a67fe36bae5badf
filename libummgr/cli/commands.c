/* The subcommands of `ummgr`, and how one is found.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Each subcommand is a file of its own.  */

#include "config.h"
#include "cli/cli.h"
#include "cli/options.h"
#include "cli/replay.h"
#include "base/log.h"
#include "base/meant.h"

#include <stdio.h>
#include <string.h>

const struct ummgr_command ummgr_commands[] = {
  { "cc", ummgr_cli_cc, "compile with gcc, the plugin, -fopenmp and libummgr",
    ummgr_cc_rows, NULL, UMMGR_TAKES_FILES, NULL },
  { "c++", ummgr_cli_cxx, "the same with g++", ummgr_cc_rows, NULL, UMMGR_TAKES_FILES, NULL },
  { "run", ummgr_cli_run, "run a program with its GPU memory managed",
    ummgr_option_table, ummgr_run_more, UMMGR_TAKES_PROGRAM, NULL },
  { "report", ummgr_cli_report, "show statistics as text or HTML",
    ummgr_report_rows, ummgr_cli_common, UMMGR_TAKES_RESULTS, NULL },
  { "advise", ummgr_cli_advise, "tell which changes of the program bring most, and how much",
    ummgr_advise_rows, ummgr_cli_common, UMMGR_TAKES_TRACES, NULL },
  { "diff", ummgr_cli_diff, "tell what is different between two runs",
    ummgr_diff_rows, ummgr_cli_common, UMMGR_TAKES_RESULTS, NULL },
  { "replay", ummgr_cli_replay, "replay a trace with other replacement policies and memory sizes",
    ummgr_replay_rows, ummgr_cli_common, UMMGR_TAKES_TRACES, NULL },
  { "classify", ummgr_cli_classify, "tell which access patterns a trace shows",
    ummgr_classify_rows, ummgr_cli_common, UMMGR_TAKES_TRACES, NULL },
  { "tables", ummgr_cli_tables, "show the tables in an object or executable",
    ummgr_tables_rows, ummgr_cli_common, UMMGR_TAKES_FILES, NULL },
  { "top", ummgr_cli_top, "show what a running program does",
    ummgr_top_rows, ummgr_cli_common, UMMGR_TAKES_NOTHING, NULL },
  { "info", ummgr_cli_info, "show what was found and what is missing",
    ummgr_info_rows, ummgr_cli_common, UMMGR_TAKES_NOTHING, NULL },
  { "calibrate", ummgr_cli_calibrate, "measure the GPU and write a profile of it",
    ummgr_calibrate_rows, ummgr_cli_common, UMMGR_TAKES_FILES, NULL },
  { "completion", ummgr_cli_completion, "write what makes a shell complete all this",
    NULL, ummgr_cli_common, UMMGR_TAKES_WORDS, "bash zsh fish" },
  { "help", ummgr_cli_help, "show the manual of a command", NULL, NULL, UMMGR_TAKES_WORDS, NULL },
  { .name = NULL }
};

void
ummgr_commands_help (FILE *to)
{
  fputs ("Usage: ummgr COMMAND [OPTION...] ...\n"
	 "Manage the GPU memory of OpenMP offload programs.\n\nCommands:\n",
	 to);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    fprintf (to, "  %-10s %s\n", c->name, c->help);
  fputs ("\n`ummgr help COMMAND' shows the manual of each, `ummgr COMMAND --help' its options,\n"
	 "`--OPTION=help' what each of its words does; `ummgr --list WHAT' has policies, profiles,\n"
	 "evict and replay-evict, one a line.  The manual is ummgr(1).\n", to);
}

int
ummgr_command_unknown (const char *name)
{
  char known[256] = "", meant[64];
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      size_t used = strlen (known);
      snprintf (known + used, sizeof known - used, "%s%s", used ? " " : "", c->name);
    }
  ummgr_error ("unknown command '%s'%s (known: %s)", name,
	       ummgr_meant (name, known, "", meant, sizeof meant), known);
  return UMMGR_EXIT_FAILURE;
}

const struct ummgr_command *
ummgr_command_find (const char *name)
{
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    if (strcmp (name, c->name) == 0)
      return c;
  return NULL;
}

int
ummgr_command_run (const struct ummgr_command *c, int argc, char **argv)
{
  char title[32];
  snprintf (title, sizeof title, "ummgr %s", c->name);
  argv[0] = title;
  return c->run (argc, argv);
}
