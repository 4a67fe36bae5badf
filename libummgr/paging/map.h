/* A set of units with its neighbours in order: a bitmap with summaries.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Three levels of 64: a bit of the level above says whether a word below has
   any.  What mostly happens, which is within a word, stands here to be part of
   the callers' loops.  Not thread-safe; only grow allocates.  */

#pragma once

#include "paging/paging.h"

#include <stdbool.h>
#include <stdint.h>

struct unit_map
{
  uint32_t words[3];		/* Of each level.  */
  uint64_t *level[3];
};

bool unit_map_grow (struct unit_map *m, uint32_t units);
void unit_map_free (struct unit_map *m);
bool unit_map_copied (struct unit_map *m); /* As hpe_chain_copied of hpe.h.  */

/* Of map.c: WORD of the lowest level has its first element, or none any more;
   the search beyond the word of FROM.  */
void unit_map_raise (struct unit_map *m, uint32_t word);
void unit_map_lower (struct unit_map *m, uint32_t word);
uint32_t unit_map_next_far (const struct unit_map *m, uint32_t from,
			    uint32_t end);
uint32_t unit_map_previous_far (const struct unit_map *m, uint32_t from,
				uint32_t end);

static inline bool
unit_map_has (const struct unit_map *m, uint32_t unit)
{
  return m->level[0][unit / 64] >> unit % 64 & 1;
}

/* False if it was there already; if it was not.  */
static inline bool
unit_map_add (struct unit_map *m, uint32_t unit)
{
  uint64_t *word = &m->level[0][unit / 64], bit = UINT64_C (1) << unit % 64;
  if (*word & bit)
    return false;
  if (!*word)
    unit_map_raise (m, unit / 64);
  *word |= bit;
  return true;
}

static inline bool
unit_map_remove (struct unit_map *m, uint32_t unit)
{
  uint64_t *word = &m->level[0][unit / 64], bit = UINT64_C (1) << unit % 64;
  if (!(*word & bit))
    return false;
  *word &= ~bit;
  if (!*word)
    unit_map_lower (m, unit / 64);
  return true;
}

/* The least unit of [FROM, END), or the greatest of [END, FROM], that is there;
   UMMGR_PAGING_NONE.  Bounds are below the units of grow, but END of next may be
   equal to them.  */
static inline uint32_t
unit_map_next (const struct unit_map *m, uint32_t from, uint32_t end)
{
  if (from >= end)
    return UMMGR_PAGING_NONE;
  uint64_t rest = m->level[0][from / 64] & ~UINT64_C (0) << from % 64;
  if (!rest)
    return unit_map_next_far (m, from, end);
  uint32_t found = from / 64 * 64 + __builtin_ctzll (rest);
  return found < end ? found : UMMGR_PAGING_NONE;
}

static inline uint32_t
unit_map_previous (const struct unit_map *m, uint32_t from, uint32_t end)
{
  if (from < end)
    return UMMGR_PAGING_NONE;
  uint64_t rest = m->level[0][from / 64] & ~UINT64_C (0) >> (63 - from % 64);
  if (!rest)
    return unit_map_previous_far (m, from, end);
  uint32_t found = from / 64 * 64 + 63 - __builtin_clzll (rest);
  return found >= end ? found : UMMGR_PAGING_NONE;
}
