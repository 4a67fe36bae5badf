/* Arguments of regions whose data is allocated in the same place.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what is known of the arguments of all tables found so far, which is worked out anew when there are more.
   Guarded by the manager's lock.

   An example: main allocates `place' and hands it to two functions, each with a region whose argument is a parameter of
   its own.  That both have one object shows when both have run; that it is likely the same, before.  */

#include "config.h"
#include "hints/origins.h"

#include "tables/sites.h"
#include "tables/tables.h"
#include "ummgr-table.h"

#include <stdlib.h>

struct origin
{
  uint64_t site;		/* Its id.  */
  const struct ummgr_table_region *region;
  const struct ummgr_table_arg *arg;
};

static struct origin *origins;
static size_t origin_count, unit_count;

struct ends
{
  uint64_t site;
  unsigned count;
};

static void
end_add (const struct ummgr_table_flow_end *end, void *data)
{
  struct ends *ends = data;
  ends->count++;
  ends->site = end->kind == UMMGR_FLOW_SITE && end->site ? end->site->id : 0;
}

/* The one place where ARG's data is allocated; 0: there may be others.  */
static uint64_t
site_of (const struct ummgr_sites *sites, const struct ummgr_table_arg *arg)
{
  struct ends ends = { 0, 0 };
  ummgr_sites_each (sites, arg, end_add, &ends);
  return ends.count == 1 ? ends.site : 0;
}

/* Work it out for COUNT UNITS.  Without memory nothing is known.  */
static void
find (const struct ummgr_table_unit *const *units, size_t count)
{
  struct ummgr_sites *sites = ummgr_sites_new (units, count);
  size_t most = 0;
  for (size_t i = 0; i < count; i++)
    most += units[i]->arg_count;
  free (origins);
  origins = sites && most ? calloc (most, sizeof *origins) : NULL;
  origin_count = 0;
  unit_count = count;
  for (size_t i = 0; origins && i < count; i++)
    for (size_t j = 0; j < units[i]->region_count; j++)
      {
	const struct ummgr_table_region *region = &units[i]->regions[j];
	for (unsigned k = 0; k < region->arg_count && origin_count < most; k++)
	  {
	    uint64_t site = site_of (sites, &region->args[k]);
	    if (site)
	      origins[origin_count++] = (struct origin) { site, region, &region->args[k] };
	  }
      }
  ummgr_sites_free (sites);
}

void
ummgr_origins_each (const struct ummgr_table_arg *arg,
		    void (*function) (const struct ummgr_table_region *region, const struct ummgr_table_arg *arg,
				      void *data),
		    void *data)
{
  size_t count, its = 0;
  const struct ummgr_table_unit **units = ummgr_tables_units (&count);
  if (units && count != unit_count)
    find (units, count);
  free (units);
  while (its < origin_count && origins[its].arg != arg)
    its++;
  for (size_t i = 0; its < origin_count && i < origin_count; i++)
    if (origins[i].site == origins[its].site)
      function (origins[i].region, origins[i].arg, data);
}
