/* What rlm, glm, rdm and otm share: before a region, its objects get the
   device in the order of their rank.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns one record for each object, from on_map to on_unmap; its mark points
   there.  A record with bytes on the device is in the tree of what may
   leave, or, while its object runs or a plan about it has not been checked
   yet, on the list of the unsettled; those that are pinned are in neither.
   Objects are charged with what views say they have, since what was planned
   may have failed.  Moves nothing.  */

#include "config.h"
#include "policy/ranked.h"
#include "base/grow.h"
#include "policy/policies.h"

#include <stdlib.h>
#include <string.h>

enum ummgr_status
ummgr_ranked_init (struct ummgr_ranked *r,
		   const struct ummgr_ranked_kind *kind,
		   const struct ummgr_policy_config *config)
{
  r->kind = kind;
  r->budget = config->budget < INT64_MAX ? config->budget : INT64_MAX;
  r->partial = config->partial != UMMGR_PARTIAL_POLICY ? config->partial
    : kind->by_distance ? UMMGR_PARTIAL_ON : UMMGR_PARTIAL_OFF;
  r->unit = config->unit ? config->unit : UMMGR_FAULT_SIZE;
  r->granule = 1;
  r->transfer = config->transfer ? *config->transfer : 'h';
  r->fault_bytes = (double) config->fault_bytes;
  r->unit_faults = config->unit_faults;
  r->explain = config->explain;
  r->discards = config->discards;
  LIST_INIT (&r->all);
  LIST_INIT (&r->unsettled);
  return UMMGR_OK;
}

void
ummgr_ranked_fini (void *state)
{
  struct ummgr_ranked *r = state;
  struct ummgr_ranked_object *o;
  while ((o = LIST_FIRST (&r->all)))
    {
      LIST_REMOVE (o, all);
      free (o);
    }
  free (r->victims);
  free (r->candidates);
  free (r->items);
  ummgr_reasons_free (&r->reasons);
}

/* --- records ------------------------------------------------------------- */

void
ummgr_ranked_unlist (struct ummgr_ranked *r, struct ummgr_ranked_object *o)
{
  if (o->listed)
    ummgr_rank_remove (&r->tree, &o->node);
  if (o->unsettling)
    LIST_REMOVE (o, unsettled);
  o->listed = o->unsettling = false;
}

void
ummgr_ranked_unsettle (struct ummgr_ranked *r, struct ummgr_ranked_object *o)
{
  if (!o->unsettling)
    LIST_INSERT_HEAD (&r->unsettled, o, unsettled);
  o->unsettling = true;
}

/* Charge O with what its view says.  */
static void
sync_record (struct ummgr_ranked *r, struct ummgr_ranked_object *o)
{
  const struct ummgr_object_view *view = o->view;
  int64_t before = ummgr_ranked_bytes (o);
  bool there = view->placed->place == UMMGR_PLACE_DEVICE
    && view->placed->hi > view->placed->lo;
  o->lo = o->to_lo = there ? view->placed->lo : 0;
  o->hi = o->to_hi = !there ? 0 : view->placed->hi < view->size ? view->placed->hi : ummgr_ranked_end (r, view);
  r->resident += (int64_t) ummgr_ranked_bytes (o) - before;
  o->sent &= there;
  if (r->part == o && (!there || o->hi - o->lo >= view->size))
    r->part = NULL;
}

/* Look at what the last plan has come to.  */
static void
settle (struct ummgr_ranked *r)
{
  struct ummgr_ranked_object *o = LIST_FIRST (&r->unsettled), *next;
  for (; o; o = next)
    {
      next = LIST_NEXT (o, unsettled);
      sync_record (r, o);
      if (o->view->running && !o->view->pinned)
	continue;
      LIST_REMOVE (o, unsettled);
      o->unsettling = false;
      o->node.bytes = ummgr_ranked_bytes (o);
      o->listed = o->node.bytes && !o->view->pinned;
      if (o->listed)
	ummgr_rank_insert (&r->tree, &o->node);
    }
}

int64_t
ummgr_ranked_room (struct ummgr_ranked *r)
{
  settle (r);
  return r->budget - r->resident;
}

/* The record of VIEW, made if it has none; NULL without memory.  */
static struct ummgr_ranked_object *
record_of (struct ummgr_ranked *r, struct ummgr_object_view *view)
{
  if (view->mark.record)
    return view->mark.record;
  size_t capacity = r->capacity;
  if (!UMMGR_GROW (r->victims, capacity, r->count + 1)
      || !UMMGR_GROW (r->candidates, r->capacity, r->count + 1))
    return NULL;
  struct ummgr_ranked_object *o = calloc (1, sizeof *o);
  if (!o)
    return NULL;
  r->count++;
  o->view = view;
  o->global = -1;
  o->node.rank = r->kind->unused;
  o->node.rank.recency = ++r->clock;
  LIST_INSERT_HEAD (&r->all, o, all);
  view->mark.record = o;
  return o;
}

double
ummgr_ranked_global (struct ummgr_ranked_object *o,
		     const struct ummgr_hint *hint)
{
  /* 0, or what is no number, is not known.  */
  if (hint->global_locality > 0)
    o->global = hint->global_locality;
  return o->global;
}

void
ummgr_ranked_by_global (struct ummgr_ranked *r, struct ummgr_ranked_object *o,
			const struct ummgr_hint *hint, struct ummgr_rank *rank)
{
  rank->distance = 0;
  rank->value = ummgr_ranked_global (o, hint);
}

/* --- slots --------------------------------------------------------------- */

/* A new object takes what is free, and pushes nothing out before a region
   asks for it; and where that isn't enough for all that its construct maps, none takes it by
   being named first.  Whether it is worth sending as a whole (density) only its
   first region says: until then, where there is a choice, it is not sent.  */
void
ummgr_ranked_map (void *state, struct ummgr_object_view *view,
		  struct ummgr_plan *plan)
{
  struct ummgr_ranked *r = state;
  memset (&view->mark, 0, sizeof view->mark);
  settle (r);
  struct ummgr_ranked_object *o = record_of (r, view);
  int64_t room = r->budget - r->resident;
  bool mapped = view->path == UMMGR_PATH_MAPPED, sends = r->sends && mapped;
  /* The host fills it, and what is mapped meanwhile needs the room.  */
  if (r->sends && !mapped && !view->devices)
    {
      ummgr_plan_add (plan, view, 0, view->size, UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE,
		      "on the host until a region uses it");
      return;
    }
  /* What goes first has its room: one object is in parts, and what is looked up is whole.  */
  if (sends)
    room -= (int64_t) view->ahead;
  const size_t end = sends && r->plain ? view->size : ummgr_ranked_end (r, view);
  bool fits = room >= (int64_t) end && !(mapped && r->waits);
  bool part = sends && room > 0 && r->partial == UMMGR_PARTIAL_ON;
  size_t size = fits ? end : part ? (size_t) (room & -r->unit) : 0;
  /* What a clause copies goes there at once; what it doesn't would have to leave again if it were
     made there before a region uses it.  */
  enum ummgr_transfer transfer = r->transfer == 'e' ? UMMGR_TRANSFER_EXPLICIT
    : sends ? UMMGR_TRANSFER_NONE : UMMGR_TRANSFER_IMPLICIT;
  if (!o || !size)
    ummgr_plan_add (plan, view, 0, view->size, UMMGR_PLACE_HOST,
		    UMMGR_TRANSFER_NONE, "no room before it is used");
  else if (ummgr_plan_add (plan, view, 0, size < view->size ? size : view->size, UMMGR_PLACE_DEVICE, transfer,
			   fits ? "there is room" : "there is room for a part"))
    {
      plan->decisions[plan->count - 1].plain = sends && fits && r->plain;
      o->to_hi = size;
      r->resident += size;
      o->sent = transfer == UMMGR_TRANSFER_EXPLICIT;
      o->came = sends;
      ummgr_ranked_unsettle (r, o);
    }
}

/* What O gave up for another range of it is wanted again: a part that moves
   to and fro would be copied each time, which --partial=off, where an object is
   there or not, never does.  From then on all that was ever wanted is wanted.  */
static void
remember_ranges (struct ummgr_ranked_object *o,
		 struct ummgr_ranked_item *item)
{
  o->moves_back |= item->want_lo < o->lost_hi && o->lost_lo < item->want_hi;
  if (o->most_lo == o->most_hi)
    {
      o->most_lo = item->want_lo;
      o->most_hi = item->want_hi;
    }
  o->most_lo = item->want_lo < o->most_lo ? item->want_lo : o->most_lo;
  o->most_hi = item->want_hi > o->most_hi ? item->want_hi : o->most_hi;
  if (o->moves_back)
    {
      item->want_lo = o->most_lo;
      item->want_hi = o->most_hi;
    }
}

/* The range that the region accesses: only --partial=on may divide an object
   anywhere.  */
static void
choose_range (const struct ummgr_ranked *r, struct ummgr_ranked_item *item,
	      const struct ummgr_hint *hint)
{
  uint64_t size = ummgr_ranked_end (r, item->object->view);
  item->want_lo = 0;
  item->want_hi = size;
  if (r->partial != UMMGR_PARTIAL_ON)
    return;
  if (hint->hi > hint->lo && hint->lo < item->object->view->size)
    {
      item->want_lo = hint->lo & -r->unit;
      uint64_t hi = (hint->hi + r->unit - 1) & -r->unit;
      item->want_hi = hi < size ? hi : size;
    }
  remember_ranges (item->object, item);
  /* That may have been plain memory then.  */
  if (item->want_hi >= item->object->view->size)
    item->want_hi = size;
}

/* Among known equals those that are there come first, so that nothing moves for the sake of a
   tie (add_item gives them the greatest recency); then those with more accesses a byte, or,
   where those are the value, with more accesses; then those that are written: what one
   region writes is mostly the next one's input (of bench-oversubscription's programs stencil
   and hotspot3d gain, none loses).  Then their names decide: anything but the order of
   clauses, on which a program's time shouldn't depend.  */
#define THERE (UINT64_C (1) << 63)

static int
break_tie (const struct ummgr_ranked_item *x, const struct ummgr_ranked_item *y)
{
  return x->other != y->other ? (x->other < y->other) - (x->other > y->other)
    : x->written != y->written ? y->written - x->written
    : strcmp (x->name, y->name);
}

/* Of unknown equals the more recent comes first, as in lru.  */
static int
compare_items (const void *a, const void *b)
{
  const struct ummgr_ranked_item *x = a, *y = b;
  if (x->first != y->first)
    return x->first ? -1 : 1;
  bool equal = x->rank.distance == y->rank.distance && x->rank.value == y->rank.value
    && !((x->rank.recency ^ y->rank.recency) & THERE);
  int order = equal && x->known && y->known ? break_tie (x, y) : 0;
  return order ? order : ummgr_rank_worse (&x->rank, &y->rank) ? 1 : -1;
}

static bool
rank_is_known (const struct ummgr_ranked *r, const struct ummgr_rank *rank)
{
  return r->kind->by_distance ? rank->distance < UMMGR_DISTANCE_UNKNOWN
    : rank->value >= 0;
}

/* O stays on the host, where all of its data is, and BYTES are used over the
   link.  */
static void
keep_away (struct ummgr_ranked *r, struct ummgr_ranked_object *o, double bytes)
{
  o->remote += bytes;
  if (!ummgr_ranked_bytes (o))
    return;
  r->resident -= ummgr_ranked_bytes (o);
  o->to_lo = o->to_hi = 0;
  ummgr_ranked_moved (r, o);
  if (r->part == o)
    r->part = NULL;
}

/* What a use of BYTES over the link takes for each of them.  An example: of a column of a matrix with rows of 728 bytes
   comes a sector for each row, 0.04; of a matrix that each row of another is multiplied by, all of it again and
   again, maybe 1,000 (hints/passes.h).  */
static double
weight_of (const struct ummgr_hint *hint, double bytes)
{
  return hint->remote > 0 ? hint->remote / bytes : 1;
}

static void
add_item (struct ummgr_ranked *r, struct ummgr_ranked_object *o,
	  const struct ummgr_hint *hint)
{
  struct ummgr_ranked_item *item = &r->items[r->item_count++];
  ummgr_ranked_unlist (r, o);
  sync_record (r, o);
  o->round = r->round;
  if (!o->used)
    o->since = r->now;
  o->kept = hint->host_known ? 1 - hint->host_next : 1;
  item->object = o;
  item->first = r->in && r->in->first == o->view;
  item->blocked_by = NULL;
  choose_range (r, item, hint);
  o->weight = weight_of (hint, item->want_hi - item->want_lo);
  ummgr_ranked_choose_transfer (r, item, hint);
  if (item->away && ummgr_object_movable (o->view))
    keep_away (r, o, hint->remote);
  r->kind->rank (r, o, hint, &item->rank);
  item->rank.recency = o->node.rank.recency;
  item->known = rank_is_known (r, &item->rank);
  if (ummgr_ranked_bytes (o) && item->known)
    item->rank.recency |= THERE;
  item->written = hint->write;
  o->dead = r->discards && ummgr_hint_is_dead (hint);
  item->fresh = r->discards && hint->overwritten;
  o->written |= hint->write || !hint->known;
  item->accesses = hint->known && !hint->estimated ? hint->locality : -1;
  item->link_most = hint->remote_most;
  item->copies = r->kind->copies && r->partial != UMMGR_PARTIAL_PAPER && hint->only_read
    && o->view->path == UMMGR_PATH_UNIFIED;
  o->view->mark.host_writes = !hint->host_known || hint->host_writes;
  bool parts = r->kind->by_distance && r->partial == UMMGR_PARTIAL_ON;
  double value = item->rank.value > 0 ? item->rank.value : 0;
  item->other = parts ? value * o->view->size : value / o->view->size;
  item->name = hint->name ? hint->name : "";
}

/* Gather the region's objects, each once, best first.  */
static void
gather (struct ummgr_ranked *r, const struct ummgr_region_view *region,
	struct ummgr_object_view *const *objects, size_t count)
{
  static const struct ummgr_hint unknown = UMMGR_HINT_UNKNOWN;
  r->item_count = 0;
  if (!UMMGR_GROW (r->items, r->item_capacity, count))
    return;
  r->round++;
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_ranked_object *o = record_of (r, objects[i]);
      if (!o || o->round == r->round)
	continue;
      const struct ummgr_hint *hint
	= region->hints && region->hints[i].known ? &region->hints[i]
	: &unknown;
      add_item (r, o, hint);
    }
  if (r->item_count > 1)
    qsort (r->items, r->item_count, sizeof *r->items, compare_items);
  for (size_t i = 0; i < r->item_count; i++)
    r->items[i].object->item = i;
}

/* A use that was expected by NOW has not come (what the region at hand uses
   is not in the tree): the prediction is void.  SC'19 doesn't say what then;
   an object whose time has passed would rank above all others for ever.  */
static void
forget_overdue (struct ummgr_ranked *r)
{
  struct ummgr_rank_node *best;
  while (r->kind->by_distance && (best = ummgr_rank_best (r->tree)) && best->rank.distance <= r->now)
    {
      ummgr_rank_remove (&r->tree, best);
      best->rank.distance = UMMGR_DISTANCE_UNKNOWN;
      ((struct ummgr_ranked_object *) best)->source = UMMGR_SOURCE_NONE;
      ummgr_rank_insert (&r->tree, best);
    }
}

/* --- the plan ------------------------------------------------------------ */

/* [LO, HI) of O leaves.  */
static void
plan_leave (struct ummgr_plan *plan, struct ummgr_ranked_object *o, size_t lo,
	    size_t hi, const char *reason)
{
  if (lo < hi)
    ummgr_plan_add (plan, o->view, lo, hi < o->view->size ? hi : o->view->size, UMMGR_PLACE_HOST,
		    UMMGR_TRANSFER_EXPLICIT, reason);
}

/* What O has and is not to have leaves.  */
static void
plan_shrink (struct ummgr_plan *plan, struct ummgr_ranked_object *o,
	     const char *reason)
{
  if (o->to_hi <= o->lo || o->to_lo >= o->hi)
    plan_leave (plan, o, o->lo, o->hi, reason);
  else
    {
      plan_leave (plan, o, o->lo, o->to_lo, reason);
      plan_leave (plan, o, o->to_hi, o->hi, reason);
    }
}

/* What of the item's object comes by demand is sent for this region.  */
static void
plan_sent (const struct ummgr_ranked_item *item, struct ummgr_plan *plan,
	   const char *reason)
{
  const struct ummgr_ranked_object *o = item->object;
  size_t lo = item->sent_lo > o->to_lo ? item->sent_lo : o->to_lo;
  size_t hi = item->sent_hi < o->to_hi ? item->sent_hi : o->to_hi;
  if (lo < hi && ummgr_plan_add (plan, o->view, lo, hi, UMMGR_PLACE_DEVICE,
				 UMMGR_TRANSFER_EXPLICIT, reason))
    plan->decisions[plan->count - 1].copies = o->view->mark.copies;
}

/* What ITEM has to have on the device.  */
static void
plan_device (struct ummgr_ranked_item *item, struct ummgr_plan *plan,
	     enum ummgr_transfer transfer, const char *reason)
{
  struct ummgr_ranked_object *o = item->object;
  const size_t hi = o->to_hi < o->view->size ? o->to_hi : o->view->size;
  if (!ummgr_plan_add (plan, o->view, o->to_lo, hi, UMMGR_PLACE_DEVICE, transfer, reason))
    return;
  plan->decisions[plan->count - 1].copies = o->view->mark.copies = item->copies;
}

/* Managed memory that the host shares may have gone back there since: it is
   sent again before each region, which costs little where it has not.  */
static void
plan_item (struct ummgr_ranked *r, struct ummgr_ranked_item *item,
	   struct ummgr_plan *plan)
{
  struct ummgr_ranked_object *o = item->object;
  struct ummgr_object_view *view = o->view;
  if (!ummgr_object_movable (view))
    return;
  const char *reason = ummgr_ranked_why (r, item);
  bool explicit_transfer = item->transfer == UMMGR_TRANSFER_EXPLICIT;
  bool grows = o->to_hi > o->to_lo
    && (o->hi == o->lo || o->to_lo < o->lo || (o->to_hi > o->hi && o->hi < view->size));
  bool stays = o->to_hi > o->to_lo && !grows;
  if (grows || (stays && explicit_transfer
		&& (!o->sent || view->path == UMMGR_PATH_UNIFIED)))
    {
      plan_device (item, plan, item->transfer, reason);
      o->sent = explicit_transfer;
    }
  else if (stays && view->mark.copies != item->copies)
    plan_device (item, plan, UMMGR_TRANSFER_IMPLICIT, reason);
  else if (!stays && view->placed->place != UMMGR_PLACE_HOST && o->hi == o->lo)
    ummgr_plan_add (plan, view, 0, view->size, UMMGR_PLACE_HOST,
		    UMMGR_TRANSFER_EXPLICIT, reason);
  else if (r->explain && o->told != reason)
    ummgr_plan_add (plan, view, 0, 0, stays ? UMMGR_PLACE_DEVICE
		    : UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE, reason);
  if (!explicit_transfer && !o->sent)
    plan_sent (item, plan, reason);
  o->told = reason;
}

/* What makes room first.  */
static void
make_plan (struct ummgr_ranked *r, struct ummgr_plan *plan)
{
  for (size_t i = 0; i < r->victim_count; i++)
    plan_shrink (plan, r->victims[i],
		 ummgr_ranked_why_leaves (r, r->victims[i]));
  for (size_t i = 0; i < r->item_count; i++)
    if (r->items[i].object->hi > r->items[i].object->lo)
      plan_shrink (plan, r->items[i].object,
		   ummgr_ranked_why (r, &r->items[i]));
  for (size_t i = 0; i < r->item_count; i++)
    plan_item (r, &r->items[i], plan);
}

/* O is used in a turn of the loop at hand.  */
static void
note_turn (const struct ummgr_ranked *r, struct ummgr_ranked_object *o)
{
  const struct ummgr_region_view *in = r->in;
  double left = in && in->loop && in->loop_count ? in->loops[0].turns : 0;
  if (!left || o->turn_loop != in->loop || o->turn_left != left)
    {
      o->turn_before = left && o->turn_loop == in->loop && o->turn_left == left + 1 ? o->turn_sum : 0;
      o->turn_loop = left ? in->loop : 0;
      o->turn_left = left;
      o->turn_sum = 0;
    }
  o->turn_sum += o->weight;
}

/* The region has been decided: give all their ranks of now, the best item the
   most recent.  */
static void
finish (struct ummgr_ranked *r)
{
  for (size_t i = 0; i < r->victim_count; i++)
    {
      struct ummgr_ranked_object *o = r->victims[i];
      o->leaving = false;
      ummgr_ranked_unlist (r, o);
      ummgr_ranked_unsettle (r, o);
    }
  r->victim_count = 0;
  for (size_t i = 0; i < r->item_count; i++)
    {
      struct ummgr_ranked_object *o = r->items[i].object;
      if (!o->count++)
	o->first = r->now;
      o->used = true;
      o->uses++;
      o->last = r->now;
      if (r->in && r->in->loop && o->loop != r->in->loop)
	{
	  o->loop = r->in->loop;
	  o->loop_turns = r->in->loop_count ? r->in->loops[0].turns : 0;
	  o->loop_uses = 0;
	}
      o->loop_uses++;
      note_turn (r, o);
      o->node.rank = r->kind->forgets ? r->kind->unused : r->items[i].rank;
      o->node.rank.recency = r->clock + r->item_count - i;
      ummgr_ranked_unsettle (r, o);
    }
  r->clock += r->item_count;
}

void
ummgr_ranked_begin (void *state, const struct ummgr_region_view *region,
		    struct ummgr_object_view *const *objects, size_t count,
		    struct ummgr_plan *plan)
{
  struct ummgr_ranked *r = state;
  r->now = region->sequence;
  gather (r, region, objects, count);
  settle (r);
  forget_overdue (r);
  ummgr_ranked_choose (r);
  make_plan (r, plan);
  finish (r);
}

void
ummgr_ranked_unmap (void *state, struct ummgr_object_view *view)
{
  struct ummgr_ranked *r = state;
  struct ummgr_ranked_object *o = view->mark.record;
  if (!o)
    return;
  ummgr_ranked_unlist (r, o);
  LIST_REMOVE (o, all);
  r->resident -= ummgr_ranked_bytes (o);
  if (r->part == o)
    r->part = NULL;
  r->count--;
  view->mark.record = NULL;
  free (o);
}

/* Those that rank lowest leave until BYTES have; with --partial=on the last of them loses only
   what is needed.  */
static void
evict (struct ummgr_ranked *r, uint64_t bytes, struct ummgr_plan *plan,
       const char *reason)
{
  uint64_t left = 0;
  struct ummgr_rank_node *node;
  settle (r);
  forget_overdue (r);
  while (left < bytes && (node = ummgr_rank_worst (r->tree)))
    {
      struct ummgr_ranked_object *o = (struct ummgr_ranked_object *) node;
      ummgr_ranked_unlist (r, o);
      ummgr_ranked_unsettle (r, o);
      if (!ummgr_object_movable (o->view))
	continue;
      uint64_t stays = r->partial == UMMGR_PARTIAL_ON && left + o->node.bytes > bytes
	? (left + o->node.bytes - bytes) & -r->unit : 0;
      left += o->node.bytes - stays;
      ummgr_ranked_moved (r, o);
      plan_leave (plan, o, o->lo + stays, o->hi, reason);
    }
}

void
ummgr_ranked_pressure (void *state, size_t bytes, struct ummgr_plan *plan)
{
  evict (state, bytes, plan, "an allocation needs its room");
}

void
ummgr_ranked_budget (void *state, uint64_t budget, struct ummgr_plan *plan)
{
  struct ummgr_ranked *r = state;
  settle (r);
  r->budget = budget < INT64_MAX ? budget : INT64_MAX;
  if (r->resident > r->budget)
    evict (r, r->resident - r->budget, plan, "libgomp, or another process, needs its room");
}
