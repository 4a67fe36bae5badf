/* Copies that a launch can go without.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A map clause says what is copied if the data is not there yet, and when it is
   there no more; what was present stays as it is, whatever the kind.  So only
   copies of the launch's own mappings are left out.  `always' is obeyed.  No
   state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "hints/live.h"
#include "base/log.h"
#include "gomp/clauses.h"
#include "ummgr-table.h"

#include <string.h>

/* The kind of clause I without the copies that are not needed.  */
static unsigned short
kind_without (const struct ummgr_table_region *region,
	      const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  unsigned short kind = clauses->kinds[i];
  int base = ummgr_clause_kind (clauses, i, &implicit);
  const struct ummgr_table_arg *arg = &region->args[i];
  const struct ummgr_code_inputs inputs
    = { .hostaddrs = clauses->hostaddrs, .sizes = clauses->sizes };
  if (base < UMMGR_MAP_TO || base > UMMGR_MAP_TOFROM || !clauses->sizes[i]
      || !clauses->hostaddrs[i] || ummgr_clause_shares (clauses, i))
    return kind;
  if ((base & UMMGR_MAP_TO)
      && ummgr_live_overwritten (arg, &inputs,
				 (struct ummgr_hint_extent) { .size = clauses->sizes[i] }))
    kind &= ~UMMGR_MAP_TO;
  const uint32_t dead = UMMGR_LIVE_ANALYSED | UMMGR_LIVE_DEAD;
  if ((base & UMMGR_MAP_FROM) && (ummgr_live_of (arg)->flags & dead) == dead)
    kind &= ~UMMGR_MAP_FROM;
  return kind;
}

bool
ummgr_launch_drop (const struct ummgr_table_region *region,
		   const struct ummgr_clauses *clauses, unsigned short *kinds)
{
  bool any = false;
  /* Another count is that of another region.  */
  if (region->arg_count != clauses->count
      || clauses->count > UMMGR_LAUNCH_HINTS_MAX)
    return false;
  for (size_t i = 0; i < clauses->count; i++)
    {
      kinds[i] = kind_without (region, clauses, i);
      if (kinds[i] == clauses->kinds[i])
	continue;
      any = true;
      ummgr_debug ("live: %s:%u: %s is not copied%s%s", region->file,
		   region->line, region->args[i].name,
		   (kinds[i] ^ clauses->kinds[i]) & UMMGR_MAP_TO
		   ? " in, it is overwritten" : "",
		   (kinds[i] ^ clauses->kinds[i]) & UMMGR_MAP_FROM
		   ? " back, nobody reads it" : "");
    }
  return any;
}
