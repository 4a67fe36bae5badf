/* Least recently used: units on one doubly linked list.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the list of each instance.  insert, touch, remove and victim allocate
   nothing: the simulated driver calls them while it handles a fault.  What
   "used" means is the caller's affair.  */

#include "config.h"
#include "paging/paging.h"

#include <stdlib.h>

struct link
{
  uint32_t prev, next;
};

struct ummgr_paging
{
  uint32_t units;
  uint32_t oldest, newest;	/* UMMGR_PAGING_NONE when empty.  */
  struct link *links;
};

/* PREV of a unit that is not on the list; NONE marks the oldest one.  */
#define ABSENT (UMMGR_PAGING_NONE - 1)

static bool
lru_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units)
    return true;
  struct link *links = realloc (p->links, units * sizeof *links);
  if (!links)
    return false;
  for (uint32_t u = p->units; u < units; u++)
    links[u] = (struct link) { ABSENT, UMMGR_PAGING_NONE };
  p->links = links;
  p->units = units;
  return true;
}

static void
lru_destroy (struct ummgr_paging *p)
{
  if (p)
    free (p->links);
  free (p);
}

static struct ummgr_paging *
lru_create (uint32_t units)
{
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->oldest = p->newest = UMMGR_PAGING_NONE;
  if (!lru_grow (p, units))
    {
      lru_destroy (p);
      return NULL;
    }
  return p;
}

static void
lru_remove (struct ummgr_paging *p, uint32_t unit)
{
  struct link *l = &p->links[unit];
  if (l->prev == ABSENT)
    return;
  if (l->prev == UMMGR_PAGING_NONE)
    p->oldest = l->next;
  else
    p->links[l->prev].next = l->next;
  if (l->next == UMMGR_PAGING_NONE)
    p->newest = l->prev;
  else
    p->links[l->next].prev = l->prev;
  *l = (struct link) { ABSENT, UMMGR_PAGING_NONE };
}

/* Inserting a unit that is there already makes it the newest.  */
static void
lru_insert (struct ummgr_paging *p, uint32_t unit)
{
  if (p->newest == unit)
    return;
  lru_remove (p, unit);
  p->links[unit] = (struct link) { p->newest, UMMGR_PAGING_NONE };
  if (p->newest == UMMGR_PAGING_NONE)
    p->oldest = unit;
  else
    p->links[p->newest].next = unit;
  p->newest = unit;
}

static void
lru_touch (struct ummgr_paging *p, uint32_t unit)
{
  if (p->links[unit].prev != ABSENT)
    lru_insert (p, unit);
}

static uint32_t
lru_victim (struct ummgr_paging *p, bool (*pinned) (void *data, uint32_t unit),
	    void *data)
{
  uint32_t u = p->oldest;
  while (u != UMMGR_PAGING_NONE && pinned && pinned (data, u))
    u = p->links[u].next;
  return u;
}

const struct ummgr_paging_ops ummgr_paging_lru = {
  .name = "lru",
  .description = "the unit whose last use is the oldest",
  .create = lru_create,
  .destroy = lru_destroy,
  .grow = lru_grow,
  .insert = lru_insert,
  .touch = lru_touch,
  .remove = lru_remove,
  .victim = lru_victim,
};
