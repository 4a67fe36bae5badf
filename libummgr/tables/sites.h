/* Where the data of regions is allocated, over all units of a program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The units' flows (include/ummgr-table.h) are joined by the names that they
   share.  Prints nothing; a composition does not change, and any thread may ask
   it.  */

#pragma once

#include "tables/decode.h"

struct ummgr_sites;

/* The composition of COUNT UNITS, which must outlive it; NULL without
   memory.  */
struct ummgr_sites *
ummgr_sites_new (const struct ummgr_table_unit *const *units, size_t count);
void ummgr_sites_free (struct ummgr_sites *sites);

/* Call FUNCTION for each end that ARG's data may come from: sites, and names
   that nothing is known to go to, or UMMGR_FLOW_UNKNOWN.  Without a call, the
   tables say nothing of it.  */
void ummgr_sites_each (const struct ummgr_sites *sites,
		       const struct ummgr_table_arg *arg,
		       void (*function) (const struct ummgr_table_flow_end *end,
					 void *data),
		       void *data);

/* May what is allocated at the site called ID reach an argument of a region?
   A binary search.  */
bool ummgr_sites_reach (const struct ummgr_sites *sites, uint64_t id);
