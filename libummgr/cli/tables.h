/* Reading the plugin's tables out of files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_TABLES_H
#define UMMGR_CLI_TABLES_H

#include "tables/decode.h"

#include <stdbool.h>

/* An object, executable, shared object, or a member of an archive.  */
struct ummgr_cli_object
{
  const char *file;
  const char *member;		/* NULL: not in an archive.  */
  bool linked;			/* Regions have addresses.  */
  bool lto;			/* An object with LTO code: its tables are made
				   when it is linked.  */
  struct ummgr_table_unit **units;
  size_t unit_count;
};

/* Called for each object of a file; OBJECT is valid during the call.  */
typedef void (*ummgr_cli_object_function) (
  const struct ummgr_cli_object *object, void *data);

/* Read PATH and call FUNCTION for each object in it.  Returns false after a
   message where something of it could not be read; the rest is still given to
   FUNCTION.  */
bool ummgr_cli_tables_read (const char *path,
			    ummgr_cli_object_function function, void *data);

#endif
