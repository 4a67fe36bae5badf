/* `ummgr completion': the scripts, one file for each shell.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each writes the script for all of ummgr_commands, with its options and their words, to standard
   output.  Profiles are asked for when a word is completed, as the user may add some.  */

#pragma once

#include "cli/cli.h"

void ummgr_completion_bash (void);
void ummgr_completion_zsh (void);
void ummgr_completion_fish (void);

/* Call PUT with each option of COMMAND, in the order of its tables.  */
void ummgr_completion_options (const struct ummgr_command *command,
			       void (*put) (const struct ummgr_command *command,
					    const struct ummgr_option *option));

/* The words that COMMAND's arguments are, or OPTION's values, with spaces between; NULL: other.  */
const char *ummgr_completion_arguments (const struct ummgr_command *command);
const char *ummgr_completion_values (const struct ummgr_option *option);

/* The help of OPTION, up to its first colon, semicolon or bracket: what fits beside a name.  */
struct ummgr_completion_text { char text[128]; };
struct ummgr_completion_text ummgr_completion_help (const struct ummgr_option *option);
