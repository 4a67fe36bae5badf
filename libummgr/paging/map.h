/* A set of units with its neighbours in order: a bitmap with summaries.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Three levels of 64: a bit of the level above says whether a word below has
   any.  Not thread-safe; only grow allocates.  */

#ifndef UMMGR_PAGING_MAP_H
#define UMMGR_PAGING_MAP_H

#include <stdbool.h>
#include <stdint.h>

struct unit_map
{
  uint32_t words[3];		/* Of each level.  */
  uint64_t *level[3];
};

bool unit_map_grow (struct unit_map *m, uint32_t units);
void unit_map_free (struct unit_map *m);

/* False if it was there already; if it was not.  */
bool unit_map_add (struct unit_map *m, uint32_t unit);
bool unit_map_remove (struct unit_map *m, uint32_t unit);
bool unit_map_has (const struct unit_map *m, uint32_t unit);

/* The least unit of [FROM, END), or the greatest of [END, FROM], that is there;
   UMMGR_PAGING_NONE.  Bounds are below the units of grow, but END of next may be
   equal to them.  */
uint32_t unit_map_next (const struct unit_map *m, uint32_t from, uint32_t end);
uint32_t unit_map_previous (const struct unit_map *m, uint32_t from,
			    uint32_t end);

#endif
