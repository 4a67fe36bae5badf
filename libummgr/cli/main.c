/* The `ummgr` command: subcommands, version, help.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Each subcommand is a file of its own.  */

#include "config.h"
#include "cli/cli.h"
#include "cli/replay.h"
#include "base/log.h"
#include "base/meant.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct ummgr_command commands[] = {
  { "cc", ummgr_cli_cc,
    "compile with gcc, the plugin, -fopenmp and libummgr" },
  { "c++", ummgr_cli_cxx, "the same with g++" },
  { "run", ummgr_cli_run, "run a program with its GPU memory managed" },
  { "report", ummgr_cli_report, "show statistics as text or HTML" },
  { "advise", ummgr_cli_advise,
    "tell which changes of the program bring most, and how much" },
  { "diff", ummgr_cli_diff, "tell what is different between two runs" },
  { "replay", ummgr_cli_replay,
    "replay a trace with other replacement policies and memory sizes" },
  { "classify", ummgr_cli_classify,
    "tell which access patterns a trace shows" },
  { "tables", ummgr_cli_tables,
    "show the tables in an object or executable" },
  { "info", ummgr_cli_info, "show what was found and what is missing" },
  { "calibrate", ummgr_cli_calibrate,
    "measure the GPU and write a profile of it" },
  { NULL, NULL, NULL }
};

static void
print_help (FILE *to)
{
  fputs ("Usage: ummgr COMMAND [OPTION...] ...\n"
	 "Manage the GPU memory of OpenMP offload programs.\n\nCommands:\n",
	 to);
  for (const struct ummgr_command *c = commands; c->name; c++)
    fprintf (to, "  %-9s %s\n", c->name, c->help);
  fputs ("\n`ummgr help COMMAND' tells the options of each, `ummgr --list WHAT'\n"
	 "what --policy (policies), --evict (evict) and --evict of replay "
	 "(replay-evict)\ntake; the manual is ummgr(1).\n", to);
}

static int
unknown_command (const char *name)
{
  char known[256] = "", meant[64];
  for (const struct ummgr_command *c = commands; c->name; c++)
    {
      strcat (known, *known ? " " : "");
      strcat (known, c->name);
    }
  ummgr_error ("unknown command '%s'%s (known: %s)", name,
	       ummgr_meant (name, known, "", meant, sizeof meant), known);
  return UMMGR_EXIT_FAILURE;
}

static const struct ummgr_command *
find_command (const char *name)
{
  for (const struct ummgr_command *c = commands; c->name; c++)
    if (strcmp (name, c->name) == 0)
      return c;
  return NULL;
}

static int
run_command (const struct ummgr_command *c, int argc, char **argv)
{
  char title[32];
  snprintf (title, sizeof title, "ummgr %s", c->name);
  argv[0] = title;
  return c->run (argc, argv);
}

/* `ummgr help', or `ummgr help COMMAND', which is `ummgr COMMAND --help'.  */
static int
help (const char *name)
{
  const struct ummgr_command *c = name ? find_command (name) : NULL;
  char *argv[] = { NULL, (char *) "--help", NULL };
  if (c)
    return run_command (c, 2, argv);
  if (name)
    return unknown_command (name);
  print_help (stdout);
  return 0;
}

/* A full disk must not pass for success.  */
static int
close_output (int status)
{
  if (fflush (stdout) == 0 && !ferror (stdout))
    return status;
  ummgr_error ("can't write to standard output");
  return status ? status : UMMGR_EXIT_FAILURE;
}

int
main (int argc, char **argv)
{
  argp_err_exit_status = UMMGR_EXIT_FAILURE;
  ummgr_log_init ();
  if (argc < 2)
    {
      print_help (stderr);
      return UMMGR_EXIT_FAILURE;
    }
  const char *name = argv[1];
  if (strcmp (name, "--version") == 0 || strcmp (name, "-V") == 0)
    {
      puts ("ummgr " PACKAGE_VERSION);
      return close_output (0);
    }
  if (strcmp (name, "--help") == 0 || strcmp (name, "-?") == 0
      || strcmp (name, "-h") == 0)
    return close_output (help (NULL));
  if (strcmp (name, "help") == 0)
    return close_output (help (argv[2]));
  if (strcmp (name, "--list") == 0)
    return close_output (ummgr_cli_list (argv[2]));
  const struct ummgr_command *command = find_command (name);
  if (command)
    return close_output (run_command (command, argc - 1, argv + 1));
  return unknown_command (name);
}
