/* A subcommand's options, from a table of them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "base/options.h"

#include <argp.h>

/* What argp calls the options of a table: this and their index, or their
   letters.  */
enum { UMMGR_CLI_KEY = 0x100 };

/* Make argp's options OUT of TABLE; how many.  Give them back after use.  */
int ummgr_cli_argp (const struct ummgr_option *table, struct argp_option *out);
void ummgr_cli_argp_free (struct argp_option *options, int count);

/* Check VALUE for OPTION and store it into VALUES; false after a message.  */
bool ummgr_cli_set (const struct ummgr_option *option, void *values,
		    const char *value);

struct ummgr_cli_files
{
  const char *what;		/* They are, to say that there are none.  */
  const char *usage;		/* "TRACE...".  */
  int most;			/* 0: any number.  */
  bool optional;		/* There may be none.  */
  char **name;			/* Found.  */
  int count;
};

/* Read the arguments into VALUES, which TABLE's rows are about, after their
   defaults; but a list's default its reader has to set.  DOC is argp's.  False
   after a message.  */
bool ummgr_cli_parse (const struct ummgr_option *table, void *values,
		      struct ummgr_cli_files *files, const char *doc, int argc,
		      char **argv);
