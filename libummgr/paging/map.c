/* A set of units with its neighbours in order.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but the maps' words.  */

#include "config.h"
#include "paging/map.h"
#include "paging/copy.h"
#include "paging/paging.h"

#include <stdlib.h>
#include <string.h>

enum { LEVELS = 3 };

bool
unit_map_grow (struct unit_map *m, uint32_t units)
{
  uint64_t n = units;
  for (int l = 0; l < LEVELS; l++)
    {
      n = (n + 63) / 64;
      if (n <= m->words[l])
	continue;
      uint64_t *grown = realloc (m->level[l], n * sizeof *grown);
      if (!grown)
	return false;
      memset (grown + m->words[l], 0, (n - m->words[l]) * sizeof *grown);
      m->level[l] = grown;
      m->words[l] = n;
    }
  return true;
}

void
unit_map_free (struct unit_map *m)
{
  for (int l = 0; l < LEVELS; l++)
    free (m->level[l]);
}

bool
unit_map_copied (struct unit_map *m)
{
  bool good = true;
  for (int l = 0; l < LEVELS; l++)
    good &= ummgr_paging_copied (&m->level[l],
				 m->words[l] * sizeof *m->level[l]);
  return good;
}

void
unit_map_raise (struct unit_map *m, uint32_t word)
{
  for (int l = 1; l < LEVELS; l++, word /= 64)
    m->level[l][word / 64] |= UINT64_C (1) << word % 64;
}

void
unit_map_lower (struct unit_map *m, uint32_t word)
{
  for (int l = 1; l < LEVELS; l++, word /= 64)
    {
      m->level[l][word / 64] &= ~(UINT64_C (1) << word % 64);
      if (m->level[l][word / 64])
	break;
    }
}

/* The least element of level L at or above FROM.  */
static uint32_t
next_in (const struct unit_map *m, int l, uint32_t from)
{
  uint32_t w = from / 64;
  if (w >= m->words[l])
    return UMMGR_PAGING_NONE;
  uint64_t rest = m->level[l][w] & ~UINT64_C (0) << from % 64;
  if (!rest && l + 1 < LEVELS)
    {
      w = next_in (m, l + 1, w + 1);
      if (w == UMMGR_PAGING_NONE)
	return w;
      rest = m->level[l][w];
    }
  else
    /* The highest level has no summary.  */
    while (!rest)
      if (++w < m->words[l])
	rest = m->level[l][w];
      else
	return UMMGR_PAGING_NONE;
  return w * 64 + __builtin_ctzll (rest);
}

/* The greatest at or below FROM.  */
static uint32_t
previous_in (const struct unit_map *m, int l, uint32_t from)
{
  uint32_t w = from / 64;
  uint64_t rest = m->level[l][w] & ~UINT64_C (0) >> (63 - from % 64);
  if (!rest && l + 1 < LEVELS)
    {
      w = w ? previous_in (m, l + 1, w - 1) : UMMGR_PAGING_NONE;
      if (w == UMMGR_PAGING_NONE)
	return w;
      rest = m->level[l][w];
    }
  else
    while (!rest)
      if (w--)
	rest = m->level[l][w];
      else
	return UMMGR_PAGING_NONE;
  return w * 64 + 63 - __builtin_clzll (rest);
}

uint32_t
unit_map_next_far (const struct unit_map *m, uint32_t from, uint32_t end)
{
  uint32_t found = next_in (m, 0, from);
  return found < end ? found : UMMGR_PAGING_NONE;
}

uint32_t
unit_map_previous_far (const struct unit_map *m, uint32_t from, uint32_t end)
{
  uint32_t found = previous_in (m, 0, from);
  return found != UMMGR_PAGING_NONE && found >= end ? found
	 : UMMGR_PAGING_NONE;
}
