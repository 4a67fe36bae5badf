/* `ummgr completion': what makes a shell complete commands, options and their words.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All from the tables that the commands read their arguments by.  No state.  */

#include "config.h"
#include "cli/completion.h"

#include "base/log.h"
#include "base/meant.h"
#include "cli/options.h"

#include <string.h>

static const struct { const char *name; void (*write) (void); } shells[] = {
  { "bash", ummgr_completion_bash }, { "zsh", ummgr_completion_zsh }, { "fish", ummgr_completion_fish }
};

void
ummgr_completion_options (const struct ummgr_command *command,
			  void (*put) (const struct ummgr_command *command,
				       const struct ummgr_option *option))
{
  static const struct ummgr_option help
    = { .name = "help", .type = UMMGR_OPTION_FLAG, .help = "show the options" };
  for (const struct ummgr_option *o = command->options; o && o->name; o++)
    put (command, o);
  for (const struct ummgr_option *o = command->more; o && o->name; o++)
    put (command, o);
  if (command->options || command->more)
    put (command, &help);
}

const char *
ummgr_completion_arguments (const struct ummgr_command *command)
{
  static char names[256];
  if (command->takes != UMMGR_TAKES_WORDS || command->words)
    return command->words;
  *names = 0;
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      size_t used = strlen (names);
      snprintf (names + used, sizeof names - used, "%s%s", used ? " " : "", c->name);
    }
  return names;
}

const char *
ummgr_completion_values (const struct ummgr_option *option)
{
  return option->type == UMMGR_OPTION_SWITCH ? "on off" : option->values;
}

struct ummgr_completion_text
ummgr_completion_help (const struct ummgr_option *option)
{
  struct ummgr_completion_text out;
  snprintf (out.text, sizeof out.text, "%s", option->help);
  if (strncmp (out.text, "of a trace: ", 12) == 0)
    memmove (out.text, out.text + 12, strlen (out.text + 12) + 1);
  /* Long help says first what the option is.  */
  size_t n = strcspn (out.text, ":;(,");
  if (out.text[n] == ',' && n < 16)
    n += 1 + strcspn (out.text + n + 1, ":;(,");
  while (n && out.text[n - 1] == ' ')
    n--;
  out.text[n] = 0;
  return out;
}

int
ummgr_cli_completion (int argc, char **argv)
{
  static const struct ummgr_option none[] = { { .name = NULL } };
  struct ummgr_cli_files files = { .what = "shell", .usage = "bash|zsh|fish", .most = 1 };
  char meant[64];
  if (!ummgr_cli_parse (none, NULL, &files,
			"Write to standard output what makes a shell complete ummgr's commands, options and "
			"their words.\vTo have it where it is not installed: eval \"$(ummgr completion bash)\", "
			"or the same for zsh (after compinit); ummgr completion fish | source.", argc, argv))
    return UMMGR_EXIT_FAILURE;
  for (size_t i = 0; i < sizeof shells / sizeof *shells; i++)
    if (strcmp (files.name[0], shells[i].name) == 0)
      {
	shells[i].write ();
	return 0;
      }
  ummgr_error ("completion: unknown shell '%s'%s (known: bash zsh fish)", files.name[0],
	       ummgr_meant (files.name[0], "bash zsh fish", "", meant, sizeof meant));
  return UMMGR_EXIT_FAILURE;
}
