/* `ummgr completion fish'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A complete command for each option (fish's complete(1)).  No state.  */

#include "config.h"
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

static void
put_quoted (const char *text)
{
  putchar ('\'');
  for (; *text; text++)
    printf ("%s%c", strchr ("'\\", *text) ? "\\" : "", *text);
  putchar ('\'');
}

static void
put_condition (const struct ummgr_command *command)
{
  printf ("complete -c ummgr -n '__ummgr_is %s'", command->name);
}

static void
put_option (const struct ummgr_command *command, const struct ummgr_option *o)
{
  const char *values = ummgr_completion_values (o);
  put_condition (command);
  printf (" -l %s", o->name);
  if (o->letter)
    printf (" -s %c", o->letter);
  printf (" -d ");
  put_quoted (ummgr_completion_help (o).text);
  /* -x: its value is needed, and no file; -r: it may be one.  Where it is not needed neither
     is so, and words after = are completed.  */
  if (o->type == UMMGR_OPTION_FLAG)
    ;
  else if (values && o->type & UMMGR_OPTION_LIST)
    printf (" -x -a '(__fish_append , %s)'", values);
  else if (values)
    printf (" -x -a '%s'", values);
  else if (o->means == UMMGR_OPTION_PROFILE)
    printf (" -r -a '(__ummgr_profiles)'");
  else if (o->means == UMMGR_OPTION_DIRECTORY)
    printf (" -x -a '(__fish_complete_directories)'");
  else if (!o->absent)
    printf (o->means == UMMGR_OPTION_FILE ? " -r -F" : " -x");
  putchar ('\n');
}

static void
put_arguments (const struct ummgr_command *c)
{
  put_condition (c);
  switch (c->takes)
    {
    case UMMGR_TAKES_NOTHING:
      printf (" -f\n");
      break;
    case UMMGR_TAKES_PROGRAM:
      printf (" -x -a '(__fish_complete_subcommand --fcs-skip=2)'\n");
      break;
    case UMMGR_TAKES_WORDS:
      printf (" -f -a '%s'\n", ummgr_completion_arguments (c));
      break;
    case UMMGR_TAKES_TRACES:
      printf (" -k -f -a '(__fish_complete_suffix .ummt)'\n");
      break;
    case UMMGR_TAKES_RESULTS:
      printf (" -k -f -a '(__fish_complete_suffix .ummt; __fish_complete_suffix .json)'\n");
      break;
    default:
      printf (" -F\n");
    }
}

static const char head[] =
  "# fish completion for ummgr; made by `ummgr completion fish'.\n"
  "# SPDX-License-Identifier: GPL-3.0-or-later\n"
  "\n"
  "# Is the command that of the line?\n"
  "function __ummgr_is\n"
  "    set -l words (commandline -opc)\n"
  "    test (count $words) -ge 2; and test \"$words[2]\" = \"$argv[1]\"\n"
  "end\n"
  "\n"
  "function __ummgr_has_none\n"
  "    test (count (commandline -opc)) -eq 1\n"
  "end\n"
  "\n"
  "# Name and description, with a tab between.\n"
  "function __ummgr_profiles\n"
  "    ummgr --list profiles 2>/dev/null | string replace -r ' +' \\t\n"
  "end\n"
  "\n";

void
ummgr_completion_fish (void)
{
  fputs (head, stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      printf ("complete -c ummgr -n __ummgr_has_none -f -a %s -d ", c->name);
      put_quoted (c->help);
      putchar ('\n');
    }
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      put_arguments (c);
      ummgr_completion_options (c, put_option);
    }
}
