/* HPE's hit record cache: which units were used without a fault.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the records since the last transfer.  A model of hardware that no GPU
   has; what a hit is (the paper: a page walk that finds its page) is the
   caller's affair.

   The paper does not say which record is lost when all ways of a cache set
   are taken.  Here it is the new one: the flush comes soon, and replacing
   would need an order that the entry's 80 bits have no room for.  */

#include "config.h"
#include "paging/hpe.h"
#include "paging/copy.h"

bool
hpe_hits_init (struct hpe_hits *h, const struct ummgr_hpe_params *params)
{
  h->entries = params->hir_entries;
  h->ways = params->hir_ways;
  h->page_set = params->page_set;
  h->shift = __builtin_ctz (params->page_set);
  h->groups = params->hir_entries / params->hir_ways;
  h->most = params->hir_most;
  h->order = malloc (h->entries * sizeof *h->order);
  h->tag = malloc (h->entries * sizeof *h->tag);
  h->count = calloc (h->entries, h->page_set);
  h->hit = calloc (h->entries, sizeof *h->hit);
  if (!h->order || !h->tag || !h->count || !h->hit)
    return false;
  for (uint32_t i = 0; i < h->entries; i++)
    h->tag[i] = UMMGR_PAGING_NONE;
  return true;
}

bool
hpe_hits_copied (struct hpe_hits *h)
{
  bool good = ummgr_paging_copied (&h->order, h->entries * sizeof *h->order);
  good &= ummgr_paging_copied (&h->tag, h->entries * sizeof *h->tag);
  good &= ummgr_paging_copied (&h->count, (size_t) h->entries * h->page_set);
  return good & ummgr_paging_copied (&h->hit, h->entries * sizeof *h->hit);
}

void
hpe_hits_free (struct hpe_hits *h)
{
  free (h->order);
  free (h->tag);
  free (h->count);
  free (h->hit);
}

bool
hpe_hits_record (struct hpe_hits *h, uint32_t unit)
{
  uint32_t tag = unit >> h->shift;
  uint32_t first = (tag & (h->groups - 1)) * h->ways;
  for (uint32_t e = first; e < first + h->ways; e++)
    {
      if (h->tag[e] == UMMGR_PAGING_NONE)
	{
	  h->tag[e] = tag;
	  h->order[h->used++] = e;
	}
      if (h->tag[e] == tag)
	{
	  uint32_t offset = unit & (h->page_set - 1);
	  uint8_t *count = &h->count[(e << h->shift) + offset];
	  h->hit[e] |= UINT64_C (1) << offset;
	  *count += *count < h->most;
	  return true;
	}
    }
  return false;
}

void
hpe_hits_transfer (struct hpe_hits *h,
		   void (*apply) (struct ummgr_paging *p, uint32_t unit,
				  uint32_t times),
		   struct ummgr_paging *p)
{
  for (uint32_t i = 0; i < h->used; i++)
    {
      uint32_t e = h->order[i];
      for (uint64_t left = h->hit[e]; left; left &= left - 1)
	{
	  uint32_t offset = __builtin_ctzll (left);
	  uint8_t *count = &h->count[(e << h->shift) + offset];
	  apply (p, (h->tag[e] << h->shift) + offset, *count);
	  *count = 0;
	}
      h->hit[e] = 0;
      h->tag[e] = UMMGR_PAGING_NONE;
    }
  h->used = 0;
}
