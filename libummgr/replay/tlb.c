/* Set-associative TLBs, each set with LRU.
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
  if (!ways || ways > UMMGR_TLB_WAYS_MOST || !entries || entries % ways)
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
	t->way[(uint64_t) (page % t->sets) * t->ways + t->where[page]].page
	  = UMMGR_TLB_NOTHING;
	t->where[page] = UMMGR_TLB_ABSENT;
      }
}

/* --- all of a GPU ---------------------------------------------------------- */

bool
ummgr_tlbs_any (const struct ummgr_tlbs_shape *shape)
{
  return shape->shared.entries || (shape->own.entries && shape->sms);
}

size_t
ummgr_tlbs_unit_bytes (const struct ummgr_tlbs_shape *shape)
{
  return ((shape->shared.entries ? 1 : 0)
	  + (size_t) (shape->own.entries ? shape->sms : 0)) * sizeof (uint16_t);
}

struct ummgr_tlbs *
ummgr_tlbs_create (const struct ummgr_tlbs_shape *shape)
{
  uint32_t sms = shape->own.entries ? shape->sms : 0;
  if (!ummgr_tlbs_any (shape))
    return NULL;
  struct ummgr_tlbs *t = calloc (1, sizeof *t + sms * sizeof *t->own);
  if (!t)
    return NULL;
  bool good = true;
  if (shape->shared.entries)
    good = (t->shared = ummgr_tlb_create (shape->shared.entries,
					  shape->shared.ways));
  for (; good && t->sms < sms; t->sms++)
    good = (t->own[t->sms] = ummgr_tlb_create (shape->own.entries,
					       shape->own.ways));
  if (good)
    return t;
  ummgr_tlbs_destroy (t);
  return NULL;
}

void
ummgr_tlbs_destroy (struct ummgr_tlbs *t)
{
  if (!t)
    return;
  ummgr_tlb_destroy (t->shared);
  for (uint32_t sm = 0; sm < t->sms; sm++)
    ummgr_tlb_destroy (t->own[sm]);
  free (t);
}

bool
ummgr_tlbs_grow (struct ummgr_tlbs *t, uint32_t pages)
{
  bool good = !t->shared || ummgr_tlb_grow (t->shared, pages);
  for (uint32_t sm = 0; good && sm < t->sms; sm++)
    good = ummgr_tlb_grow (t->own[sm], pages);
  return good;
}

void
ummgr_tlbs_forget (struct ummgr_tlbs *t, uint32_t lo, uint32_t hi)
{
  if (t->shared)
    ummgr_tlb_forget (t->shared, lo, hi);
  for (uint32_t sm = 0; sm < t->sms; sm++)
    ummgr_tlb_forget (t->own[sm], lo, hi);
}
