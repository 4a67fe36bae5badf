/* `ummgr help': the manual of a command.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   By man(1), where there is one, and a terminal to read it on; else what --help says.  No state.  */

#include "config.h"
#include "cli/cli.h"

#include "base/log.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Have man show PAGE, a file or a name; false if it could not.  */
static bool
show (const char *page)
{
  int status;
  pid_t child = fork ();
  if (child == 0)
    {
      execlp ("man", "man", page, (char *) NULL);
      _exit (UMMGR_EXIT_NOT_FOUND);
    }
  return child > 0 && waitpid (child, &status, 0) == child && WIFEXITED (status)
	 && WEXITSTATUS (status) == 0;
}

/* The manual of the command NAME, NULL for all of ummgr's: that of this tree, if it has one.  */
static bool
show_manual (const char *name)
{
  static const char *const suffixes[] = { "1", "1.gz" };
  struct ummgr_cli_paths paths;
  char file[64], page[PATH_MAX];
  if (!isatty (STDOUT_FILENO))
    return false;
  if (name && strcmp (name, "c++") == 0)
    name = "cc";
  ummgr_cli_find_paths (&paths);
  for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes && *paths.manuals; i++)
    {
      snprintf (file, sizeof file, "ummgr%s%s.%s", name ? "-" : "", name ? name : "", suffixes[i]);
      if (ummgr_cli_join (page, paths.manuals, file))
	return show (page);
    }
  return false;
}

int
ummgr_cli_help (int argc, char **argv)
{
  char *ask[] = { NULL, (char *) "--help", NULL };
  const char *name = argv[1] && argv[1][0] != '-' && strcmp (argv[1], "help") != 0 ? argv[1] : NULL;
  const struct ummgr_command *c = name ? ummgr_command_find (name) : NULL;
  if (name && !c)
    return ummgr_command_unknown (name);
  fflush (stdout);
  if (argc <= 2 && name && show_manual (name))
    return 0;
  if (c)
    return ummgr_command_run (c, 2, ask);
  ummgr_commands_help (stdout);
  return 0;
}
