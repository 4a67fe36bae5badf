/* Least recently used: units on one doubly linked list.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the list of each instance.  insert, touch, remove and victim allocate
   nothing: the simulated driver calls them while it handles a fault.  What
   "used" means is the caller's affair.  */

#include "config.h"
#include "paging/paging.h"
#include "paging/copy.h"

#include "paging/ring.h"

#include <stdlib.h>

struct ummgr_paging
{
  uint32_t units;
  /* LIST is the sentinel, from the oldest to the newest; unit U is 1 + U.  */
  struct ummgr_ring *ring;
};

#define LIST 0

static bool
lru_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units)
    return true;
  if (!ummgr_ring_grow (&p->ring, 1 + p->units, 1 + units))
    return false;
  p->units = units;
  return true;
}

static void
lru_destroy (struct ummgr_paging *p)
{
  if (p)
    free (p->ring);
  free (p);
}

static struct ummgr_paging *
lru_create (uint32_t units)
{
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  if (!ummgr_ring_grow (&p->ring, 0, 1) || !lru_grow (p, units))
    {
      lru_destroy (p);
      return NULL;
    }
  return p;
}

static bool
lru_own (struct ummgr_paging *c)
{
  return ummgr_paging_copied (&c->ring,
			      (1 + (size_t) c->units) * sizeof *c->ring);
}

static void
lru_remove (struct ummgr_paging *p, uint32_t unit)
{
  ummgr_ring_unlink (p->ring, 1 + unit);
}

/* Replay does this for each event: no more than it takes.  */
static void
lru_touch (struct ummgr_paging *p, uint32_t unit)
{
  struct ummgr_ring *r = p->ring;
  uint32_t node = 1 + unit, prev = r[node].prev, next = r[node].next;
  /* The newest already, or on no list.  */
  if (next == LIST || next == node)
    return;
  r[prev].next = next;
  r[next].prev = prev;
  ummgr_ring_put (r, LIST, node);
}

/* Inserting a unit that is there already makes it the newest.  */
static void
lru_insert (struct ummgr_paging *p, uint32_t unit)
{
  ummgr_ring_unlink (p->ring, 1 + unit);
  ummgr_ring_put (p->ring, LIST, 1 + unit);
}

static uint32_t
lru_victim (struct ummgr_paging *p, bool (*pinned) (void *data, uint32_t unit),
	    void *data)
{
  const struct ummgr_ring *r = p->ring;
  uint32_t node = r[LIST].next;
  while (node != LIST && pinned && pinned (data, node - 1))
    node = r[node].next;
  return node == LIST ? UMMGR_PAGING_NONE : node - 1;
}

const struct ummgr_paging_ops ummgr_paging_lru = {
  .name = "lru",
  .description = "the unit whose last use is the oldest",
  .unit_bytes = 2 * sizeof (uint32_t),
  .create = lru_create,
  .destroy = lru_destroy,
  .size = sizeof (struct ummgr_paging),
  .own = lru_own,
  .grow = lru_grow,
  .insert = lru_insert,
  .touch = lru_touch,
  .remove = lru_remove,
  .victim = lru_victim,
};
