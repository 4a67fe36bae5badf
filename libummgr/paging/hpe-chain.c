/* HPE's page set chain: partitions by recency, and the search for a victim.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the chain's entries and their order.  What a touch means for counters
   and bit vectors, and which strategy is in force, is hpe.c's affair.

   The paper searches the old partition set by set; here its sets are kept in
   buckets by counter, so that MRU-C's choice is found at once.  */

#include "config.h"
#include "paging/hpe.h"
#include "paging/copy.h"

#define NODE(ENTRY) (HPE_LISTS + (ENTRY))
#define ENTRY(NODE) ((NODE) - HPE_LISTS)

static uint32_t
bucket_node (const struct hpe_chain *c, uint32_t entry)
{
  return c->counter_most + 1 + entry;
}

bool
hpe_chain_init (struct hpe_chain *c, uint32_t page_set, uint32_t counter_most)
{
  c->page_set = page_set;
  c->shift = __builtin_ctz (page_set);
  c->counter_most = counter_most;
  c->interval = 2;		/* So that interval 0 is old.  */
  return (ummgr_ring_grow (&c->ring, 0, NODE (0))
	  && ummgr_ring_grow (&c->bucket, 0, bucket_node (c, 0)));
}

bool
hpe_chain_grow (struct hpe_chain *c, uint32_t units)
{
  uint32_t entries = (units / c->page_set + 1) * 2;
  if (entries <= c->entries)
    return true;
  struct hpe_set *set = realloc (c->set, entries * sizeof *set);
  if (!set)
    return false;
  c->set = set;
  if (!ummgr_ring_grow (&c->ring, NODE (c->entries), NODE (entries))
      || !ummgr_ring_grow (&c->bucket, bucket_node (c, c->entries),
			   bucket_node (c, entries)))
    return false;
  for (uint32_t e = c->entries; e < entries; e++)
    set[e] = (struct hpe_set) { 0 };
  c->entries = entries;
  return true;
}

bool
hpe_chain_copied (struct hpe_chain *c)
{
  bool good = ummgr_paging_copied (&c->set, c->entries * sizeof *c->set);
  good &= ummgr_paging_copied (&c->ring, NODE (c->entries) * sizeof *c->ring);
  return good & ummgr_paging_copied (&c->bucket, bucket_node (c, c->entries)
						    * sizeof *c->bucket);
}

void
hpe_chain_free (struct hpe_chain *c)
{
  free (c->set);
  free (c->ring);
  free (c->bucket);
}

/* --- the search point --------------------------------------------------- */

static void
enter_searched (struct hpe_chain *c, uint32_t entry)
{
  c->set[entry].searched = true;
  c->searched++;
  ummgr_ring_put (c->ring, HPE_SEARCHED, NODE (entry));
  ummgr_ring_put (c->bucket, c->set[entry].counter, bucket_node (c, entry));
}

static void
leave_searched (struct hpe_chain *c, uint32_t entry)
{
  c->set[entry].searched = false;
  c->searched--;
  ummgr_ring_unlink (c->ring, NODE (entry));
  ummgr_ring_unlink (c->bucket, bucket_node (c, entry));
}

/* The search point is SEARCH_POINT sets from the MRU end of the old
   partition, but never past its last set: there must be one to find.  */
static void
keep_search_point (struct hpe_chain *c)
{
  uint32_t old = c->searched + c->skipped;
  uint32_t skip = c->search_point < old ? c->search_point : old - (old > 0);
  while (c->skipped > skip)
    {
      uint32_t node = c->ring[HPE_SKIPPED].next;
      ummgr_ring_unlink (c->ring, node);
      c->skipped--;
      enter_searched (c, ENTRY (node));
    }
  while (c->skipped < skip)
    {
      uint32_t node = c->ring[HPE_SEARCHED].prev;
      leave_searched (c, ENTRY (node));
      ummgr_ring_put (c->ring, c->ring[HPE_SKIPPED].next, node);
      c->skipped++;
    }
}

void
hpe_chain_jump (struct hpe_chain *c, uint32_t distance)
{
  /* Beyond the length of the chain it makes no difference.  */
  if (c->search_point < c->entries)
    c->search_point += distance;
  keep_search_point (c);
}

/* --- partitions --------------------------------------------------------- */

void
hpe_chain_take_off (struct hpe_chain *c, uint32_t entry)
{
  struct hpe_set *s = &c->set[entry];
  if (!s->linked)
    return;
  s->linked = false;
  if (s->searched)
    leave_searched (c, entry);
  else
    {
      ummgr_ring_unlink (c->ring, NODE (entry));
      if (s->placed == c->interval)
	c->new--;
      else if (s->placed + 1 == c->interval)
	c->middle--;
      else
	c->skipped--;
    }
  keep_search_point (c);
}

void
hpe_chain_place (struct hpe_chain *c, uint32_t entry)
{
  struct hpe_set *s = &c->set[entry];
  if (s->linked && s->placed == c->interval)
    return;
  hpe_chain_take_off (c, entry);
  s->linked = true;
  s->placed = c->interval;
  ummgr_ring_put (c->ring, HPE_NEW, NODE (entry));
  c->new++;
}

void
hpe_chain_next_interval (struct hpe_chain *c)
{
  while (!ummgr_ring_empty (c->ring, HPE_MIDDLE))
    {
      uint32_t node = c->ring[HPE_MIDDLE].next;
      ummgr_ring_unlink (c->ring, node);
      ummgr_ring_put (c->ring, HPE_SKIPPED, node);
      c->skipped++;
    }
  keep_search_point (c);
  ummgr_ring_join (c->ring, HPE_MIDDLE, HPE_NEW);
  c->middle = c->new;
  c->new = 0;
  c->interval++;
}

void
hpe_chain_each (const struct hpe_chain *c,
		void (*visit) (const struct hpe_set *s, void *data),
		void *data)
{
  for (uint32_t list = 0; list < HPE_LISTS; list++)
    for (uint32_t n = c->ring[list].next; n != list; n = c->ring[n].next)
      visit (&c->set[ENTRY (n)], data);
}

/* --- choosing a victim [IV-D] ------------------------------------------- */

/* "Its virtual pages are selected in address order".  */
static uint32_t
first_unit (const struct hpe_chain *c, uint32_t entry,
	    const struct hpe_pins *pins)
{
  for (uint64_t left = c->set[entry].resident; left; left &= left - 1)
    {
      uint32_t unit = (entry / 2 << c->shift) + __builtin_ctzll (left);
      if (!pins->pinned || !pins->pinned (pins->data, unit))
	return unit;
    }
  return UMMGR_PAGING_NONE;
}

static uint32_t
least_recent (const struct hpe_chain *c, uint32_t list,
	      const struct hpe_pins *pins)
{
  for (uint32_t n = c->ring[list].next; n != list; n = c->ring[n].next)
    {
      uint32_t unit = first_unit (c, ENTRY (n), pins);
      if (unit != UMMGR_PAGING_NONE)
	return unit;
    }
  return UMMGR_PAGING_NONE;
}

/* Of the sets with COUNTER, the most recent from the search point on.  */
static uint32_t
most_recent (const struct hpe_chain *c, uint32_t counter,
	     const struct hpe_pins *pins)
{
  const struct ummgr_ring *r = c->bucket;
  for (uint32_t n = r[counter].prev; n != counter; n = r[n].prev)
    {
      uint32_t unit = first_unit (c, n - bucket_node (c, 0), pins);
      if (unit != UMMGR_PAGING_NONE)
	return unit;
    }
  return UMMGR_PAGING_NONE;
}

/* A set whose counter is the page set size; else the least counter above it.
   The paper has the second only "if all page set counters are larger", and
   leaves open what happens where some are smaller and none is equal.  It
   would rather evict a fully populated set than one with a counter below, so
   sets below come last, the most populated first.  */
static uint32_t
mru_c (const struct hpe_chain *c, const struct hpe_pins *pins)
{
  uint32_t unit = UMMGR_PAGING_NONE;
  for (uint32_t n = c->page_set;
       n <= c->counter_most && unit == UMMGR_PAGING_NONE; n++)
    unit = most_recent (c, n, pins);
  for (uint32_t n = c->page_set; n-- > 0 && unit == UMMGR_PAGING_NONE;)
    unit = most_recent (c, n, pins);
  return unit;
}

uint32_t
hpe_chain_victim (const struct hpe_chain *c, bool by_mru_c,
		  const struct hpe_pins *pins)
{
  uint32_t unit = by_mru_c ? mru_c (c, pins)
			   : least_recent (c, HPE_SEARCHED, pins);
  /* Old sets before the search point serve if those past it are pinned.  */
  for (uint32_t list = HPE_SKIPPED;
       list < HPE_LISTS && unit == UMMGR_PAGING_NONE; list++)
    unit = least_recent (c, list, pins);
  return unit;
}

uint32_t
hpe_chain_compared (const struct hpe_chain *c, uint32_t entry)
{
  /* The least counter, or the greatest below, is known after all.  */
  if (!c->set[entry].searched || c->set[entry].counter != c->page_set)
    return c->searched;
  uint32_t compared = 1;
  for (uint32_t n = c->ring[HPE_SEARCHED].prev; ENTRY (n) != entry;
       n = c->ring[n].prev)
    compared++;
  return compared;
}
