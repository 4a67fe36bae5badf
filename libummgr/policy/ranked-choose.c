/* What each object of a region is to have of the device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The steps of SC'19 3.2 to 3.4 for each item, best first: (1) what is there
   stays; (2) what fits comes; (3) what ranks below is collected, worst
   first, (4) and leaves if it makes enough room.  Candidates are the tree's
   and the items that come later: those before were granted theirs.  Owns no
   state of its own.

   SC'19 3.5 names what Belady's rule leaves out: objects differ in size, and
   moving one costs.  Where two are used in turn each is, right after its use,
   the one needed later; and a large one leaves for a small one that is needed
   one region sooner.  As a region that finds an object on the host reads it
   there, which takes about as long as bringing it, a replacement is worth it
   only if what comes is used often enough before what leaves is; or if, going by
   the uses seen since either moved, it would have paid for itself by now (rent
   or buy: at worst twice the best).  The latter decides alone where nobody knows
   when what comes is used again: with lru, which brings it, many objects used in
   turn push each other out.  What is placed on the device and has not come yet
   costs nothing to leave.  With --partial=paper all is as printed.  */

#include "config.h"
#include "policy/ranked.h"
#include "policy/policies.h"

#include <float.h>
#include <math.h>

/* Candidates that are not worth it by themselves, before the rest is not looked
   at: they rank higher, and are used sooner.  Else each of N objects that find no
   room would look at all N in each region.  */
#define PASSED_MOST 8

/* What leaves and needn't be copied out costs so much of a copy in spite of that, and all of it where its next use
   isn't known: of some that are used in turn, which are as good as each other, each would push out the next.  */
#define LEAVES_CLEAN 0.1

/* What has come as it was mapped, and no region has used yet, is used in so many regions, when nobody knows.  */
#define SOON 8

/* Bytes over the link that each of O's takes in a turn of the loop at hand, as in the last whole one; 0: not known.  */
static double
turn_takes (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o)
{
  const double left = r->in && r->in->loop_count ? r->in->loops[0].turns : 0;
  return !left || o->turn_loop != r->in->loop ? 0
    : o->turn_left == left ? o->turn_before
    : o->turn_left == left + 1 ? o->turn_sum : 0;
}

/* The rank below which others may leave for ITEM.  Equals don't, where that is
   known: they would push each other out for ever.  Where nothing is known the
   one that is used now is preferred, as in lru.  */
static struct ummgr_rank
below (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item)
{
  struct ummgr_rank limit = item->rank;
  bool known = r->kind->by_distance
    ? limit.distance < UMMGR_DISTANCE_UNKNOWN : limit.value >= 0;
  limit.recency = known ? 0 : UINT64_MAX;
  if (r->kind->keeps)
    limit = (struct ummgr_rank) { DBL_MAX, -INFINITY, 0 };
  return limit;
}

/* The same of what is asked at least: which of two comes sooner is no matter where a loop uses both in each turn
   (may_be_asked).  */
static struct ummgr_rank
limit_of (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item)
{
  struct ummgr_rank limit = below (r, item);
  if (turn_takes (r, item->object) > 0)
    limit.distance = r->now;
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
  if (bytes)
    ummgr_ranked_moved (r, o);
  if (o->to_hi == o->to_lo)
    {
      o->to_lo = o->to_hi = 0;
      if (r->part == o)
	r->part = NULL;
    }
  if (o->round == r->round)
    {
      /* Plain memory that loses some becomes managed (memory/storage.c), and so does what it gets back.  */
      struct ummgr_ranked_item *item = &r->items[o->item];
      if (item->want_hi >= o->view->size)
	item->want_hi = ummgr_ranked_managed_end (r, o->view);
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

/* What item I asks for: BYTES from others, to have GROWTH more.  */
struct request
{
  size_t i;
  const struct ummgr_rank *limit;
  uint64_t bytes;
  int64_t growth;		/* Below 0: a smaller range instead of what it has.  */
};

/* Bytes copied, or read from the host instead of the device.  */
struct balance
{
  double cost;
  double gain;			/* Before what leaves is used next.  */
  double regret;		/* What the past would have gained.  */
};

/* Uses in each region since O moved last.  */
static double
rate_of (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o)
{
  return (double) o->uses / (r->now - o->since + 1);
}

static const struct ummgr_rank *
rank_of (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o)
{
  return o->round == r->round ? &r->items[o->item].rank : &o->node.rank;
}

/* Regions until candidate O is used next, as far as anybody counts on it: what no construct maps any more would have
   been copied again; an item's rank is not that of its node yet.  Where a use did not come when it was expected, as
   often as before; nobody knows if it has not come since ASKS is used.  */
static double
left_of (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o,
	 const struct ummgr_ranked_object *asks)
{
  if (r->sends && o->view->over && o->round != r->round)
    return INFINITY;
  const struct ummgr_rank *rank = rank_of (r, o);
  return rank->distance < UMMGR_DISTANCE_UNKNOWN
    || rank->distance == INFINITY ? rank->distance - r->now
    : o->uses && o->last >= asks->since ? 1 / rate_of (r, o)
    : UMMGR_DISTANCE_UNKNOWN;
}

/* Uses of O since OTHER and it moved, or were used first, as far as its rate
   tells.  */
static double
uses_since (const struct ummgr_ranked *r, const struct ummgr_ranked_object *o,
	    const struct ummgr_ranked_object *other)
{
  uint64_t since = o->since > other->since ? o->since : other->since;
  return o->last < other->since ? 0
    : (double) (r->now - since) * rate_of (r, o);
}

/* Uses of ASKS, which is used in DISTANCE regions, before LEFT, which is later.
   After the next one they come no more often than so far, if there were any.  */
static double
uses_before (const struct ummgr_ranked *r,
	     const struct ummgr_ranked_object *asks, double distance,
	     double left)
{
  double uses = ceil (left / distance) - 1;
  if (!asks->count)
    return uses;
  double so_far = (double) asks->count / (double) (r->now - asks->first);
  double most = 1 + so_far * (left - distance);
  return uses < most ? uses : most;
}

/* Uses of ASKS after this one in the loops at hand that haven't used O yet: in each turn as many as there were, or one.
   Of a launch that is the second in the first of 4 turns, as its object's first use was: 2 in each of 3.  */
static double
uses_in_loop (const struct ummgr_ranked *r, const struct ummgr_ranked_object *asks, const struct ummgr_ranked_object *o)
{
  double turns = 1;
  for (unsigned i = 0; r->in && i < r->in->loop_count && o->loop < r->in->loops[i].number; i++)
    turns = r->in->loops[i].turns;
  if (!(turns > 1))
    return 0;
  bool before = asks->loop == r->in->loop;
  double over = before ? asks->loop_turns - r->in->loops[0].turns : 0, uses = before ? asks->loop_uses : 0;
  return (turns - 1) * fmax (1, (uses + 1) / (over + 1));
}

/* GIVES bytes of candidate O leave, and COMES bytes of the item come for them.
   What leaves is copied out if it ever came and is no plain copy that no region writes, nor dead, sooner or later in
   any case if it is not used again; and read from the host at its next use, and now, if the region at
   hand uses it, which costs no more than bringing it where it isn't there.  A use
   takes an object's weight in bytes for each of its own; what comes for the use at hand
   saves them but for the one that brings it, unless it overwrites all of it.  So of two used equally often the one
   with more accesses a byte has the device: SC'19 3.4, step 3, 2.  What
   the host uses in between goes there in any case, and saves nothing by being on
   the device.  Where both are used in each turn of the loop at hand, all that its other
   turns take is weighed, each as the last whole one: nobody waits until as much is lost.  Of what was not used yet in
   that loop, and nobody knows when it will be, its turns come before that.  */
static void
balance_add (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item,
	     const struct ummgr_ranked_object *o, double gives, double comes,
	     struct balance *balance)
{
  const struct ummgr_ranked_object *asks = item->object;
  double distance = item->rank.distance - r->now, left = left_of (r, o, asks);
  bool runs = o->round == r->round, there = o->uses || o->came;
  bool guessed = rank_of (r, o)->distance == UMMGR_DISTANCE_UNKNOWN && left < INFINITY;
  double in_loop = guessed ? uses_in_loop (r, asks, o) : 0;
  bool known = left < UMMGR_DISTANCE_UNKNOWN, clean = !o->written && o->view->path == UMMGR_PATH_MAPPED;
  if (!o->used && !runs)
    {
      /* What came as it was mapped will be used soon.  */
      balance->cost += o->came * (distance > SOON) * gives;
      return;
    }
  gives *= o->kept;
  comes *= asks->kept;
  double goes = o->dead ? 0 : known && clean ? LEAVES_CLEAN : 1;
  balance->cost += (runs * o->weight + (left < INFINITY) * goes) * there * gives;
  const double ours = turn_takes (r, asks), theirs = turn_takes (r, o);
  if (ours > 0 && theirs > 0)
    {
      const double turns = r->in->loops[0].turns - 1;
      balance->cost += turns * theirs * gives;
      balance->gain += (asks->weight - !item->fresh + turns * ours) * comes;
    }
  else if (known || in_loop > 0)
    {
      double uses = in_loop > 0 ? in_loop : left > distance ? uses_before (r, asks, distance, left) : 0;
      balance->cost += o->weight * gives;
      balance->gain += ((1 + uses) * asks->weight - !item->fresh) * comes;
    }
  balance->regret += uses_since (r, asks, o) * asks->weight * comes
    - uses_since (r, o, asks) * o->weight * gives;
}

static bool
is_worth (const struct balance *balance)
{
  return balance->gain >= balance->cost || balance->regret >= balance->cost;
}

/* Does it matter what a replacement costs?  */
static bool
is_weighed (const struct ummgr_ranked *r)
{
  return r->kind->by_distance && r->partial != UMMGR_PARTIAL_PAPER;
}

/* Would O be worth its place by itself?  */
static bool
may_be_asked (const struct ummgr_ranked *r, const struct request *request,
	      const struct ummgr_ranked_object *o)
{
  struct balance balance = { 0, 0, 0 };
  double gives = ummgr_ranked_bytes (o), most = request->bytes;
  if (!is_weighed (r))
    return true;
  const struct ummgr_ranked_item *item = &r->items[request->i];
  if (turn_takes (r, item->object) > 0 && !(turn_takes (r, o) > 0) && o->round != r->round)
    {
      const struct ummgr_rank limit = below (r, item);
      if (!ummgr_rank_worse (&o->node.rank, &limit))
	return false;
    }
  if (r->partial == UMMGR_PARTIAL_ON && gives > most)
    gives = most;
  balance_add (r, &r->items[request->i], o, gives,
	       request->growth * (gives > most ? 1 : gives / most), &balance);
  return is_worth (&balance);
}

/* The bytes of the C-th of the N candidates that leave if REQUEST is granted,
   which they offer GOT for.  */
static uint64_t
gives_of (const struct ummgr_ranked *r, const struct request *request,
	  size_t c, size_t n, uint64_t got)
{
  uint64_t gives = ummgr_ranked_bytes (r->candidates[c]);
  if (r->partial == UMMGR_PARTIAL_ON && c == n - 1)
    gives -= (got - request->bytes) & -r->unit;
  return gives;
}

/* And all N, who offer GOT?  */
static bool
may_commit (const struct ummgr_ranked *r, const struct request *request,
	    size_t n, uint64_t got)
{
  struct balance balance = { 0, 0, 0 };
  uint64_t sum = 0;
  if (!is_weighed (r))
    return true;
  for (size_t c = 0; c < n; c++)
    sum += gives_of (r, request, c, n, got);
  for (size_t c = 0; c < n; c++)
    {
      double gives = gives_of (r, request, c, n, got);
      balance_add (r, &r->items[request->i], r->candidates[c], gives,
		   request->growth * (gives / sum), &balance);
    }
  return is_worth (&balance);
}

/* Candidates FROM to TO go back where they came from.  */
static void
put_back (struct ummgr_ranked *r, size_t from, size_t to)
{
  for (size_t c = from; c < to; c++)
    {
      struct ummgr_ranked_object *o = r->candidates[c];
      if (o->round == r->round)
	continue;
      ummgr_rank_insert (&r->tree, &o->node);
      o->listed = true;
    }
}

/* Collect what REQUEST may take from those that rank lowest, until that is
   enough.  Returns how many candidates there are; they offer *GOT_P.  What is
   passed over is at the array's end, from *PASSED_P on.  */
static size_t
collect (struct ummgr_ranked *r, const struct request *request,
	 uint64_t *got_p, size_t *passed_p)
{
  size_t n = 0, passed = r->capacity, tail = r->tail;
  uint64_t got = 0;
  while (got < request->bytes)
    {
      struct ummgr_ranked_object *o = worst_listed (r, request->limit);
      struct ummgr_ranked_item *item = worst_item (r, request->i, &tail);
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
      if (may_be_asked (r, request, o))
	{
	  got += ummgr_ranked_bytes (o);
	  r->candidates[n++] = o;
	}
      else
	r->candidates[--passed] = o;
      if (r->capacity - passed == PASSED_MOST)
	break;
    }
  *got_p = got;
  *passed_p = passed;
  return n;
}

enum outcome
{
  DONE,
  TOO_LITTLE,
  NOT_WORTH
};

/* Steps 3 and 4: collect candidates, and have them leave if that is enough, and
   worth it.  With --partial=on the last of them loses only what is needed.  */
static enum outcome
replace (struct ummgr_ranked *r, const struct request *request)
{
  size_t passed;
  uint64_t got;
  size_t n = collect (r, request, &got, &passed);
  bool any_passed = passed < r->capacity;
  put_back (r, passed, r->capacity);
  if (got < request->bytes || !may_commit (r, request, n, got))
    {
      put_back (r, 0, n);
      return got < request->bytes && !any_passed ? TOO_LITTLE : NOT_WORTH;
    }
  for (size_t c = 0; c < n; c++)
    cut (r, r->candidates[c], gives_of (r, request, c, n, got));
  while (r->tail > request->i + 1
	 && !ummgr_ranked_bytes (r->items[r->tail - 1].object))
    r->tail--;
  return DONE;
}

/* Make BYTES of room for item I to have GROWTH more, or change nothing.  */
static bool
make_room (struct ummgr_ranked *r, size_t i, const struct ummgr_rank *limit,
	   int64_t bytes, int64_t growth)
{
  if (bytes <= 0)
    return true;
  struct request request = { i, limit, bytes, growth };
  enum outcome outcome = TOO_LITTLE;
  /* Each time it fails, something that can't leave was taken off the tree. */
  while (outcome == TOO_LITTLE
	 && (int64_t) ummgr_rank_sum (r->tree, limit) + r->own_left >= bytes)
    outcome = replace (r, &request);
  return outcome == DONE;
}

/* O gives up [LO, HI) for another range.  */
static void
lose_range (struct ummgr_ranked_object *o, size_t lo, size_t hi)
{
  bool first = o->lost_lo == o->lost_hi;
  o->lost_lo = first || lo < o->lost_lo ? lo : o->lost_lo;
  o->lost_hi = first || hi > o->lost_hi ? hi : o->lost_hi;
}

static void
grant (struct ummgr_ranked *r, struct ummgr_ranked_object *o, size_t lo,
       size_t hi)
{
  if (o->to_hi > o->to_lo && o->to_lo < lo)
    lose_range (o, o->to_lo, o->to_hi < lo ? o->to_hi : lo);
  if (o->to_hi > o->to_lo && o->to_hi > hi)
    lose_range (o, o->to_lo > hi ? o->to_lo : hi, o->to_hi);
  if (hi - lo != ummgr_ranked_bytes (o))
    ummgr_ranked_moved (r, o);
  r->resident += (int64_t) (hi - lo) - (int64_t) ummgr_ranked_bytes (o);
  o->to_lo = lo;
  o->to_hi = hi;
  if (r->part == o && hi - lo >= o->view->size)
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

/* Room for more of item I's object, which overlaps with what it has or doesn't:
   what is free and what others give, if that is worth it, else what is free.
   0 if there is none; then nothing has changed.  */
static int64_t
part_size (struct ummgr_ranked *r, size_t i, const struct ummgr_rank *limit,
	   bool overlaps)
{
  struct ummgr_ranked_item *item = &r->items[i];
  int64_t has = ummgr_ranked_bytes (item->object);
  int64_t room = r->budget - r->resident + has;
  int64_t least = overlaps ? has : 0, wants = item->want_hi - item->want_lo;
  /* Where it fails, something that can't leave was counted, once; or it isn't
     worth it, nor would it be if so much was asked for again.  Nor if there is as much as it wants: that was asked for
     before.  */
  int64_t failed = 0;
  for (int tries = 0; tries < 3; tries++)
    {
      int64_t size = room + (int64_t) ummgr_rank_sum (r->tree, limit) + r->own_left;
      if (size >= wants)
	break;
      size &= -r->unit;
      if (size <= least)
	return 0;
      if (size == failed)
	break;
      if (make_room (r, i, limit, size - room, size - has))
	return size;
      failed = size;
    }
  room &= -r->unit;
  return room > least ? room : 0;
}

/* Give item I as much of what it wants as its rank allows.  What it has of
   that stays in place.  */
static void
grant_part (struct ummgr_ranked *r, size_t i, const struct ummgr_rank *limit)
{
  struct ummgr_ranked_item *item = &r->items[i];
  struct ummgr_ranked_object *o = item->object;
  bool overlaps = o->to_lo < item->want_hi && item->want_lo < o->to_hi;
  if (!may_have_part (r, item, limit))
    return;
  int64_t size = part_size (r, i, limit, overlaps);
  if (!size)
    return;
  size_t lo = overlaps && o->to_lo > item->want_lo ? o->to_lo : item->want_lo;
  size_t hi = item->want_hi - lo < (uint64_t) size
    ? item->want_hi : lo + size;
  if (hi - lo < (uint64_t) size)
    lo = hi - item->want_lo < (uint64_t) size ? item->want_lo : hi - size;
  grant (r, o, (lo + r->unit - 1) & -r->unit, hi);
  if (r->partial == UMMGR_PARTIAL_PAPER)
    r->part = o;
}

/* The item wants [LO, HI) instead of what its object has, and there isn't room for both: what it
   has would be copied out, for a range that may be used once.  So that is used over the link
   first, until what that has cost would have paid for the exchange: at worst both are paid
   once.  */
static bool
keeps_range (const struct ummgr_ranked *r, const struct ummgr_ranked_item *item, size_t lo,
	     size_t hi)
{
  struct ummgr_ranked_object *o = item->object;
  size_t common_lo = o->to_lo > lo ? o->to_lo : lo, common_hi = o->to_hi < hi ? o->to_hi : hi;
  size_t common = common_lo < common_hi ? common_hi - common_lo : 0;
  double lost = (double) (ummgr_ranked_bytes (o) - common), comes = (double) (hi - lo - common);
  if (!is_weighed (r) || r->partial != UMMGR_PARTIAL_ON || !o->uses || lost <= 0)
    return false;
  o->missed += o->weight * comes;
  if (o->missed < lost + comes)
    return true;
  o->missed = 0;
  return false;
}

static void
choose_item (struct ummgr_ranked *r, size_t i)
{
  struct ummgr_ranked_item *item = &r->items[i];
  struct ummgr_ranked_object *o = item->object;
  int64_t has = ummgr_ranked_bytes (o);
  if (item->away || !ummgr_object_movable (o->view))
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
  if (has && keeps_range (r, item, lo, hi))
    return;
  struct ummgr_rank limit = limit_of (r, item);
  if (make_room (r, i, &limit, (int64_t) (hi - lo) - room,
		 (int64_t) (hi - lo) - has))
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
