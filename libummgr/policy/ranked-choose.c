/* What each object of a region is to have of the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The steps of SC'19 3.2 to 3.4 for each item, best first: (1) what is there
   stays; (2) what fits comes; (3) what ranks below is collected, worst
   first, (4) and leaves if it makes enough room.  Candidates are the tree's
   and the items that come later: those before were granted theirs.  Owns no
   state of its own.  */

#include "config.h"
#include "policy/ranked.h"
#include "policy/policies.h"

#include <float.h>
#include <math.h>

/* The rank below which others may leave for ITEM.  Equals don't, where that is
   known: they would push each other out for ever.  Where nothing is known the
   one that is used now is preferred, as in lru.  */
static struct ummgr_rank
limit_of (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item)
{
  struct ummgr_rank limit = item->rank;
  bool known = r->kind->by_distance
    ? limit.distance < UMMGR_DISTANCE_UNKNOWN : limit.value >= 0;
  limit.recency = known ? 0 : UINT64_MAX;
  if (r->kind->keeps)
    limit = (struct ummgr_rank) { DBL_MAX, -INFINITY, 0 };
  return limit;
}

static bool
may_give (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o)
{
  return ummgr_object_movable (o->view) && !(r->kind->keeps && o->used);
}

/* O, which is not in the tree, keeps all but the last BYTES of what it has. */
static void
cut (struct ummgr_ranked *r, struct ummgr_ranked_object *o, uint64_t bytes)
{
  r->resident -= bytes;
  o->to_hi -= bytes;
  if (o->to_hi == o->to_lo)
    {
      o->to_lo = o->to_hi = 0;
      if (r->part == o)
	r->part = NULL;
    }
  if (o->round == r->round)
    {
      r->own_left -= bytes;
      return;
    }
  if (!o->leaving)
    r->victims[r->victim_count++] = o;
  o->leaving = true;
  o->node.bytes = ummgr_ranked_bytes (o);
  if (o->node.bytes)
    {
      ummgr_rank_insert (&r->tree, &o->node);
      o->listed = true;
    }
}

/* The tree's worst object that is below LIMIT, and may leave.  */
static struct ummgr_ranked_object *
worst_listed (struct ummgr_ranked *r, const struct ummgr_rank *limit)
{
  struct ummgr_rank_node *node;
  while ((node = ummgr_rank_worst (r->tree))
	 && ummgr_rank_worse (&node->rank, limit))
    {
      struct ummgr_ranked_object *o = (struct ummgr_ranked_object *) node;
      if (ummgr_object_movable (o->view))
	return o;
      ummgr_ranked_unlist (r, o);
      if (!o->view->pinned && !o->leaving)
	ummgr_ranked_unsettle (r, o);
    }
  return NULL;
}

/* The last item after I that has something to give; moves TAIL there.  */
static struct ummgr_ranked_item *
worst_item (struct ummgr_ranked *r, size_t i, size_t *tail)
{
  for (; *tail > i + 1; --*tail)
    {
      struct ummgr_ranked_item *item = &r->items[*tail - 1];
      if (ummgr_ranked_bytes (item->object) && may_give (r, item->object))
	return item;
    }
  return NULL;
}

/* Steps 3 and 4 for item I, which needs BYTES more: collect candidates, and
   have them leave if that is enough.  With --partial=on the last of them
   loses only what is needed.  */
static bool
collect (struct ummgr_ranked *r, size_t i, const struct ummgr_rank *limit,
	 uint64_t bytes)
{
  size_t n = 0, tail = r->tail;
  uint64_t got = 0;
  while (got < bytes)
    {
      struct ummgr_ranked_object *o = worst_listed (r, limit);
      struct ummgr_ranked_item *item = worst_item (r, i, &tail);
      if (item && (!o || !ummgr_rank_worse (&o->node.rank, &item->rank)))
	{
	  o = item->object;
	  tail--;
	}
      if (!o)
	break;
      if (o->listed)
	ummgr_rank_remove (&r->tree, &o->node);
      o->listed = false;
      got += ummgr_ranked_bytes (o);
      r->candidates[n++] = o;
    }
  for (size_t c = 0; c < n; c++)
    {
      struct ummgr_ranked_object *o = r->candidates[c];
      uint64_t gives = ummgr_ranked_bytes (o);
      if (got < bytes)
	{
	  if (o->round == r->round)
	    continue;
	  ummgr_rank_insert (&r->tree, &o->node);
	  o->listed = true;
	  continue;
	}
      if (r->partial == UMMGR_PARTIAL_ON && c == n - 1)
	gives -= (got - bytes) & -UMMGR_PART_UNIT;
      cut (r, o, gives);
    }
  if (got < bytes)
    return false;
  r->tail = n && ummgr_ranked_bytes (r->candidates[n - 1])
    && tail < r->tail ? tail + 1 : tail;
  return true;
}

/* Make BYTES of room for item I, or change nothing.  */
static bool
make_room (struct ummgr_ranked *r, size_t i, const struct ummgr_rank *limit,
	   int64_t bytes)
{
  if (bytes <= 0)
    return true;
  /* Each time it fails, something that can't leave was taken off the tree. */
  while ((int64_t) ummgr_rank_sum (r->tree, limit) + r->own_left >= bytes)
    if (collect (r, i, limit, bytes))
      return true;
  return false;
}

static void
grant (struct ummgr_ranked *r, struct ummgr_ranked_object *o, size_t lo,
       size_t hi)
{
  r->resident += (int64_t) (hi - lo) - (int64_t) ummgr_ranked_bytes (o);
  o->to_lo = lo;
  o->to_hi = hi;
  if (r->part == o && hi - lo == o->view->size)
    r->part = NULL;
}

/* May item I have a part?  As SC'19 has it only one object does, "whose
   priority immediately follows those of data objects in the GPU memory": one
   that ranks below item I gives way.  */
static bool
may_have_part (struct ummgr_ranked *r, const struct ummgr_ranked_item *item,
	       const struct ummgr_rank *limit)
{
  struct ummgr_ranked_object *part = r->part;
  if (r->partial != UMMGR_PARTIAL_PAPER || !part || part == item->object)
    return r->partial != UMMGR_PARTIAL_OFF;
  bool below = part->listed && ummgr_object_movable (part->view)
    && ummgr_rank_worse (&part->node.rank, limit);
  for (const struct ummgr_ranked_item *later = item + 1;
       later < r->items + r->item_count; later++)
    below |= later->object == part && may_give (r, part);
  if (below)
    {
      ummgr_ranked_unlist (r, part);
      cut (r, part, ummgr_ranked_bytes (part));
    }
  return below;
}

/* Give item I as much of what it wants as its rank allows.  What it has of
   that stays in place.  */
static void
grant_part (struct ummgr_ranked *r, size_t i, const struct ummgr_rank *limit)
{
  struct ummgr_ranked_item *item = &r->items[i];
  struct ummgr_ranked_object *o = item->object;
  int64_t has = ummgr_ranked_bytes (o);
  bool overlaps = o->to_lo < item->want_hi && item->want_lo < o->to_hi;
  if (!may_have_part (r, item, limit))
    return;
  int64_t room = r->budget - r->resident + has, size;
  /* Where it fails, something that can't leave was counted; not again.  */
  do
    {
      size = (room + (int64_t) ummgr_rank_sum (r->tree, limit)
	      + r->own_left) & -UMMGR_PART_UNIT;
      if (size <= 0 || (overlaps && size <= has))
	return;
    }
  while (!make_room (r, i, limit, size - room));
  size_t lo = overlaps && o->to_lo > item->want_lo ? o->to_lo : item->want_lo;
  size_t hi = item->want_hi - lo < (uint64_t) size
    ? item->want_hi : lo + size;
  if (hi - lo < (uint64_t) size)
    lo = hi - item->want_lo < (uint64_t) size ? item->want_lo : hi - size;
  grant (r, o, (lo + UMMGR_PART_UNIT - 1) & -UMMGR_PART_UNIT, hi);
  if (r->partial == UMMGR_PARTIAL_PAPER)
    r->part = o;
}

static void
choose_item (struct ummgr_ranked *r, size_t i)
{
  struct ummgr_ranked_item *item = &r->items[i];
  struct ummgr_ranked_object *o = item->object;
  int64_t has = ummgr_ranked_bytes (o);
  if (!ummgr_object_movable (o->view))
    return;
  if (has && o->to_lo <= item->want_lo && o->to_hi >= item->want_hi)
    return;
  int64_t room = r->budget - r->resident + has;
  size_t lo = item->want_lo, hi = item->want_hi;
  if (has && o->to_lo <= hi && lo <= o->to_hi)
    {
      /* With what it has, if that costs nobody anything.  */
      size_t low = lo < o->to_lo ? lo : o->to_lo;
      size_t high = hi > o->to_hi ? hi : o->to_hi;
      if ((int64_t) (high - low) <= room)
	{
	  lo = low;
	  hi = high;
	}
    }
  struct ummgr_rank limit = limit_of (r, item);
  if (make_room (r, i, &limit, (int64_t) (hi - lo) - room))
    grant (r, o, lo, hi);
  else
    {
      const struct ummgr_rank_node *above = ummgr_rank_above (r->tree, &limit);
      item->blocked_by = above ? (const struct ummgr_ranked_object *) above
	: i ? r->items[i - 1].object : NULL;
      item->blocked_rank = above ? above->rank
	: i ? r->items[i - 1].rank : item->rank;
      grant_part (r, i, &limit);
    }
}

void
ummgr_ranked_choose (struct ummgr_ranked *r)
{
  r->tail = r->item_count;
  r->own_left = 0;
  for (size_t i = 0; i < r->item_count; i++)
    if (may_give (r, r->items[i].object))
      r->own_left += ummgr_ranked_bytes (r->items[i].object);
  for (size_t i = 0; i < r->item_count; i++)
    {
      if (may_give (r, r->items[i].object))
	r->own_left -= ummgr_ranked_bytes (r->items[i].object);
      choose_item (r, i);
    }
}
