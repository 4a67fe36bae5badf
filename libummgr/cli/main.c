/* The `ummgr` command: what stands before a subcommand, version.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Alone in its file, so that a program with another `main' can be linked
   with the commands (testsuite/fuzz).  */

#include "config.h"
#include "cli/cli.h"
#include "base/log.h"
#include "base/progress.h"

#include <argp.h>
#include <stdio.h>
#include <string.h>

static const char version_text[] = "ummgr " PACKAGE_VERSION "\n"
  "Copyright (C) 2026 The ummgr authors\n"
  "License GPLv3+: GNU GPL version 3 or later <https://gnu.org/licenses/gpl.html>;\n"
  "the library has the GCC Runtime Library Exception besides.\n"
  "This is free software: you are free to change and redistribute it.\n"
  "There is NO WARRANTY, to the extent permitted by law.\n";

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
  ummgr_progress_enable ();
  int (*wrapper) (int, char **) = ummgr_cli_wrapper (argv[0]);
  if (wrapper)
    return close_output (wrapper (argc, argv));
  if (argc < 2)
    {
      ummgr_commands_help (stderr);
      return UMMGR_EXIT_FAILURE;
    }
  const char *name = argv[1];
  if (strcmp (name, "--version") == 0 || strcmp (name, "-V") == 0)
    {
      fputs (version_text, stdout);
      return close_output (0);
    }
  if (strcmp (name, "--help") == 0 || strcmp (name, "-?") == 0
      || strcmp (name, "-h") == 0)
    {
      ummgr_commands_help (stdout);
      return close_output (0);
    }
  if (strcmp (name, "--list") == 0)
    return close_output (ummgr_cli_list (argv[2]));
  const struct ummgr_command *command = ummgr_command_find (name);
  if (command)
    return close_output (ummgr_command_run (command, argc - 1, argv + 1));
  return ummgr_command_unknown (name);
}
