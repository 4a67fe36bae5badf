/* A subcommand's options, from a table of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"

#include <argp.h>

enum { UMMGR_CLI_KEY = 0x100 };	/* No letter.  */

/* Make argp's options OUT of TABLE, whose keys are their letters, or FIRST and their index; how
   many.  Give them back after use.  */
int ummgr_cli_argp (const struct ummgr_option *table, int first, struct argp_option *out);
void ummgr_cli_argp_free (struct argp_option *options, int count);

/* What the value of OPTION is called in help, such as SIZE; NULL: it has none.  */
const char *ummgr_cli_value_name (const struct ummgr_option *option);

/* Check VALUE for OPTION and store it into VALUES; false after a message.  NULL is what
   counts for an option without its value.  */
bool ummgr_cli_set (const struct ummgr_option *option, void *values,
		    const char *value);

/* Is each option of ARGV one of TABLE or MORE (which may be NULL), with a value exactly where it
   has one?  UNTIL_FIRST: what comes after the first word that is none is another's.  False
   after a message that says which was likely meant, and what is known.  argp's own (--help) are
   left to it, but UNTIL_FIRST.  */
bool ummgr_cli_check (const struct ummgr_option *table, const struct ummgr_option *more, int argc,
		      char **argv, bool until_first);

/* What all commands that print something have: --color.  */
struct ummgr_cli_common_values { const char *color; };
extern const struct ummgr_option ummgr_cli_common[];
#define UMMGR_COLOR_ROW(STRUCT, FIELD)                                         \
  UMMGR_OPTION ("color", NAME, STRUCT, FIELD,                                  \
		"colours: on terminals where NO_COLOR is not set, or always, or never (default: auto)", \
		.values = "auto always never")

struct ummgr_cli_files
{
  const char *what;		/* They are, to say that there are none.  */
  const char *usage;		/* "TRACE...".  */
  int most;			/* 0: any number.  */
  bool optional;		/* There may be none.  */
  /* Of these, up to NULL, those that are there stand for none; NULL: nothing does.  */
  const char *const *fallback;
  char **name;			/* Found.  */
  int count;
};

/* Read the arguments into VALUES, which TABLE's rows are about, after their
   defaults, and those that all commands have; but a list's default its reader has to set.  DOC is argp's.  False
   after a message.  */
bool ummgr_cli_parse (const struct ummgr_option *table, void *values,
		      struct ummgr_cli_files *files, const char *doc, int argc,
		      char **argv);
