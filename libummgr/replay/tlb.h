/* A set-associative TLB, each set with LRU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An entry for each page says whether and where it is, so that a look costs one load,
   however many the ways.  Only create and grow allocate.  Not thread-safe.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

#define UMMGR_TLB_NOTHING UINT32_MAX
/* Of ummgr_tlb.where: a way, with WRITTEN, or ABSENT.  */
#define UMMGR_TLB_ABSENT UINT16_MAX
#define UMMGR_TLB_WRITTEN (1u << 8)

struct ummgr_tlb_way
{
  uint32_t page;		/* Or NOTHING.  */
  uint16_t newer, older;	/* Ways of the set, in a circle by last use.  */
};

struct ummgr_tlb
{
  uint32_t sets, ways;
  uint32_t mask;		/* SETS - 1, or 0 if they are no power of 2.  */
  uint32_t pages;
  uint16_t *where;		/* By page.  Not bytes: those alias all.  */
  uint32_t *newest;		/* Way of each set.  */
  struct ummgr_tlb_way way[];	/* WAYS of each set.  */
};

/* NULL without memory, or if WAYS (1 to 64) does not divide ENTRIES.  */
struct ummgr_tlb *ummgr_tlb_create (uint32_t entries, uint32_t ways);
void ummgr_tlb_destroy (struct ummgr_tlb *tlb);

/* Pages [0, PAGES) may be used from now on; false without memory.  */
bool ummgr_tlb_grow (struct ummgr_tlb *tlb, uint32_t pages);

/* Pages [LO, HI) leave.  */
void ummgr_tlb_forget (struct ummgr_tlb *tlb, uint32_t lo, uint32_t hi);

/* WAY of a set, which is not NEWEST, is used: it becomes that.  */
static inline void
ummgr_tlb_renew (struct ummgr_tlb_way *set, uint32_t newest, uint32_t way)
{
  uint32_t oldest = set[newest].newer;
  if (way == oldest)
    return;			/* The circle stays, it only turns.  */
  set[set[way].newer].older = set[way].older;
  set[set[way].older].newer = set[way].newer;
  set[way].older = newest;
  set[way].newer = oldest;
  set[newest].newer = way;
  set[oldest].older = way;
}

enum ummgr_tlb_outcome
{
  UMMGR_TLB_MISS,
  UMMGR_TLB_FIRST_WRITE,	/* It is there, and was not written since it
				   came.  */
  UMMGR_TLB_HIT
};

/* PAGE is used.  */
static inline enum ummgr_tlb_outcome
ummgr_tlb_use (struct ummgr_tlb *t, uint32_t page, bool write)
{
  uint32_t number = t->mask || t->sets == 1 ? page & t->mask : page % t->sets;
  struct ummgr_tlb_way *set = t->way + (uint64_t) number * t->ways;
  uint32_t newest = t->newest[number], where = t->where[page];
  if (where != UMMGR_TLB_ABSENT)
    {
      uint32_t way = where & (UMMGR_TLB_WRITTEN - 1);
      if (way != newest)
	{
	  ummgr_tlb_renew (set, newest, way);
	  t->newest[number] = way;
	}
      if (!write || where & UMMGR_TLB_WRITTEN)
	return UMMGR_TLB_HIT;
      t->where[page] = where | UMMGR_TLB_WRITTEN;
      return UMMGR_TLB_FIRST_WRITE;
    }
  uint32_t oldest = set[newest].newer, gone = set[oldest].page;
  if (gone != UMMGR_TLB_NOTHING)
    t->where[gone] = UMMGR_TLB_ABSENT;
  set[oldest].page = page;
  t->newest[number] = oldest;
  t->where[page] = oldest | (write ? UMMGR_TLB_WRITTEN : 0);
  return UMMGR_TLB_MISS;
}
