/* A unit's table, filled by the analyses and emitted as an ELF note.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "flow/flow.h"
#include "regions/regions.h"
#include "site/site.h"
#include "use/use.h"

#define UMMGR_PASS_TABLES "ummgr-tables"

/* What a table is made of.  */
struct tables_unit
{
  auto_vec<const ummgr_region *> regions;
  auto_vec<tree> functions;		/* Of the regions.  */
  use_tables uses;
  flow_tables flow;
  site_tables sites;
  auto_vec<char> lives;			/* Of the regions' arguments.  */
  auto_vec<char> call_lives;
  auto_vec<char> counts;		/* Of the regions.  */
  ummgr_strings strings;
};

/* tables/emit.cc: emit U's table as a variable of the unit.  Strings are added
   to U's.  */
void tables_emit (tables_unit *u);

/* tables/pass.cc.  */
opt_pass *ummgr_pass_tables_new (void);
