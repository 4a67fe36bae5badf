/* Replacement by what the compiler knows: the unit whose next use is farthest.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A driver of today's GPUs sees faults, and hits never; a table tells what the
   running region uses and in which order, and after how many regions each range
   is used again.  Together they are a forecast of each unit's next use, to which
   Belady's rule is applied: the farthest leaves.

   Time is counted in regions.  PROGRESS is how much of the running region is
   over, as far as its faults tell.  Of a range that the region sweeps once, what
   the sweep has passed is used again NEXT regions later at the same place of
   that sweep, so that what was passed last is farthest; what lies ahead comes in
   this region.  Of one that is swept again and again, the same holds for a
   sweep's time.  Of a range that the region does not use, the end is farthest.

   Units that no table has spoken of are left to HPE's chain (without its hit
   records), which also serves where no candidate is known.

   Threads of many teams are in flight, and the last fault is not the end of what
   they use: what came a short while ago must stay, or it comes back at once
   (instant thrashing; HPE keeps what came in the last two intervals, section
   IV-D).  How short follows from what happens: units that come back soon after
   they were evicted make the time longer, their absence makes it shorter again.
   Each fault that it is too long costs about one more in a sweep.

   A forecast may be wrong altogether: hot pages whose hits nobody sees, look-ups
   in no order.  Where a quarter of an interval's faults are for what was evicted
   just before, the chain decides for some intervals, longer each time.

   Owns nothing but its instances.  Ranges are few, and a victim costs a look at
   each and a search in the map of what is resident, O(log units).  */

#include "config.h"
#include "paging/map.h"
#include "paging/params.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum
{
  AREAS = 64,			/* Ranges that are followed.  */
  NO_AREA = 255,
  TRIES = 256			/* Units that are too young, passed over.  */
};

/* What is assumed of a range whose next use is not known.  */
#define NEXT_UNKNOWN 2.0

struct area
{
  uint32_t lo, hi;
  uint32_t resident;		/* Of those units that are its own.  */
  uint64_t region;		/* That used it last.  */
  double next;			/* Regions from that to the next use.  */
  double sweeps;
  bool down, random;
  bool faulted;			/* In the running region: POSITION holds.  */
  uint32_t position;		/* Of the last fault.  */
};

struct ummgr_paging
{
  struct ummgr_paging *chain;	/* HPE's.  */
  struct ummgr_hint_params params;
  uint32_t units;
  uint8_t *area_of;		/* Each unit's area.  */
  uint32_t *born;		/* The fault that brought it; of one that is
				   not there, the fault that took it.  */
  struct unit_map resident;
  struct area area[AREAS];
  unsigned areas;
  uint32_t strangers;		/* Resident units of no area.  */
  uint64_t region;		/* Regions begun.  */
  double progress;
  uint32_t faults;
  uint32_t young;		/* Faults that a unit stays after its own.  */
  uint32_t wrong;		/* Came back soon, in this interval.  */
  uint32_t distrust;		/* Intervals in which the chain decides.  */
  uint32_t penalty;		/* How many it would be the next time.  */
};

static const struct ummgr_paging_ops *const chain_ops
  = &ummgr_paging_hpe_nohits;

struct ummgr_hint_params
ummgr_hint_defaults (void)
{
  struct ummgr_hpe_params hpe = ummgr_hpe_defaults ();
  return (struct ummgr_hint_params) {
    .young_least = 8, .young_most = 4 * hpe.interval,
    .interval = hpe.interval, .wrong_most = 4, .penalty_least = 16,
    .penalty_most = 1024
  };
}

/* --- instances ------------------------------------------------------------- */

static void
hint_destroy (struct ummgr_paging *p)
{
  if (p->chain)
    chain_ops->destroy (p->chain);
  unit_map_free (&p->resident);
  free (p->area_of);
  free (p->born);
  free (p);
}

static bool
hint_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units)
    return true;
  uint8_t *area_of = realloc (p->area_of, units);
  if (area_of)
    p->area_of = area_of;
  uint32_t *born = realloc (p->born, units * sizeof *born);
  if (born)
    p->born = born;
  if (!area_of || !born || !unit_map_grow (&p->resident, units)
      || !chain_ops->grow (p->chain, units))
    return false;
  memset (area_of + p->units, NO_AREA, units - p->units);
  memset (born + p->units, 0, (units - p->units) * sizeof *born);
  p->units = units;
  return true;
}

struct ummgr_paging *
ummgr_paging_hint_create (uint32_t units,
			  const struct ummgr_hint_params *params)
{
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->params = *params;
  p->young = params->young_least;
  p->penalty = params->penalty_least;
  p->chain = chain_ops->create (units);
  if (!p->chain || !hint_grow (p, units))
    {
      hint_destroy (p);
      return NULL;
    }
  return p;
}

static struct ummgr_paging *
hint_create (uint32_t units)
{
  struct ummgr_hint_params params = ummgr_hint_defaults ();
  return ummgr_paging_hint_create (units, &params);
}

/* --- what comes and goes --------------------------------------------------- */

static struct area *
area_at (struct ummgr_paging *p, uint32_t unit)
{
  return p->area_of[unit] == NO_AREA ? NULL : &p->area[p->area_of[unit]];
}

static bool
active (const struct ummgr_paging *p, const struct area *a)
{
  return a->region == p->region;
}

/* How far UNIT is in the order in which A is swept, from 0 to 1.  */
static double
place (const struct area *a, uint32_t unit)
{
  double part = (unit - a->lo + 0.5) / (a->hi - a->lo);
  return a->down ? 1 - part : part;
}

static void
count_resident (struct ummgr_paging *p, uint32_t unit, int change)
{
  struct area *a = area_at (p, unit);
  if (a)
    a->resident += change;
  else
    p->strangers += change;
}

static void
arrive (struct ummgr_paging *p, uint32_t unit)
{
  if (unit_map_add (&p->resident, unit))
    count_resident (p, unit, 1);
  p->born[unit] = p->faults;
}

/* UNIT came by a fault: was it evicted too early?  */
static void
learn (struct ummgr_paging *p, uint32_t unit)
{
  const struct ummgr_hint_params *k = &p->params;
  if (!unit_map_has (&p->resident, unit) && p->born[unit]
      && p->faults - p->born[unit] < k->interval)
    p->wrong++;
  if (!k->interval || ++p->faults % k->interval)
    return;
  if (p->distrust)
    p->distrust--;
  else if (p->wrong >= k->interval / 4 && p->young == k->young_most)
    {
      p->distrust = p->penalty;
      p->penalty = 2 * p->penalty < k->penalty_most ? 2 * p->penalty
		   : k->penalty_most;
    }
  else if (!p->wrong && p->penalty > k->penalty_least)
    p->penalty--;
  if (p->wrong > k->wrong_most)
    p->young = 2 * p->young < k->young_most ? 2 * p->young : k->young_most;
  else if (!p->wrong)
    p->young = p->young / 2 > k->young_least ? p->young / 2 : k->young_least;
  p->wrong = 0;
}

static void
hint_insert (struct ummgr_paging *p, uint32_t unit)
{
  learn (p, unit);
  arrive (p, unit);
  chain_ops->insert (p->chain, unit);
  struct area *a = area_at (p, unit);
  if (!a || !active (p, a))
    return;
  a->faulted = true;
  a->position = unit;
  if (!a->random && a->sweeps < 2 && place (a, unit) > p->progress)
    p->progress = place (a, unit);
}

static void
hint_prefetch (struct ummgr_paging *p, uint32_t unit)
{
  arrive (p, unit);
  ummgr_paging_prefetched (chain_ops, p->chain, unit);
}

static void
hint_remove (struct ummgr_paging *p, uint32_t unit)
{
  if (unit_map_remove (&p->resident, unit))
    {
      count_resident (p, unit, -1);
      p->born[unit] = p->faults;
    }
  chain_ops->remove (p->chain, unit);
}

static void
hint_forget (struct ummgr_paging *p, uint32_t unit)
{
  p->area_of[unit] = NO_AREA;
  p->born[unit] = 0;
  chain_ops->forget (p->chain, unit);
}

/* --- regions --------------------------------------------------------------- */

/* The area of that range: known, new, or in place of one without units.  */
static unsigned
find_area (struct ummgr_paging *p, const struct ummgr_paging_use *u)
{
  unsigned empty = NO_AREA;
  for (unsigned i = 0; i < p->areas; i++)
    if (p->area[i].lo == u->lo && p->area[i].hi == u->hi)
      return i;
    else if (!p->area[i].resident && !active (p, &p->area[i]))
      empty = i;
  if (p->areas < AREAS)
    return p->areas++;
  return empty;
}

/* Units [LO, HI) belong to area I.  */
static void
take_units (struct ummgr_paging *p, unsigned i, uint32_t lo, uint32_t hi)
{
  if (p->area_of[lo] == i && p->area_of[hi - 1] == i
      && p->area_of[lo + (hi - lo) / 2] == i)
    return;
  for (uint32_t u = lo; u < hi; u++)
    if (p->area_of[u] != i)
      {
	bool there = unit_map_has (&p->resident, u);
	if (there)
	  count_resident (p, u, -1);
	p->area_of[u] = i;
	if (there)
	  count_resident (p, u, 1);
      }
}

static void
hint_region (struct ummgr_paging *p, const struct ummgr_paging_use *uses,
	     size_t count)
{
  p->region++;
  p->progress = 0;
  for (size_t n = 0; n < count; n++)
    {
      struct ummgr_paging_use u = uses[n];
      if (u.hi > p->units)
	u.hi = p->units;
      if (u.lo >= u.hi)
	continue;
      unsigned i = find_area (p, &u);
      if (i == NO_AREA)
	continue;
      uint32_t resident
	= p->area[i].lo == u.lo && p->area[i].hi == u.hi ? p->area[i].resident
	  : 0;
      p->area[i] = (struct area) {
	.lo = u.lo, .hi = u.hi, .resident = resident, .region = p->region,
	.next = u.next_use < 0 || isnan (u.next_use) ? NEXT_UNKNOWN
		: u.next_use < 1 ? 1 : u.next_use,
	.sweeps = u.sweeps, .down = u.down, .random = u.random
      };
      take_units (p, i, u.lo, u.hi);
    }
}

/* --- victims --------------------------------------------------------------- */

struct candidate
{
  uint32_t unit;
  double time;			/* Of its next use, in regions from now.  */
};

struct chooser
{
  struct ummgr_paging *p;
  bool (*pinned) (void *data, uint32_t unit);
  void *data;
};

static bool
allowed (const struct chooser *c, unsigned area, uint32_t unit)
{
  const struct ummgr_paging *p = c->p;
  return p->area_of[unit] == area
	 && p->faults - p->born[unit] >= p->young
	 && !(c->pinned && c->pinned (c->data, unit));
}

/* The resident unit of AREA nearest to FROM, up (or down), before END, that may
   leave; NONE.  */
static uint32_t
nearest (const struct chooser *c, unsigned area, uint32_t from, uint32_t end,
	 bool up)
{
  for (int i = 0; i < TRIES; i++)
    {
      from = up ? unit_map_next (&c->p->resident, from, end)
	     : unit_map_previous (&c->p->resident, from, end);
      if (from == UMMGR_PAGING_NONE || allowed (c, area, from))
	return from;
      if (up ? ++from >= end : from-- <= end)
	return UMMGR_PAGING_NONE;
    }
  return UMMGR_PAGING_NONE;
}

/* The unit that the sweep reaches last, of those past (or before) POSITION.  */
static uint32_t
last_passed (const struct chooser *c, unsigned area, uint32_t position)
{
  const struct area *a = &c->p->area[area];
  return a->down ? nearest (c, area, position, a->hi, true)
	 : nearest (c, area, position, a->lo, false);
}

static uint32_t
last_of_all (const struct chooser *c, unsigned area)
{
  const struct area *a = &c->p->area[area];
  return a->down ? nearest (c, area, a->lo, a->hi, true)
	 : nearest (c, area, a->hi - 1, a->lo, false);
}

/* Where the sweep of A is: at its last fault, or where the other ranges say.  */
static uint32_t
position_of (const struct ummgr_paging *p, const struct area *a)
{
  if (a->faulted)
    return a->position;
  uint32_t passed = p->progress * (a->hi - a->lo);
  if (passed >= a->hi - a->lo)
    passed = a->hi - a->lo - 1;
  return a->down ? a->hi - 1 - passed : a->lo + passed;
}

/* Of an area that the running region uses.  */
static struct candidate
candidate_active (const struct chooser *c, unsigned i)
{
  const struct ummgr_paging *p = c->p;
  const struct area *a = &p->area[i];
  bool again = a->random || a->sweeps >= 2;
  double period = a->sweeps >= 1 ? 1 / a->sweeps : 1;
  struct candidate best = { UMMGR_PAGING_NONE, 0 };
  if (a->random)
    {
      best.unit = last_of_all (c, i);
      best.time = period < 1 - p->progress ? period : 1 - p->progress;
      return best;
    }
  uint32_t position = position_of (p, a);
  /* Before the first fault, nothing is known to be passed.  */
  if (a->faulted || p->progress > 0)
    best.unit = last_passed (c, i, position);
  if (best.unit != UMMGR_PAGING_NONE)
    {
      double behind = place (a, position) - place (a, best.unit);
      best.time = again ? period * (1 - behind)
		  : a->next - p->progress + place (a, best.unit);
      return best;
    }
  best.unit = last_of_all (c, i);
  if (best.unit != UMMGR_PAGING_NONE)
    best.time = period * (place (a, best.unit) - place (a, position));
  return best;
}

static struct candidate
candidate_idle (const struct chooser *c, unsigned i)
{
  const struct ummgr_paging *p = c->p;
  const struct area *a = &p->area[i];
  struct candidate best = { last_of_all (c, i), 0 };
  if (best.unit == UMMGR_PAGING_NONE)
    return best;
  double regions = a->next - (double) (p->region - a->region);
  /* It should have been used by now: it may be any time.  */
  if (regions < 1)
    regions = 1;
  best.time = regions - p->progress + place (a, best.unit);
  return best;
}

static uint32_t
hint_victim (struct ummgr_paging *p, bool (*pinned) (void *data, uint32_t unit),
	     void *data)
{
  struct chooser c = { p, pinned, data };
  struct candidate best = { UMMGR_PAGING_NONE, -1 };
  for (unsigned i = 0; i < p->areas && !p->distrust; i++)
    {
      if (!p->area[i].resident)
	continue;
      struct candidate next = active (p, &p->area[i])
			      ? candidate_active (&c, i)
			      : candidate_idle (&c, i);
      if (next.unit != UMMGR_PAGING_NONE && next.time > best.time)
	best = next;
    }
  /* What nobody knows may leave before what is needed in this region.  */
  if (best.unit != UMMGR_PAGING_NONE && (best.time >= 1 || !p->strangers))
    return best.unit;
  uint32_t other = chain_ops->victim (p->chain, pinned, data);
  if (other != UMMGR_PAGING_NONE
      && (best.unit == UMMGR_PAGING_NONE || p->area_of[other] == NO_AREA))
    return other;
  return best.unit;
}

const struct ummgr_paging_ops ummgr_paging_hint = {
  .name = "hint",
  .description = "farthest next use by the compiler's tables, over HPE's chain",
  .create = hint_create,
  .destroy = hint_destroy,
  .grow = hint_grow,
  .insert = hint_insert,
  .prefetch = hint_prefetch,
  .remove = hint_remove,
  .forget = hint_forget,
  .region = hint_region,
  .victim = hint_victim
};
