/* `ummgr tables': reading the plugin's tables out of files, and printing them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "flow/flow.h"
#include "tables/decode.h"
#include "tables/sites.h"

#include <jansson.h>
#include <stdbool.h>

/* --- tables-read.c --------------------------------------------------------- */

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

/* --- tables-use.c: how regions use their arguments -------------------------- */

/* The trip count of REGION, a line or none.  */
void ummgr_cli_print_trip (const struct ummgr_table_region *region);
/* What an iteration computes, likewise.  */
void ummgr_cli_print_ops (const struct ummgr_table_region *region);
/* The use of argument I, lines or none.  */
void ummgr_cli_print_use (const struct ummgr_table_region *region, unsigned i);
/* What lies behind pointers that it finds in memory.  */
void ummgr_cli_print_members (const struct ummgr_table_region *region);
/* The `declare target' variables that it uses.  */
void ummgr_cli_print_statics (const struct ummgr_table_region *region);

/* The same, for JSON: null where nothing is known.  */
json_t *ummgr_cli_json_statics (const struct ummgr_table_region *region);
json_t *ummgr_cli_json_trip (const struct ummgr_table_region *region);
json_t *ummgr_cli_json_ops (const struct ummgr_table_region *region);
json_t *ummgr_cli_json_use (const struct ummgr_table_region *region,
			    unsigned i);

/* CODE of REGION as text; "0" where ZERO and it is absent.  Malloc'ed, never NULL but
   without memory.  */
char *ummgr_cli_code_text (const struct ummgr_table_region *region,
			   const unsigned char *code, bool zero);

/* TEXT, which is freed, for JSON; null where it is NULL.  */
json_t *ummgr_cli_json_text (char *text);

/* --- tables-split.c: how regions can be run by ranges ------------------------ */

/* Lines, or none where nothing is known.  */
void ummgr_cli_print_split (const struct ummgr_table_region *region);

/* The same, for JSON: null where nothing is known.  */
json_t *ummgr_cli_json_split (const struct ummgr_table_region *region);

/* --- tables-share.c: how iterations are shared out --------------------------- */

/* A line, or none where no clause says.  */
void ummgr_cli_print_share (const struct ummgr_table_region *region);

/* The same, for JSON: null where no clause says.  */
json_t *ummgr_cli_json_share (const struct ummgr_table_region *region);

/* --- tables-flow.c: how often regions run, and what follows them ------------ */

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

/* Launches of REGION that are not counted, an array.  */
json_t *ummgr_cli_json_uncounted (const struct ummgr_flow *flow,
				  const struct ummgr_table_region *region);

/* --- tables-site.c: where the data of regions is allocated ------------------ */

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

/* --- tables-live.c: what follows launches ------------------------------------ */

/* What the host does with ARG after a launch: a line, or none where nothing is
   known.  */
void ummgr_cli_print_live (const struct ummgr_table_arg *arg);

/* The same, for JSON: null where nothing is known.  */
json_t *ummgr_cli_json_live (const struct ummgr_table_arg *arg);
