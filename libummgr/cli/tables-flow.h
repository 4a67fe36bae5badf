/* How often regions are launched and what follows them, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_TABLES_FLOW_H
#define UMMGR_CLI_TABLES_FLOW_H

#include "cli/tables.h"
#include "flow/flow.h"

#include <jansson.h>

/* The flow of OBJECT's tables alone, to be freed, or NULL.  */
struct ummgr_flow *
ummgr_cli_flow_new (const struct ummgr_cli_object *object);

/* Frequency of REGION, and distances to OBJECT's others and itself.  */
void ummgr_cli_print_flow (struct ummgr_flow *flow,
			   const struct ummgr_cli_object *object,
			   const struct ummgr_table_region *region);

/* The same, for JSON: null where nothing is known.  */
json_t *ummgr_cli_json_flow (struct ummgr_flow *flow,
			     const struct ummgr_cli_object *object,
			     const struct ummgr_table_region *region);

#endif
