/* Circular lists of indices, for the replacement policies.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A list is an index of the array that is its sentinel: its NEXT is the front
   and its PREV the back.  A node on no list points to itself.  Inserting,
   unlinking and joining are O(1), and no node knows its list.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

struct ummgr_ring
{
  uint32_t prev, next;
};

static inline void
ummgr_ring_clear (struct ummgr_ring *r, uint32_t node)
{
  r[node].prev = r[node].next = node;
}

static inline bool
ummgr_ring_empty (const struct ummgr_ring *r, uint32_t list)
{
  return r[list].next == list;
}

static inline void
ummgr_ring_unlink (struct ummgr_ring *r, uint32_t node)
{
  r[r[node].prev].next = r[node].next;
  r[r[node].next].prev = r[node].prev;
  ummgr_ring_clear (r, node);
}

/* Put NODE, on no list, in front of AT; AT a sentinel: at the back.  */
static inline void
ummgr_ring_put (struct ummgr_ring *r, uint32_t at, uint32_t node)
{
  r[node].prev = r[at].prev;
  r[node].next = at;
  r[r[at].prev].next = node;
  r[at].prev = node;
}

/* Move all of list FROM to the back of list TO.  */
static inline void
ummgr_ring_join (struct ummgr_ring *r, uint32_t to, uint32_t from)
{
  if (ummgr_ring_empty (r, from))
    return;
  r[r[from].next].prev = r[to].prev;
  r[r[to].prev].next = r[from].next;
  r[r[from].prev].next = to;
  r[to].prev = r[from].prev;
  ummgr_ring_clear (r, from);
}

/* Make *RING_P, which has OLD nodes, have NEW; the new ones are on no
   list.  */
static inline bool
ummgr_ring_grow (struct ummgr_ring **ring_p, uint32_t old, uint32_t new)
{
  struct ummgr_ring *r = realloc (*ring_p, (size_t) new * sizeof *r);
  if (!r)
    return false;
  for (uint32_t i = old; i < new; i++)
    ummgr_ring_clear (r, i);
  *ring_p = r;
  return true;
}
