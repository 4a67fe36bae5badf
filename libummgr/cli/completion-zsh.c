/* `ummgr completion zsh'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Specifications for zsh's own _arguments and _describe (zshcompsys(1)).  No state.  */

#include "config.h"
#include "cli/completion.h"
#include "cli/options.h"

#include <stdio.h>
#include <string.h>

/* TEXT within single quotes, and with \ before what _arguments takes for its own.  */
static void
put_plain (const char *text)
{
  for (; *text; text++)
    if (*text == '\'')
      fputs ("'\\''", stdout);
    else
      printf ("%s%c", strchr (":[]\\", *text) ? "\\" : "", *text);
}

/* ":SIZE:(one two)": how to complete the value of O.  */
static void
put_values (const struct ummgr_option *o)
{
  const char *values = ummgr_completion_values (o);
  printf (":");
  put_plain (ummgr_cli_value_name (o));
  printf (":");
  if (values && o->type & UMMGR_OPTION_LIST)
    printf ("_sequence compadd - %s", values);
  else if (values)
    printf ("(%s)", values);
  else if (o->means == UMMGR_OPTION_PROFILE)
    printf ("_ummgr_profiles");
  else if (o->means == UMMGR_OPTION_DIRECTORY)
    printf ("_files -/");
  else if (o->means == UMMGR_OPTION_FILE)
    printf ("_files");
}

static void
put_option (const struct ummgr_command *command, const struct ummgr_option *o)
{
  (void) command;
  bool flag = o->type == UMMGR_OPTION_FLAG;
  /* NAME=- is --NAME=VALUE alone, NAME= also --NAME VALUE.  */
  printf ("        '--%s%s[", o->name, flag ? "" : o->absent ? "=-" : "=");
  put_plain (ummgr_completion_help (o).text);
  printf ("]");
  if (!flag)
    {
      if (o->absent)
	printf (":");
      put_values (o);
    }
  printf ("' \\\n");
}

static void
put_arguments (const struct ummgr_command *c)
{
  switch (c->takes)
    {
    case UMMGR_TAKES_NOTHING:
      printf ("        && ret=0 ;;\n");
      break;
    case UMMGR_TAKES_PROGRAM:
      printf ("        '(-):program:_command_names -e' '*::argument:_normal' && ret=0 ;;\n");
      break;
    case UMMGR_TAKES_WORDS:
      printf ("        ':name:(%s)' && ret=0 ;;\n", ummgr_completion_arguments (c));
      break;
    default:
      printf ("        '*:file:_files%s' && ret=0 ;;\n",
	      c->takes == UMMGR_TAKES_TRACES ? " -g \"*.ummt\""
	      : c->takes == UMMGR_TAKES_RESULTS ? " -g \"*.(ummt|json)\"" : "");
    }
}

static const char head[] =
  "#compdef ummgr\n"
  "# zsh completion for ummgr; made by `ummgr completion zsh'.\n"
  "# SPDX-License-Identifier: GPL-3.0-or-later\n"
  "\n"
  "_ummgr_profiles() {\n"
  "  local -a profiles\n"
  "  profiles=( ${${(f)\"$(_call_program profiles ummgr --list profiles 2>/dev/null)\"}%% *} )\n"
  "  _alternative 'profiles:profile:compadd -a profiles' 'files:file:_files'\n"
  "}\n"
  "\n"
  "_ummgr_commands() {\n"
  "  local -a commands\n"
  "  commands=(\n";

static const char body[] =
  "  )\n"
  "  _describe -t commands 'ummgr command' commands\n"
  "}\n"
  "\n"
  "_ummgr() {\n"
  "  local curcontext=\"$curcontext\" ret=1\n"
  "  if (( CURRENT == 2 )); then\n"
  "    _ummgr_commands && ret=0\n"
  "    return ret\n"
  "  fi\n"
  "  local command=$words[2]\n"
  "  shift words\n"
  "  (( CURRENT-- ))\n"
  "  case $command in\n";

static const char tail[] =
  "  esac\n"
  "  return ret\n"
  "}\n"
  "\n"
  "# In a function's file of fpath this is that function's first call; else it is read.\n"
  "if [[ $funcstack[1] == _ummgr ]]; then\n"
  "  _ummgr \"$@\"\n"
  "elif (( $+functions[compdef] )); then\n"
  "  compdef _ummgr ummgr\n"
  "fi\n";

void
ummgr_completion_zsh (void)
{
  fputs (head, stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      printf ("    '%s:", c->name);
      put_plain (c->help);
      printf ("'\n");
    }
  fputs (body, stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      printf ("    %s)\n      _arguments %s\\\n", c->name, c->takes == UMMGR_TAKES_PROGRAM ? "-S " : "");
      ummgr_completion_options (c, put_option);
      put_arguments (c);
    }
  fputs (tail, stdout);
}
