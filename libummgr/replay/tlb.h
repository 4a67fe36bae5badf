/* Set-associative TLBs, each set with LRU: of each multiprocessor, and of all.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An entry for each page says whether and where it is, so that a look costs one load,
   however many the ways.  Only create and grow allocate.  Not thread-safe.  */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMMGR_TLB_NOTHING UINT32_MAX
/* Of ummgr_tlb.where: a way, or ABSENT.  */
#define UMMGR_TLB_ABSENT UINT16_MAX
#define UMMGR_TLB_WAYS_MOST 256

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

/* NULL without memory, or if WAYS (1 to UMMGR_TLB_WAYS_MOST) does not divide
   ENTRIES.  */
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

/* PAGE is used; was it there?  */
static inline bool
ummgr_tlb_use (struct ummgr_tlb *t, uint32_t page)
{
  uint32_t number = t->mask || t->sets == 1 ? page & t->mask : page % t->sets;
  struct ummgr_tlb_way *set = t->way + (uint64_t) number * t->ways;
  uint32_t newest = t->newest[number], where = t->where[page];
  if (where != UMMGR_TLB_ABSENT)
    {
      if (where != newest)
	{
	  ummgr_tlb_renew (set, newest, where);
	  t->newest[number] = where;
	}
      return true;
    }
  uint32_t oldest = set[newest].newer, gone = set[oldest].page;
  if (gone != UMMGR_TLB_NOTHING)
    t->where[gone] = UMMGR_TLB_ABSENT;
  set[oldest].page = page;
  t->newest[number] = oldest;
  t->where[page] = oldest;
  return false;
}

/* --- all of a GPU -------------------------------------------------------- */

struct ummgr_tlb_shape
{
  uint32_t entries, ways;	/* 0: none.  */
};

struct ummgr_tlbs_shape
{
  struct ummgr_tlb_shape shared, own;
  uint32_t sms;			/* That have one of OWN's shape each.  */
};

/* A page that one of OWN has not, SHARED may have; then that one has it, too.  */
struct ummgr_tlbs
{
  struct ummgr_tlb *shared;	/* Or NULL.  */
  uint32_t sms;			/* In OWN.  */
  struct ummgr_tlb *own[];
};

/* NULL without memory, or if the shape is none.  */
struct ummgr_tlbs *ummgr_tlbs_create (const struct ummgr_tlbs_shape *shape);
void ummgr_tlbs_destroy (struct ummgr_tlbs *tlbs);
bool ummgr_tlbs_grow (struct ummgr_tlbs *tlbs, uint32_t pages);
void ummgr_tlbs_forget (struct ummgr_tlbs *tlbs, uint32_t lo, uint32_t hi);

/* Are there any of SHAPE, and how much memory for a page do they take?  */
bool ummgr_tlbs_any (const struct ummgr_tlbs_shape *shape);
size_t ummgr_tlbs_unit_bytes (const struct ummgr_tlbs_shape *shape);

/* Multiprocessor SM uses PAGE, without a walk to the page table?  */
static inline bool
ummgr_tlbs_use (struct ummgr_tlbs *t, uint32_t sm, uint32_t page)
{
  return (sm < t->sms && ummgr_tlb_use (t->own[sm], page))
	 || (t->shared && ummgr_tlb_use (t->shared, page));
}
