/* Policy `lru`: the most recently used objects on the device, the others in
   host memory; whole objects, but for one part with --partial.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   State, for each device: a list of the objects that take its memory, newest
   first, and what they take.  MARK of an object: last_use is the time of its
   last use (0: none), score the bytes it is charged with.

   Before a region its objects, most recently used first, are given the
   device; each that doesn't fit beside those before it stays on the host, so
   that the objects of one region never push each other out.  For what is
   given, the least recently used of the other objects leave, no more than
   needed.  Time grows with the region's objects and with what leaves, not
   with the number of objects.  Moves nothing.  */

#include "config.h"
#include "policy/policies.h"
#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

#define FAULT_SIZE ((int64_t) 64 << 10)

struct candidate
{
  struct ummgr_object_view *object;
  uint64_t last_use;		/* Before this region; no two are equal.  */
  uint64_t target;		/* Bytes it is to have on the device.  */
};

struct lru
{
  int64_t budget;
  bool partial;
  int64_t unit;			/* Parts end at a multiple of it.  */
  enum ummgr_transfer transfer;
  uint64_t clock;
  int64_t resident;		/* Charged to all objects,  */
  int64_t listed;		/* and to those on the list.  */
  struct ummgr_object_view *newest, *oldest;
  struct candidate *candidates;	/* Scratch of on_region_begin.  */
  size_t capacity;
};

/* A charged object is on the list unless it was met while pinned, or the
   region at hand uses it.  Being alone on the list leaves both links NULL.  */
static bool
is_listed (const struct lru *lru, const struct ummgr_object_view *object)
{
  return object->mark.prev || object->mark.next || lru->newest == object;
}

static void
list_remove (struct lru *lru, struct ummgr_object_view *object)
{
  struct ummgr_object_mark *mark = &object->mark;
  if (!is_listed (lru, object))
    return;
  *(mark->prev ? &mark->prev->mark.next : &lru->newest) = mark->next;
  *(mark->next ? &mark->next->mark.prev : &lru->oldest) = mark->prev;
  mark->prev = mark->next = NULL;
  lru->listed -= mark->score;
}

static void
list_push (struct lru *lru, struct ummgr_object_view *object)
{
  object->mark.next = lru->newest;
  *(lru->newest ? &lru->newest->mark.prev : &lru->oldest) = object;
  lru->newest = object;
  lru->listed += object->mark.score;
}

/* OBJECT, not on the list, now takes BYTES.  */
static void
charge (struct lru *lru, struct ummgr_object_view *object, uint64_t bytes)
{
  lru->resident += (int64_t) bytes - (int64_t) object->mark.score;
  object->mark.score = bytes;
}

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  struct lru *lru = state;
  lru->budget = config->budget < INT64_MAX ? config->budget : INT64_MAX;
  lru->unit = config->unit ? config->unit : FAULT_SIZE;
  lru->partial = config->partial == UMMGR_PARTIAL_ON
    || config->partial == UMMGR_PARTIAL_PAPER;
  /* SC'19: "LRU transfers data explicitly"; hybrid has no density to go by
     here, and means the same.  */
  lru->transfer = config->transfer && strcmp (config->transfer, "implicit") == 0
    ? UMMGR_TRANSFER_IMPLICIT : UMMGR_TRANSFER_EXPLICIT;
  return UMMGR_OK;
}

static void
fini (void *state)
{
  struct lru *lru = state;
  free (lru->candidates);
}

static void
on_map (void *state, struct ummgr_object_view *object,
	struct ummgr_plan *plan)
{
  struct lru *lru = state;
  memset (&object->mark, 0, sizeof object->mark);
  object->mark.last_use = ++lru->clock;
  /* A new object takes what is free; it pushes nothing out before a region
     asks for it.  */
  if (lru->budget - lru->resident < (int64_t) object->size)
    ummgr_plan_add (plan, object, 0, object->size, UMMGR_PLACE_HOST,
		    UMMGR_TRANSFER_NONE, "no room before it is used");
  else if (ummgr_plan_add (plan, object, 0, object->size, UMMGR_PLACE_DEVICE,
			   lru->transfer, "there is room"))
    {
      charge (lru, object, object->size);
      list_push (lru, object);
    }
}

static int
more_recent (const void *a, const void *b)
{
  const struct candidate *x = a, *y = b;
  return x->last_use > y->last_use ? -1 : x->last_use < y->last_use;
}

/* Gather the region's objects, each once, most recently used first, take
   them off the list and mark them used.  They keep their order among
   themselves, so that a region that is repeated finds what it left.  Return
   how many there are.  */
static size_t
gather (struct lru *lru, struct ummgr_object_view *const *objects,
	size_t count)
{
  if (!UMMGR_GROW (lru->candidates, lru->capacity, count))
    return 0;
  uint64_t past = lru->clock;
  size_t n = 0;
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_object_view *object = objects[i];
      if (object->mark.last_use > past)
	continue;		/* Given twice.  */
      lru->candidates[n++]
	= (struct candidate) { object, object->mark.last_use, 0 };
      list_remove (lru, object);
      object->mark.last_use = past + 1;
      /* What was planned may have failed: go by what is.  */
      charge (lru, object, object->placed->place == UMMGR_PLACE_DEVICE
	      ? object->placed->hi : 0);
    }
  if (n > 1)
    qsort (lru->candidates, n, sizeof *lru->candidates, more_recent);
  for (size_t i = 0; i < n; i++)
    lru->candidates[i].object->mark.last_use = past + n - i;
  lru->clock = past + n;
  return n;
}

/* Go from VICTIM towards newer objects, to the first that may leave.  Those
   that are pinned are taken off the list on the way, so that they are met
   only once.  */
static struct ummgr_object_view *
next_victim (struct lru *lru, struct ummgr_object_view *victim)
{
  while (victim && !ummgr_object_movable (victim))
    {
      struct ummgr_object_view *newer = victim->mark.prev;
      if (victim->pinned)
	list_remove (lru, victim);
      victim = newer;
    }
  return victim;
}

/* Objects that could leave, oldest first: those from NEXT on have not been
   counted yet.  */
struct victims
{
  struct ummgr_object_view *next;
  int64_t listed;		/* All of theirs, or somewhat more.  */
  int64_t counted;		/* Bytes of those before NEXT.  */
};

/* Count more victims until they and ROOM make WANT, if they can.  */
static void
count_victims (struct lru *lru, struct victims *v, int64_t room, int64_t want)
{
  while (room + v->counted < want && v->next)
    {
      v->counted += v->next->mark.score;
      v->listed -= v->next->mark.score;
      v->next = next_victim (lru, v->next->mark.prev);
    }
}

/* Fill the candidates' targets.  Return the bytes that other objects must
   give up for them.  */
static int64_t
choose (struct lru *lru, size_t n)
{
  int64_t room = lru->budget - lru->resident;
  bool parted = !lru->partial;
  for (size_t i = 0; i < n; i++)
    if (ummgr_object_movable (lru->candidates[i].object))
      room += lru->candidates[i].object->mark.score;

  struct victims v = { next_victim (lru, lru->oldest), lru->listed, 0 };
  for (size_t i = 0; i < n; i++)
    {
      struct candidate *c = &lru->candidates[i];
      struct victims before = v;
      int64_t want = c->object->size;
      c->target = c->object->mark.score;
      if (!ummgr_object_movable (c->object))
	continue;
      if (room + v.counted + v.listed >= want || !parted)
	count_victims (lru, &v, room, want);
      if (room + v.counted < want)
	{
	  want = parted || room + v.counted < 0
	    ? 0 : (room + v.counted) & -lru->unit;
	  parted |= want > 0;
	  v = before;
	  if (want)
	    count_victims (lru, &v, room, want);
	}
      c->target = want;
      room -= want;
    }
  return v.counted;
}

/* The least recently used objects leave until LEAVE bytes have.  */
static void
evict (struct lru *lru, int64_t leave, struct ummgr_plan *plan,
       const char *reason)
{
  struct ummgr_object_view *victim = next_victim (lru, lru->oldest);
  while (leave > 0 && victim)
    {
      struct ummgr_object_view *newer = victim->mark.prev;
      if (!ummgr_plan_add (plan, victim, 0, victim->mark.score,
			   UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT, reason))
	return;
      leave -= victim->mark.score;
      list_remove (lru, victim);
      charge (lru, victim, 0);
      victim = next_victim (lru, newer);
    }
}

/* What candidate C has beyond its target leaves; what has no place yet and
   gets none on the device is put on the host.  */
static void
shrink (struct lru *lru, const struct candidate *c, struct ummgr_plan *plan)
{
  struct ummgr_object_view *object = c->object;
  size_t has = object->placed->place == UMMGR_PLACE_HOST
    || object->placed->place == UMMGR_PLACE_DEVICE ? object->mark.score : object->size;
  if (has > c->target && ummgr_object_movable (object)
      && ummgr_plan_add (plan, object, c->target, has, UMMGR_PLACE_HOST,
			 UMMGR_TRANSFER_EXPLICIT,
			 "does not fit beside more recent ones")
      && object->mark.score > c->target)
    charge (lru, object, c->target);
}

/* Managed memory that the host shares may have gone back there since, or never
   have come: it is sent before each region, which costs little where it is
   there.  */
static bool
is_sent (const struct lru *lru, const struct candidate *c)
{
  return c->target > c->object->mark.score
    || (c->target && c->object->path == UMMGR_PATH_UNIFIED
	&& lru->transfer == UMMGR_TRANSFER_EXPLICIT
	&& ummgr_object_movable (c->object));
}

static void
on_region_begin (void *state, const struct ummgr_region_view *region,
		 struct ummgr_object_view *const *objects, size_t count,
		 struct ummgr_plan *plan)
{
  struct lru *lru = state;
  size_t n = gather (lru, objects, count);
  int64_t leave = choose (lru, n);
  for (size_t i = 0; i < n; i++)
    shrink (lru, &lru->candidates[i], plan);
  evict (lru, leave, plan, "least recently used");
  for (size_t i = 0; i < n; i++)
    {
      const struct candidate *c = &lru->candidates[i];
      if (is_sent (lru, c)
	  && ummgr_plan_add (plan, c->object, 0, c->target,
			     UMMGR_PLACE_DEVICE, lru->transfer,
			     c->target < c->object->size
			     ? "used by the region, a part fits"
			     : "used by the region"))
	charge (lru, c->object, c->target);
    }
  /* The first of them shall be the newest.  */
  for (size_t i = n; i-- > 0;)
    if (lru->candidates[i].object->mark.score)
      list_push (lru, lru->candidates[i].object);
}

static void
on_unmap (void *state, struct ummgr_object_view *object)
{
  struct lru *lru = state;
  list_remove (lru, object);
  charge (lru, object, 0);
}

static void
on_pressure (void *state, size_t bytes, struct ummgr_plan *plan)
{
  struct lru *lru = state;
  evict (lru, bytes < INT64_MAX ? bytes : INT64_MAX, plan,
	 "an allocation needs its room");
}

static void
on_budget (void *state, uint64_t budget, struct ummgr_plan *plan)
{
  struct lru *lru = state;
  lru->budget = budget < INT64_MAX ? budget : INT64_MAX;
  evict (lru, lru->resident - lru->budget, plan, "libgomp, or another process, needs its room");
}

const struct ummgr_policy_ops ummgr_policy_lru = {
  .name = "lru",
  .description = "the most recently used objects on the device",
  .source = "SC'19 section 5.2, LRU; partial mapping: section 3.4",
  .state_size = sizeof (struct lru),
  .init = init,
  .fini = fini,
  .on_map = on_map,
  .on_region_begin = on_region_begin,
  .on_unmap = on_unmap,
  .on_pressure = on_pressure,
  .on_budget = on_budget
};
