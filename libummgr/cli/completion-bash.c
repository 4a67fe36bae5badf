/* `ummgr completion bash'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A function for complete -F.  bash breaks words at = and :, so that --policy=r is three of them.  What
   is completed may lie behind another program (run): then that one's completion is asked for, where
   the package bash-completion is there, which has the means.  No state.  */

#include "config.h"
#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

static void
put_option (const struct ummgr_command *command, const struct ummgr_option *o)
{
  (void) command;
  printf (" --%s%s", o->name, o->type == UMMGR_OPTION_FLAG || o->absent ? "" : "=");
  if (o->type != UMMGR_OPTION_FLAG && o->absent)
    printf (" --%s=", o->name);
}

/* Of a case: what VALUES option O takes.  */
static void
put_values (const struct ummgr_command *command, const struct ummgr_option *o)
{
  const char *values = ummgr_completion_values (o);
  bool list = o->type & UMMGR_OPTION_LIST;
  if (values)
    printf ("    %s:--%s) %s \"%s\" ;;\n", command->name, o->name, list ? "_ummgr_list" : "_ummgr_words", values);
  else if (o->means == UMMGR_OPTION_PROFILE)
    printf ("    %s:--%s) _ummgr_words \"$(_ummgr_profiles)\"; _ummgr_files ;;\n", command->name, o->name);
  else if (o->means == UMMGR_OPTION_DIRECTORY)
    printf ("    %s:--%s) compopt -o filenames; COMPREPLY=( $(compgen -d -- \"$cur\") ) ;;\n", command->name, o->name);
  else if (o->means == UMMGR_OPTION_FILE)
    printf ("    %s:--%s) _ummgr_files ;;\n", command->name, o->name);
}

static void
put_arguments (const struct ummgr_command *c)
{
  static const char *const of[] = {
    [UMMGR_TAKES_NOTHING] = ":", [UMMGR_TAKES_FILES] = "_ummgr_files",
    [UMMGR_TAKES_PROGRAM] = "_ummgr_program", [UMMGR_TAKES_TRACES] = "_ummgr_files ummt",
    [UMMGR_TAKES_RESULTS] = "_ummgr_files ummt json"
  };
  if (c->takes == UMMGR_TAKES_WORDS)
    printf ("    %s) _ummgr_words \"%s\" ;;\n", c->name, ummgr_completion_arguments (c));
  else
    printf ("    %s) %s ;;\n", c->name, of[c->takes]);
}

/* Options that take their value from the next word.  */
static void
put_taking (const struct ummgr_command *command, const struct ummgr_option *o)
{
  (void) command;
  if (o->type == UMMGR_OPTION_FLAG || o->absent)
    return;
  printf (" --%s", o->name);
  if (o->letter)
    printf (" -%c", o->letter);
}

static const char head[] =
  "# bash completion for ummgr; made by `ummgr completion bash'.\n"
  "# SPDX-License-Identifier: GPL-3.0-or-later\n"
  "\n"
  "_ummgr_words()\n"
  "{\n"
  "  COMPREPLY+=( $(compgen -W \"$1\" -- \"$cur\") )\n"
  "}\n"
  "\n"
  "# Words with commas between: the last is completed.\n"
  "_ummgr_list()\n"
  "{\n"
  "  local before=\n"
  "  [[ $cur == *,* ]] && before=${cur%,*},\n"
  "  COMPREPLY+=( $(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\") )\n"
  "  compopt -o nospace\n"
  "}\n"
  "\n"
  "# Files, with one of SUFFIXES if there are any, and directories.\n"
  "_ummgr_files()\n"
  "{\n"
  "  local IFS=$'\\n' suffix\n"
  "  compopt -o filenames\n"
  "  if (( $# == 0 )); then\n"
  "    COMPREPLY+=( $(compgen -f -- \"$cur\") )\n"
  "    return\n"
  "  fi\n"
  "  COMPREPLY+=( $(compgen -d -- \"$cur\") )\n"
  "  for suffix; do\n"
  "    COMPREPLY+=( $(compgen -f -X \"!*.$suffix\" -- \"$cur\") )\n"
  "  done\n"
  "}\n"
  "\n"
  "_ummgr_profiles()\n"
  "{\n"
  "  ummgr --list profiles 2>/dev/null | while read -r name rest; do echo \"$name\"; done\n"
  "}\n"
  "\n"
  "# A program, at word $program of the line, or its arguments.\n"
  "_ummgr_program()\n"
  "{\n"
  "  local IFS=$'\\n'\n"
  "  if (( program < COMP_CWORD )); then\n"
  "    if declare -F _command_offset >/dev/null; then\n"
  "      _command_offset \"$program\"\n"
  "    else\n"
  "      _ummgr_files\n"
  "    fi\n"
  "  else\n"
  "    compopt -o filenames\n"
  "    COMPREPLY=( $(compgen -c -- \"$cur\") $(compgen -d -- \"$cur\") )\n"
  "  fi\n"
  "}\n"
  "\n";

static const char body[] =
  "_ummgr()\n"
  "{\n"
  "  local cur=${COMP_WORDS[COMP_CWORD]} command=${COMP_WORDS[1]} option= options= takes= i program=0\n"
  "  COMPREPLY=()\n"
  "  if (( COMP_CWORD == 1 )); then\n"
  "    _ummgr_words \"$(_ummgr_commands) --help --list --version\"\n"
  "    return\n"
  "  fi\n"
  "  _ummgr_options_of \"$command\"\n"
  "  # Where the options end, for a program begins there.\n"
  "  for (( i = 2; i < COMP_CWORD; i++ )); do\n"
  "    case ${COMP_WORDS[i]} in\n"
  "      --) program=$(( i + 1 )); break ;;\n"
  "      -*)\n"
  "        if [[ ${COMP_WORDS[i+1]} == = ]]; then\n"
  "          i=$(( i + 2 ))\n"
  "        elif [[ \" $takes \" == *\" ${COMP_WORDS[i]} \"* ]]; then\n"
  "          i=$(( i + 1 ))\n"
  "        fi ;;\n"
  "      *) [[ $command == run ]] && { program=$i; break; } ;;\n"
  "    esac\n"
  "  done\n"
  "  if (( program )); then\n"
  "    _ummgr_arguments_of \"$command\"\n"
  "    return\n"
  "  fi\n"
  "  program=$COMP_CWORD\n"
  "  # --NAME=VALUE is three words, or --NAME VALUE two.\n"
  "  if [[ $cur == = ]]; then\n"
  "    cur= option=${COMP_WORDS[COMP_CWORD-1]}\n"
  "  elif (( COMP_CWORD > 3 )) && [[ ${COMP_WORDS[COMP_CWORD-1]} == = ]]; then\n"
  "    option=${COMP_WORDS[COMP_CWORD-2]}\n"
  "  elif [[ $cur == --*=* ]]; then\n"
  "    option=${cur%%=*} cur=${cur#*=}\n"
  "  elif [[ \" $takes \" == *\" ${COMP_WORDS[COMP_CWORD-1]} \"* ]]; then\n"
  "    option=${COMP_WORDS[COMP_CWORD-1]}\n"
  "  fi\n"
  "  if [[ -n $option ]]; then\n"
  "    _ummgr_values_of \"$command:$option\"\n"
  "  elif [[ $cur == -* ]]; then\n"
  "    _ummgr_words \"$options\"\n"
  "    [[ ${#COMPREPLY[@]} == 1 && $COMPREPLY == *= ]] && compopt -o nospace\n"
  "  else\n"
  "    _ummgr_arguments_of \"$command\"\n"
  "  fi\n"
  "  return 0\n"
  "} && complete -F _ummgr ummgr\n";

void
ummgr_completion_bash (void)
{
  fputs (head, stdout);
  fputs ("_ummgr_commands()\n{\n  echo \"", stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    printf ("%s%s", c == ummgr_commands ? "" : " ", c->name);
  fputs ("\"\n}\n\n_ummgr_options_of()\n{\n  case $1 in\n", stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    {
      printf ("    %s)\n      options=\"", c->name);
      ummgr_completion_options (c, put_option);
      printf ("\"\n      takes=\"");
      ummgr_completion_options (c, put_taking);
      printf ("\" ;;\n");
    }
  fputs ("  esac\n}\n\n_ummgr_values_of()\n{\n  case $1 in\n", stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    ummgr_completion_options (c, put_values);
  fputs ("    *) : ;;\n  esac\n}\n\n_ummgr_arguments_of()\n{\n  case $1 in\n", stdout);
  for (const struct ummgr_command *c = ummgr_commands; c->name; c++)
    put_arguments (c);
  fputs ("  esac\n}\n\n", stdout);
  fputs (body, stdout);
}
