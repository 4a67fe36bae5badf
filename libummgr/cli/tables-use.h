/* How regions use their arguments, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_TABLES_USE_H
#define UMMGR_CLI_TABLES_USE_H

#include "tables/decode.h"

#include <jansson.h>

/* The trip count of REGION, a line or none.  */
void ummgr_cli_print_trip (const struct ummgr_table_region *region);
/* The use of argument I, lines or none.  */
void ummgr_cli_print_use (const struct ummgr_table_region *region, unsigned i);

/* The same, for JSON: null where nothing is known.  */
json_t *ummgr_cli_json_trip (const struct ummgr_table_region *region);
json_t *ummgr_cli_json_use (const struct ummgr_table_region *region,
			    unsigned i);

#endif
