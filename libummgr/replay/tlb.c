/* A set-associative TLB, each set with LRU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  What replay does for each access stands in
   the header, to be part of its loop.  */

#include "config.h"
#include "replay/tlb.h"

#include <stdlib.h>
#include <string.h>

struct ummgr_tlb *
ummgr_tlb_create (uint32_t entries, uint32_t ways)
{
  if (!ways || ways > 64 || !entries || entries % ways)
    return NULL;
  struct ummgr_tlb *t
    = malloc (sizeof *t + entries * sizeof *t->way);
  uint32_t sets = entries / ways;
  uint32_t *newest = calloc (sets, sizeof *newest);
  if (!t || !newest)
    {
      free (t);
      free (newest);
      return NULL;
    }
  *t = (struct ummgr_tlb) {
    .sets = sets, .ways = ways, .mask = sets & (sets - 1) ? 0 : sets - 1,
    .newest = newest
  };
  for (uint32_t i = 0; i < entries; i++)
    t->way[i] = (struct ummgr_tlb_way) {
      UMMGR_TLB_NOTHING, (i + ways - 1) % ways, (i + 1) % ways
    };
  return t;
}

void
ummgr_tlb_destroy (struct ummgr_tlb *t)
{
  if (!t)
    return;
  free (t->where);
  free (t->newest);
  free (t);
}

bool
ummgr_tlb_grow (struct ummgr_tlb *t, uint32_t pages)
{
  if (pages <= t->pages)
    return true;
  uint16_t *where = reallocarray (t->where, pages, sizeof *where);
  if (!where)
    return false;
  memset (where + t->pages, 0xff, (pages - t->pages) * sizeof *where);
  t->where = where;
  t->pages = pages;
  return true;
}

void
ummgr_tlb_forget (struct ummgr_tlb *t, uint32_t lo, uint32_t hi)
{
  for (uint32_t page = lo; page < hi && page < t->pages; page++)
    if (t->where[page] != UMMGR_TLB_ABSENT)
      {
	uint32_t way = t->where[page] & (UMMGR_TLB_WRITTEN - 1);
	t->way[(uint64_t) (page % t->sets) * t->ways + way].page
	  = UMMGR_TLB_NOTHING;
	t->where[page] = UMMGR_TLB_ABSENT;
      }
}
