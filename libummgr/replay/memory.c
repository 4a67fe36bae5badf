/* A GPU's memory with demand paging.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  The loop over events is what replay's speed
   depends on: a touch of a resident page costs one look at a byte and, where hits
   are seen, a look in the TLBs or the policy's touch.  */

#include "config.h"
#include "replay/memory.h"

#include "base/grow.h"
#include <stdlib.h>
#include <string.h>

enum
{
  THERE = 1, WRITTEN = 2
};

struct ummgr_replay_memory
{
  const struct ummgr_paging_ops *ops;
  struct ummgr_paging *paging;
  void (*touch) (struct ummgr_paging *p, uint32_t unit); /* Or NULL.  */
  struct ummgr_tlbs *tlb;	/* NULL: events tell, or there is no TOUCH.  */
  uint32_t capacity, used;
  uint32_t units;
  uint8_t *page;		/* THERE, WRITTEN.  */
  bool full;			/* Was ever.  */
  struct ummgr_replay_counts c;
  struct ummgr_paging_use *uses;
  size_t use_room;
};

struct ummgr_replay_memory *
ummgr_replay_memory_create (const struct ummgr_paging_ops *ops,
			    struct ummgr_paging *instance, uint32_t capacity,
			    enum ummgr_replay_hits hits,
			    const struct ummgr_tlbs_shape *tlb)
{
  struct ummgr_replay_memory *m = calloc (1, sizeof *m);
  struct ummgr_paging *paging = instance ? instance : ops->create (0);
  bool sees = hits == UMMGR_REPLAY_HITS_WALKS && ops->touch;
  bool looks = sees && tlb && ummgr_tlbs_any (tlb);
  if (!m || !paging || (looks && !(m->tlb = ummgr_tlbs_create (tlb))))
    {
      free (m);
      if (paging)
	ops->destroy (paging);
      return NULL;
    }
  m->ops = ops;
  m->paging = paging;
  m->touch = sees ? ops->touch : NULL;
  m->capacity = capacity;
  return m;
}

void
ummgr_replay_memory_destroy (struct ummgr_replay_memory *m)
{
  if (!m)
    return;
  m->ops->destroy (m->paging);
  ummgr_tlbs_destroy (m->tlb);
  free (m->page);
  free (m->uses);
  free (m);
}

bool
ummgr_replay_memory_grow (struct ummgr_replay_memory *m, uint32_t units)
{
  if (units <= m->units)
    return true;
  /* Objects come one by one.  */
  uint32_t room = units > 2 * m->units ? units : 2 * m->units;
  uint8_t *page = realloc (m->page, room);
  if (page)
    m->page = page;
  if (!page || !m->ops->grow (m->paging, room)
      || (m->tlb && !ummgr_tlbs_grow (m->tlb, room)))
    return false;
  memset (page + m->units, 0, room - m->units);
  m->units = room;
  return true;
}

/* UNIT, which is there, is no more, nor is it in a TLB.  */
static void
vanish (struct ummgr_replay_memory *m, uint32_t unit)
{
  m->page[unit] = 0;
  m->used--;
  if (m->tlb)
    ummgr_tlbs_forget (m->tlb, unit, unit + 1);
}

/* UNIT, which is there, leaves.  */
static void
leave (struct ummgr_replay_memory *m, uint32_t unit)
{
  m->c.pages_out++;
  m->c.written_out += m->page[unit] & WRITTEN ? 1 : 0;
  vanish (m, unit);
}

/* Room for one more; false where the policy has no victim.  */
static bool
make_room (struct ummgr_replay_memory *m)
{
  while (m->used >= m->capacity)
    {
      m->full = true;
      uint32_t victim = m->ops->victim (m->paging, NULL, NULL);
      if (victim == UMMGR_PAGING_NONE)
	return false;
      m->ops->remove (m->paging, victim);
      leave (m, victim);
      m->c.evictions++;
    }
  return true;
}

static void
come (struct ummgr_replay_memory *m, uint32_t unit)
{
  m->page[unit] = THERE;
  m->used++;
  m->c.pages_in++;
}

/* Multiprocessor SM uses UNIT, which is not there.  */
static void
fault (struct ummgr_replay_memory *m, uint32_t sm, uint32_t unit)
{
  m->c.faults++;
  if (!make_room (m))
    return;
  m->ops->insert (m->paging, unit);
  come (m, unit);
  if (m->tlb)
    ummgr_tlbs_use (m->tlb, sm, unit);
}

/* Does E's page, which is there, take a walk to the page table?  */
static inline bool
walks (struct ummgr_replay_memory *m, const struct ummgr_page_event *e)
{
  return m->tlb ? !ummgr_tlbs_use (m->tlb, e->sm, e->unit)
	 : e->kind <= UMMGR_PAGE_WRITE;
}

static void
other_event (struct ummgr_replay_memory *m, uint32_t unit, unsigned kind)
{
  bool there = m->page[unit];
  switch (kind)
    {
    case UMMGR_PAGE_HOST_READ:
    case UMMGR_PAGE_HOST_WRITE:
    case UMMGR_PAGE_PREFETCH_OUT:
      if (!there)
	return;
      m->ops->remove (m->paging, unit);
      leave (m, unit);
      m->c.cpu_faults += kind != UMMGR_PAGE_PREFETCH_OUT;
      break;
    case UMMGR_PAGE_PREFETCH_IN:
      if (there || !make_room (m))
	return;
      ummgr_paging_prefetched (m->ops, m->paging, unit);
      come (m, unit);
      break;
    case UMMGR_PAGE_FREE:
      /* What is freed goes nowhere.  */
      ummgr_paging_freed (m->ops, m->paging, unit);
      if (there)
	vanish (m, unit);
      break;
    default:
      break;
    }
}

void
ummgr_replay_memory_events (struct ummgr_replay_memory *m,
			    const struct ummgr_page_event *events,
			    size_t count)
{
  struct ummgr_paging *paging = m->paging;
  void (*touch) (struct ummgr_paging *p, uint32_t unit) = m->touch;
  uint8_t *page = m->page;	/* Only grow moves it.  */
  uint64_t touches = 0;
  for (const struct ummgr_page_event *e = events; e < events + count; e++)
    if (ummgr_page_is_use (e->kind))
      {
	touches += e->kind <= UMMGR_PAGE_WRITE;
	if (!page[e->unit])
	  fault (m, e->sm, e->unit);
	else if (touch && walks (m, e))
	  touch (paging, e->unit);
	/* But for a page that found no room.  */
	if (ummgr_page_writes (e->kind) && page[e->unit])
	  page[e->unit] |= WRITTEN;
      }
    else if (e->kind < UMMGR_PAGE_REGION_BEGIN)
      other_event (m, e->unit, e->kind);
  m->c.touches += touches;
}

void
ummgr_replay_memory_region (struct ummgr_replay_memory *m,
			    const struct ummgr_page_region *region)
{
  /* Without memory a policy does without what it is not told.  */
  if (!m->ops->region
      || !UMMGR_GROW (m->uses, m->use_room, region->use_count))
    return;
  for (size_t i = 0; i < region->use_count; i++)
    m->uses[i] = ummgr_page_use_paging (&region->uses[i]);
  m->ops->region (m->paging, m->uses, region->use_count);
}

struct ummgr_replay_counts
ummgr_replay_memory_counts (const struct ummgr_replay_memory *m)
{
  return m->c;
}

struct ummgr_paging *
ummgr_replay_memory_paging (const struct ummgr_replay_memory *m)
{
  return m->paging;
}

uint32_t
ummgr_replay_memory_used (const struct ummgr_replay_memory *m)
{
  return m->used;
}

bool
ummgr_replay_memory_was_full (const struct ummgr_replay_memory *m)
{
  return m->full;
}
