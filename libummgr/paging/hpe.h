/* Inside HPE: the page set chain, the hit record cache, and what joins them.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Numbers in brackets are sections of HPE's paper (see params.h).  */

#pragma once

#include "paging/params.h"
#include "paging/ring.h"

/* --- hpe-chain.c: the page set chain [IV-C] ----------------------------- */

/* An entry of the chain: a page set, or half of a divided one.  Page set S
   has two, PRIMARY 2*S and secondary 2*S+1.  */
struct hpe_set
{
  uint64_t touched;		/* The bit vector.  */
  uint64_t resident;		/* Units here; on the chain while any is.  */
  uint32_t placed;		/* Interval of the last insertion or move.  */
  uint16_t counter;
  bool linked;			/* On the chain.  */
  bool searched;		/* Old, and not before the search point.  */
};

/* The partitions are lists from LRU to MRU; the old one is two, SEARCHED and
   then, on its MRU side, SKIPPED, the sets that the search point is past.
   Those of SEARCHED are also on the bucket of their counter: old sets are not
   touched, so it stands.  */
struct hpe_chain
{
  uint32_t page_set, shift;
  uint32_t counter_most;
  uint32_t entries;
  uint32_t interval;		/* Number of the current one.  */
  uint32_t search_point;
  uint32_t searched, skipped, middle, new;	/* Lengths.  */
  struct hpe_set *set;
  struct ummgr_ring *ring;	/* Four lists, then the entries.  */
  struct ummgr_ring *bucket;	/* COUNTER_MOST+1 lists, then the entries.  */
};

enum
{
  HPE_SEARCHED,
  HPE_SKIPPED,
  HPE_MIDDLE,
  HPE_NEW,
  HPE_LISTS
};

bool hpe_chain_init (struct hpe_chain *c, uint32_t page_set,
		     uint32_t counter_most);
bool hpe_chain_grow (struct hpe_chain *c, uint32_t units);
void hpe_chain_free (struct hpe_chain *c);

/* C has another's arrays: give it its own (see copy.h).  */
bool hpe_chain_copied (struct hpe_chain *c);

/* ENTRY is inserted, or touched: it is in the new partition afterwards.  */
void hpe_chain_place (struct hpe_chain *c, uint32_t entry);
void hpe_chain_take_off (struct hpe_chain *c, uint32_t entry);
void hpe_chain_next_interval (struct hpe_chain *c);
void hpe_chain_jump (struct hpe_chain *c, uint32_t distance);

/* Call VISIT for each entry.  */
void hpe_chain_each (const struct hpe_chain *c,
		     void (*visit) (const struct hpe_set *s, void *data),
		     void *data);

/* Which units a victim must not be.  */
struct hpe_pins
{
  bool (*pinned) (void *data, uint32_t unit);
  void *data;
};

/* The unit to evict under MRU-C or LRU, or UMMGR_PAGING_NONE.  */
uint32_t hpe_chain_victim (const struct hpe_chain *c, bool mru_c,
			   const struct hpe_pins *pins);

/* How many sets are compared, one after another from the search point on, until
   ENTRY is found to be MRU-C's choice.  Takes as long.  */
uint32_t hpe_chain_compared (const struct hpe_chain *c, uint32_t entry);

/* --- hpe-hits.c: the hit record cache, HIR [IV-B] ----------------------- */

struct hpe_hits
{
  uint32_t entries, ways, page_set, most;
  uint32_t shift;		/* Of a unit, to its page set.  */
  uint32_t groups;		/* Sets of WAYS: a power of 2.  */
  uint32_t used;		/* Entries touched since the last flush.  */
  uint32_t *order;		/* Those, in the order of first touch.  */
  uint32_t *tag;		/* Page set, or NONE.  */
  uint8_t *count;		/* PAGE_SET of each entry.  */
  uint64_t *hit;		/* Of each entry: those that are not 0.  */
};

bool hpe_hits_init (struct hpe_hits *h, const struct ummgr_hpe_params *params);
void hpe_hits_free (struct hpe_hits *h);
bool hpe_hits_copied (struct hpe_hits *h); /* As hpe_chain_copied.  */

/* Record a hit on UNIT; false: lost, all ways are taken.  */
bool hpe_hits_record (struct hpe_hits *h, uint32_t unit);

/* Call APPLY for each unit recorded, and flush.  */
void hpe_hits_transfer (struct hpe_hits *h,
			void (*apply) (struct ummgr_paging *p, uint32_t unit,
				       uint32_t times),
			struct ummgr_paging *p);
