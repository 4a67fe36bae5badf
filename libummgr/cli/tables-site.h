/* Where the data of regions is allocated, for `ummgr tables'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_CLI_TABLES_SITE_H
#define UMMGR_CLI_TABLES_SITE_H

#include "cli/tables.h"
#include "tables/sites.h"

#include <jansson.h>

/* The sites of OBJECT's tables alone, to be freed, or NULL.  */
struct ummgr_sites *
ummgr_cli_sites_new (const struct ummgr_cli_object *object);

/* Where ARG's data comes from, lines or none.  */
void ummgr_cli_print_data (const struct ummgr_sites *sites,
			   const struct ummgr_table_arg *arg);

/* The same, for JSON; and all sites of UNIT.  */
json_t *ummgr_cli_json_data (const struct ummgr_sites *sites,
			     const struct ummgr_table_arg *arg);
json_t *ummgr_cli_json_sites (const struct ummgr_table_unit *unit);

#endif
