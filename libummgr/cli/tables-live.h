/* What follows launches, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_TABLES_LIVE_H
#define UMMGR_CLI_TABLES_LIVE_H

#include "tables/decode.h"

#include <jansson.h>

/* What the host does with ARG after a launch: a line, or none where nothing is
   known.  */
void ummgr_cli_print_live (const struct ummgr_table_arg *arg);

/* The same, for JSON: null where nothing is known.  */
json_t *ummgr_cli_json_live (const struct ummgr_table_arg *arg);

#endif
