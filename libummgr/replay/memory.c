/* A GPU's memory with demand paging.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  The loop over events is what replay's speed
   depends on: a touch of a resident page costs one look at a byte, and the
   policy's touch where hits are seen.  */

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
			    enum ummgr_replay_hits hits)
{
  struct ummgr_replay_memory *m = calloc (1, sizeof *m);
  struct ummgr_paging *paging = instance ? instance : ops->create (0);
  if (!m || !paging)
    {
      free (m);
      if (paging)
	ops->destroy (paging);
      return NULL;
    }
  m->ops = ops;
  m->paging = paging;
  m->touch = hits == UMMGR_REPLAY_HITS_WALKS ? ops->touch : NULL;
  m->capacity = capacity;
  return m;
}

void
ummgr_replay_memory_destroy (struct ummgr_replay_memory *m)
{
  if (!m)
    return;
  m->ops->destroy (m->paging);
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
  if (!page || !m->ops->grow (m->paging, room))
    return false;
  memset (page + m->units, 0, room - m->units);
  m->units = room;
  return true;
}

/* UNIT, which is there, leaves.  */
static void
leave (struct ummgr_replay_memory *m, uint32_t unit)
{
  m->c.pages_out++;
  m->c.written_out += m->page[unit] & WRITTEN ? 1 : 0;
  m->page[unit] = 0;
  m->used--;
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

/* The GPU uses UNIT, which is not there.  */
static void
fault (struct ummgr_replay_memory *m, uint32_t unit)
{
  m->c.faults++;
  if (!make_room (m))
    return;
  m->ops->insert (m->paging, unit);
  come (m, unit);
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
      m->page[unit] = 0;
      m->used -= there;
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
    if (e->kind <= UMMGR_PAGE_WRITE)
      {
	touches++;
	if (!page[e->unit])
	  fault (m, e->unit);
	else if (touch && e->kind != UMMGR_PAGE_FIRST_WRITE)
	  touch (paging, e->unit);
	/* But for a page that found no room.  */
	if (e->kind != UMMGR_PAGE_READ && page[e->unit])
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
