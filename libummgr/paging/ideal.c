/* Belady's MIN: evict what is used again last.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns, in each instance, the next event of the same unit for each element of
   the sequence, and a heap of resident units by their next use.  It needs the
   future, so no live run can have it, and memory for it: 4 bytes an event.

   A unit that leaves anyway before it is used again is as good as never used
   again: evicting it costs no fault.  Calls that are not as the sequence has
   them make the choice worse but nothing worse than that.  */

#include "config.h"
#include "paging/params.h"

#include <stdlib.h>

#define NEVER UINT32_MAX

struct ummgr_paging
{
  const uint32_t *sequence;
  size_t length, position;
  uint32_t units, count;
  uint32_t *later;		/* Of an event: its unit's next one.  */
  uint32_t *upcoming;		/* Of a unit: its next event.  */
  uint32_t *heap;		/* COUNT units, the best victim first.  */
  uint32_t *place;		/* Of a unit in it, or NONE.  */
};

/* Event number of UNIT's next use, if it is still resident then.  */
static uint32_t
next_use (const struct ummgr_paging *p, uint32_t unit)
{
  uint32_t at = p->upcoming[unit];
  return at == NEVER || p->sequence[at] & UMMGR_PAGING_GONE ? NEVER : at;
}

/* Ties, which are between units never used again, go by number.  */
static bool
better (const struct ummgr_paging *p, uint32_t a, uint32_t b)
{
  uint32_t x = next_use (p, a), y = next_use (p, b);
  return x != y ? x > y : a < b;
}

static void
put (struct ummgr_paging *p, uint32_t at, uint32_t unit)
{
  p->heap[at] = unit;
  p->place[unit] = at;
}

/* Give UNIT, whose place is AT, its right place.  */
static void
sift (struct ummgr_paging *p, uint32_t at, uint32_t unit)
{
  for (; at && better (p, unit, p->heap[(at - 1) / 2]); at = (at - 1) / 2)
    put (p, at, p->heap[(at - 1) / 2]);
  for (;;)
    {
      uint32_t child = 2 * at + 1;
      if (child + 1 < p->count
	  && better (p, p->heap[child + 1], p->heap[child]))
	child++;
      if (child >= p->count || !better (p, p->heap[child], unit))
	break;
      put (p, at, p->heap[child]);
      at = child;
    }
  put (p, at, unit);
}

static void
settle (struct ummgr_paging *p, uint32_t unit)
{
  if (p->place[unit] != UMMGR_PAGING_NONE)
    sift (p, p->place[unit], unit);
}

/* The event at POSITION has come.  */
static void
pass_event (struct ummgr_paging *p)
{
  uint32_t unit = p->sequence[p->position] & ~UMMGR_PAGING_GONE;
  p->upcoming[unit] = p->later[p->position++];
  settle (p, unit);
}

static void
pass_departures (struct ummgr_paging *p)
{
  while (p->position < p->length
	 && p->sequence[p->position] & UMMGR_PAGING_GONE)
    pass_event (p);
}

static void
ideal_touch (struct ummgr_paging *p, uint32_t unit)
{
  (void) unit;
  pass_departures (p);
  if (p->position < p->length)
    pass_event (p);
}

static void
ideal_prefetch (struct ummgr_paging *p, uint32_t unit)
{
  pass_departures (p);
  if (p->place[unit] == UMMGR_PAGING_NONE)
    sift (p, p->count++, unit);
}

static void
ideal_insert (struct ummgr_paging *p, uint32_t unit)
{
  ideal_touch (p, unit);
  if (p->place[unit] == UMMGR_PAGING_NONE)
    sift (p, p->count++, unit);
}

static void
ideal_remove (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t at = p->place[unit];
  if (at == UMMGR_PAGING_NONE)
    return;
  p->place[unit] = UMMGR_PAGING_NONE;
  uint32_t last = p->heap[--p->count];
  if (last != unit)
    sift (p, at, last);
}

/* The best victim below AT that is not pinned.  */
static uint32_t
search (struct ummgr_paging *p, uint32_t at,
	bool (*pinned) (void *data, uint32_t unit), void *data)
{
  if (at >= p->count)
    return UMMGR_PAGING_NONE;
  if (!pinned || !pinned (data, p->heap[at]))
    return p->heap[at];
  uint32_t a = search (p, 2 * at + 1, pinned, data);
  uint32_t b = search (p, 2 * at + 2, pinned, data);
  if (a == UMMGR_PAGING_NONE || b == UMMGR_PAGING_NONE)
    return a == UMMGR_PAGING_NONE ? b : a;
  return better (p, a, b) ? a : b;
}

static uint32_t
ideal_victim (struct ummgr_paging *p,
	      bool (*pinned) (void *data, uint32_t unit), void *data)
{
  pass_departures (p);
  return search (p, 0, pinned, data);
}

static void
ideal_destroy (struct ummgr_paging *p)
{
  if (!p)
    return;
  free (p->later);
  free (p->upcoming);
  free (p->heap);
  free (p->place);
  free (p);
}

static void
look_ahead (struct ummgr_paging *p)
{
  for (uint32_t u = 0; u < p->units; u++)
    {
      p->upcoming[u] = NEVER;
      p->place[u] = UMMGR_PAGING_NONE;
    }
  for (size_t i = p->length; i-- > 0;)
    {
      uint32_t unit = p->sequence[i] & ~UMMGR_PAGING_GONE;
      p->later[i] = p->upcoming[unit];
      p->upcoming[unit] = i;
    }
}

struct ummgr_paging *
ummgr_paging_ideal_create (uint32_t units, const uint32_t *sequence,
			   size_t length)
{
  if (units >= UMMGR_PAGING_GONE || length >= NEVER)
    return NULL;
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->sequence = sequence;
  p->length = length;
  p->units = units;
  p->later = malloc ((length + 1) * sizeof *p->later);
  p->upcoming = malloc ((units + 1) * sizeof *p->upcoming);
  p->heap = malloc ((units + 1) * sizeof *p->heap);
  p->place = malloc ((units + 1) * sizeof *p->place);
  if (!p->later || !p->upcoming || !p->heap || !p->place)
    {
      ideal_destroy (p);
      return NULL;
    }
  look_ahead (p);
  return p;
}

static struct ummgr_paging *
ideal_create (uint32_t units)
{
  (void) units;
  return NULL;
}

static bool
ideal_grow (struct ummgr_paging *p, uint32_t units)
{
  return units <= p->units;
}

const struct ummgr_paging_ops ummgr_paging_ideal = {
  .name = "ideal",
  .description = "the unit whose next use is the last (Belady's MIN)",
  .create = ideal_create,
  .destroy = ideal_destroy,
  .grow = ideal_grow,
  .insert = ideal_insert,
  .prefetch = ideal_prefetch,
  .touch = ideal_touch,
  .remove = ideal_remove,
  .victim = ideal_victim,
};
