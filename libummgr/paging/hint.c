/* Replacement by what the compiler knows: the unit whose next use is farthest.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A driver of today's GPUs sees faults, and hits never; a table tells what the
   running region uses, and after how many regions each object is used again.
   Regions run again and again, so that the rest can be learned: in which order
   one uses an object, which one comes next, and when.  All this is a forecast of
   each unit's next use, to which Belady's rule is applied (told-victim.c).

   The order is that of faults.  At first nothing of an object is there, and all of
   it is seen; of a later launch only what had left, but those units have a rank,
   which tells how far the launch is.  That is the clock: it runs from 0 to 1 and
   is set by the median of the last faults' ranks, for one alone may be out of
   order.

   A unit is used for a while.  If it was taken for dead, evicted, and comes back,
   it lives that long, and likely those that came at the same time.  Where all
   comes back, there is no order, and other ways are better (told-ways.c).

   Units that no table has spoken of are left to HPE's chain (without its hit
   records), as long as nothing leaves that is not used in this region.

   Owns nothing but its instances.  Objects are few, and a victim costs a look at
   each and some searches in maps, O(log units).  A region costs O(units) of the
   objects that it brings to light something new of.  */

#include "config.h"
#include "paging/told.h"
#include "paging/copy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is assumed of a range whose next use is not known.  */
#define NEXT_UNKNOWN 2.0

static const struct ummgr_paging_ops *const chain_ops
  = &ummgr_paging_hpe_nohits;

struct ummgr_told_params
ummgr_told_defaults (void)
{
  return (struct ummgr_told_params) {
    .young = 8, .memory = 2 * ummgr_hpe_defaults ().interval, .explore = 32
  };
}

/* --- instances ------------------------------------------------------------- */

static void
free_orders (struct told_area *a)
{
  for (unsigned i = 0; i < a->orders; i++)
    told_order_destroy (a->order[i]);
  a->orders = 0;
}

static void
told_destroy (struct ummgr_paging *p)
{
  if (p->chain)
    chain_ops->destroy (p->chain);
  for (unsigned i = 0; i < p->areas; i++)
    free_orders (&p->area[i]);
  unit_map_free (&p->resident);
  free (p->area_of);
  free (p->way);
  free (p->passed);
  free (p->came);
  free (p->left);
  free (p->rate);
  free (p->age);
  free (p->by_rate);
  free (p->away);
  free (p);
}

/* Make *ARRAY, of OLD elements of SIZE bytes, have NEW; new bytes are FILL.  */
static bool
grow_one (void *array, size_t size, uint32_t old, uint32_t new, int fill)
{
  char **a = array, *grown = realloc (*a, new * size);
  if (!grown)
    return false;
  memset (grown + old * size, fill, (new - old) * size);
  *a = grown;
  return true;
}

static bool
told_grow (struct ummgr_paging *p, uint32_t units)
{
  uint32_t old = p->units;
  if (units <= old)
    return true;
  if (!grow_one (&p->area_of, sizeof *p->area_of, old, units, TOLD_NO_AREA)
      || !grow_one (&p->way, sizeof *p->way, old, units, 0)
      || !grow_one (&p->passed, sizeof *p->passed, old, units, 0)
      || !grow_one (&p->came, sizeof *p->came, old, units, 0)
      || !grow_one (&p->left, sizeof *p->left, old, units, 0)
      || !grow_one (&p->rate, sizeof *p->rate, old, units, 0)
      || !ummgr_ring_grow (&p->age, p->age ? old + 1 : 0, units + 1)
      || !ummgr_ring_grow (&p->by_rate, p->by_rate ? old + TOLD_RATES : 0,
			   units + TOLD_RATES)
      || !ummgr_ring_grow (&p->away, p->away ? old + 1 : 0, units + 1)
      || !unit_map_grow (&p->resident, units)
      || !chain_ops->grow (p->chain, units))
    return false;
  p->units = units;
  return true;
}

struct ummgr_paging *
ummgr_paging_hint_create (uint32_t units,
			  const struct ummgr_told_params *params)
{
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->params = *params;
  p->chain = chain_ops->create (units);
  if (!p->chain || !told_grow (p, units))
    {
      told_destroy (p);
      return NULL;
    }
  return p;
}

static struct ummgr_paging *
told_create (uint32_t units)
{
  struct ummgr_told_params params = ummgr_told_defaults ();
  return ummgr_paging_hint_create (units, &params);
}

/* The order of P that stands where O stands in OLD.  */
static struct told_order *
counterpart (const struct ummgr_paging *p, const struct told_area *old,
	     const struct told_order *o)
{
  for (unsigned i = 0; o && i < p->areas; i++)
    for (unsigned k = 0; k < p->area[i].orders; k++)
      if (old[i].order[k] == o)
	return p->area[i].order[k];
  return NULL;
}

static bool
own_orders (struct ummgr_paging *c)
{
  struct told_area old[TOLD_AREAS];
  bool good = true;
  memcpy (old, c->area, sizeof old);
  for (unsigned i = 0; i < c->areas; i++)
    for (unsigned k = 0; k < c->area[i].orders; k++)
      good &= (c->area[i].order[k] = told_order_copy (old[i].order[k])) != NULL;
  for (unsigned i = 0; good && i < c->areas; i++)
    {
      c->area[i].current = counterpart (c, old, old[i].current);
      for (unsigned k = 0; k < c->area[i].orders; k++)
	c->area[i].order[k]->next
	  = counterpart (c, old, c->area[i].order[k]->next);
    }
  return good;
}

static bool
told_own (struct ummgr_paging *c)
{
  c->chain = ummgr_paging_copy (chain_ops, c->chain);
  bool good = c->chain;
  good &= ummgr_paging_copied (&c->area_of, c->units * sizeof *c->area_of);
  good &= ummgr_paging_copied (&c->way, c->units * sizeof *c->way);
  good &= ummgr_paging_copied (&c->passed, c->units * sizeof *c->passed);
  good &= ummgr_paging_copied (&c->came, c->units * sizeof *c->came);
  good &= ummgr_paging_copied (&c->left, c->units * sizeof *c->left);
  good &= ummgr_paging_copied (&c->rate, c->units * sizeof *c->rate);
  size_t units = c->units;
  good &= ummgr_paging_copied (&c->age, (units + 1) * sizeof *c->age);
  good &= ummgr_paging_copied (&c->by_rate,
			       (units + TOLD_RATES) * sizeof *c->by_rate);
  good &= ummgr_paging_copied (&c->away, (units + 1) * sizeof *c->away);
  good &= unit_map_copied (&c->resident);
  good &= own_orders (c);
  return good;
}

/* --- what comes and goes --------------------------------------------------- */

static void
arrive (struct ummgr_paging *p, uint32_t unit)
{
  p->came[unit] = p->faults;
  told_ways_forget (p, unit);
  p->passed[unit] = false;
  if (!unit_map_add (&p->resident, unit))
    return;
  struct told_area *a = told_area_of (p, unit);
  if (a)
    a->resident++;
  else
    p->strangers++;
  for (unsigned i = 0; a && i < a->orders; i++)
    told_order_arrive (a->order[i], unit);
  ummgr_ring_put (p->age, 0, unit + 1);
  ummgr_ring_put (p->by_rate, p->rate[unit], unit + TOLD_RATES);
}

/* A unit is used whose time in the region is AT.  */
static void
set_clock (struct ummgr_paging *p, float at)
{
  p->anchor[p->anchors++ % TOLD_ANCHORS] = at;
  float sorted[TOLD_ANCHORS];
  memcpy (sorted, p->anchor, sizeof sorted);
  for (int i = 1; i < TOLD_ANCHORS; i++)
    for (int k = i; k && sorted[k] < sorted[k - 1]; k--)
      {
	float t = sorted[k];
	sorted[k] = sorted[k - 1];
	sorted[k - 1] = t;
      }
  if (sorted[TOLD_ANCHORS / 2] > p->clock)
    p->clock = sorted[TOLD_ANCHORS / 2];
}

/* UNIT, which the running region uses in order O, comes by a fault.  */
static void
follow (struct ummgr_paging *p, struct told_order *o, uint32_t unit)
{
  uint32_t rank = told_order_rank (o, unit);
  if (rank == UMMGR_PAGING_NONE)
    {
      p->clock += p->tick;
      p->fresh++;
      told_order_fault (o, unit, p->clock);
      return;
    }
  bool again = p->passed[unit] && p->left[unit] >= p->began;
  if (again && p->came[unit] > p->began)
    {
      told_order_back (o, rank, p->clock, true);
      o->back++;
      return;
    }
  /* Maybe it was not used again but for the first time, late.  */
  if (again)
    told_order_back (o, rank, p->clock, false);
  set_clock (p, o->at[rank]);
}

static void
told_insert (struct ummgr_paging *p, uint32_t unit)
{
  p->faults++;
  told_ways_judge (p, unit);
  struct told_area *a = told_area_of (p, unit);
  if (a && told_area_active (p, a))
    follow (p, a->current, unit);
  arrive (p, unit);
  chain_ops->insert (p->chain, unit);
}

static void
told_prefetch (struct ummgr_paging *p, uint32_t unit)
{
  arrive (p, unit);
  ummgr_paging_prefetched (chain_ops, p->chain, unit);
}

static void
told_remove (struct ummgr_paging *p, uint32_t unit)
{
  chain_ops->remove (p->chain, unit);
  if (!unit_map_remove (&p->resident, unit))
    return;
  p->left[unit] = p->faults;
  struct told_area *a = told_area_of (p, unit);
  if (a)
    a->resident--;
  else
    p->strangers--;
  for (unsigned i = 0; a && i < a->orders; i++)
    told_order_leave (a->order[i], unit);
  ummgr_ring_unlink (p->age, unit + 1);
  ummgr_ring_unlink (p->by_rate, unit + TOLD_RATES);
}

static void
told_forget (struct ummgr_paging *p, uint32_t unit)
{
  p->area_of[unit] = TOLD_NO_AREA;
  p->left[unit] = 0;
  p->rate[unit] = 0;
  told_ways_forget (p, unit);
  chain_ops->forget (p->chain, unit);
}

/* --- objects --------------------------------------------------------------- */

static void
drop_area (struct ummgr_paging *p, unsigned i)
{
  struct told_area *a = &p->area[i];
  for (uint32_t u = a->lo; u < a->hi; u++)
    if (p->area_of[u] == i)
      p->area_of[u] = TOLD_NO_AREA;
  p->strangers += a->resident;
  free_orders (a);
  *a = (struct told_area) { 0 };
}

/* The object of units [LO, HI): known, new, or in place of the one that was not
   used for longest.  A unit that is also part of another stays there.  */
static struct told_area *
find_area (struct ummgr_paging *p, uint32_t lo, uint32_t hi)
{
  unsigned oldest = 0;
  for (unsigned i = 0; i < p->areas; i++)
    if (p->area[i].lo == lo && p->area[i].hi == hi)
      return &p->area[i];
    else if (p->area[i].region < p->area[oldest].region)
      oldest = i;
  unsigned i = p->areas < TOLD_AREAS ? p->areas++ : oldest;
  struct told_area *a = &p->area[i];
  if (told_area_active (p, a))
    return NULL;
  drop_area (p, i);
  a->lo = lo;
  a->hi = hi;
  for (uint32_t u = lo; u < hi; u++)
    if (p->area_of[u] == TOLD_NO_AREA)
      {
	p->area_of[u] = i;
	a->resident += unit_map_has (&p->resident, u);
      }
  p->strangers -= a->resident;
  return a;
}

/* The order of A in REGION, new if need be.  NULL without memory.  */
static struct told_order *
find_order (struct ummgr_paging *p, struct told_area *a, uint64_t region)
{
  for (unsigned i = 0; i < a->orders; i++)
    if (a->order[i]->region == region)
      return a->order[i];
  struct told_order *o = told_order_create (region, a->lo, a->hi);
  if (!o)
    return NULL;
  for (uint32_t u = unit_map_next (&p->resident, a->lo, a->hi);
       u != UMMGR_PAGING_NONE; u = unit_map_next (&p->resident, u + 1, a->hi))
    if (told_area_of (p, u) == a)
      told_order_arrive (o, u);
  if (a->orders < TOLD_ORDERS)
    return a->order[a->orders++] = o;
  struct told_order **slot = &a->order[a->oldest++ % TOLD_ORDERS];
  if (*slot == a->current)
    slot = &a->order[a->oldest++ % TOLD_ORDERS];
  for (unsigned i = 0; i < a->orders; i++)
    if (a->order[i]->next == *slot)
      a->order[i]->next = NULL;
  told_order_destroy (*slot);
  return *slot = o;
}

/* --- regions --------------------------------------------------------------- */

/* Where nearly all was new, it is not known how long a launch is before it is
   over.  */
static void
finish (struct ummgr_paging *p)
{
  float scale = p->anchors * 4 < p->fresh && p->clock > 0 ? 1 / p->clock : 1;
  for (unsigned i = 0; i < p->areas; i++)
    if (told_area_active (p, &p->area[i]))
      told_order_finish (p->area[i].current, scale);
}

/* Regions from this one to the next that uses the object.  */
static double
next_use (const struct told_order *o, const struct ummgr_paging_use *u)
{
  if (o->next_seen > 0)
    return o->next_seen;
  /* What is only written is for somebody who reads it, though the table speaks of
     this region's next launch alone.  */
  if (u->write && !u->read)
    return 1;
  return u->next_use < 0 || isnan (u->next_use) ? NEXT_UNKNOWN
	 : u->next_use < 1 ? 1 : u->next_use;
}

static void
begin_use (struct ummgr_paging *p, const struct ummgr_paging_use *u)
{
  uint32_t lo = u->object_hi ? u->object_lo : u->lo;
  uint32_t hi = u->object_hi ? u->object_hi : u->hi;
  if (hi > p->units)
    hi = p->units;
  if (lo >= hi || u->lo >= u->hi)
    return;
  struct told_area *a = find_area (p, lo, hi);
  struct told_order *o = a ? find_order (p, a, u->region) : NULL;
  if (!o || told_area_active (p, a))
    return;
  if (a->current)
    {
      a->current->next = o;
      a->current->next_seen = p->region - a->region;
    }
  a->current = o;
  a->region = p->region;
  a->use_lo = u->lo < lo ? lo : u->lo;
  a->use_hi = u->hi > hi ? hi : u->hi;
  a->next = next_use (o, u);
  a->sweeps = u->sweeps;
  a->down = u->down;
  told_order_begin (o);
}

static void
told_region (struct ummgr_paging *p, const struct ummgr_paging_use *uses,
	     size_t count)
{
  finish (p);
  p->region++;
  p->began = p->faults;
  p->clock = 0;
  p->anchors = p->fresh = 0;
  memset (p->anchor, 0, sizeof p->anchor);
  double units = 1;
  for (size_t n = 0; n < count; n++)
    {
      begin_use (p, &uses[n]);
      units += uses[n].hi - uses[n].lo;
    }
  p->tick = 1 / units;
}

/* --- victims --------------------------------------------------------------- */

/* UNIT is evicted WAY: used before in this region, if PASSED.  */
static void
note_victim (struct ummgr_paging *p, uint32_t unit, enum told_way way,
	     bool passed)
{
  told_ways_evicted (p, unit, way);
  p->passed[unit] = passed;
  struct told_area *a = told_area_of (p, unit);
  if (!passed || !a || !told_area_active (p, a))
    return;
  struct told_order *o = a->current;
  if (++o->gone >= p->params.memory / 2)
    {
      o->gone /= 2;
      o->back /= 2;
    }
}

static uint32_t
told_victim (struct ummgr_paging *p, bool (*pinned) (void *data, uint32_t unit),
	     void *data)
{
  struct told_chooser c = { p, pinned, data, UMMGR_PAGING_NONE, 0, false };
  told_forecast (&c);
  enum told_way way = told_ways_choose (&c);
  /* What nobody knows may leave before what is needed in this region.  */
  if (c.unit == UMMGR_PAGING_NONE || (p->strangers && !c.passed))
    {
      uint32_t other = chain_ops->victim (p->chain, pinned, data);
      if (other != UMMGR_PAGING_NONE
	  && (c.unit == UMMGR_PAGING_NONE
	      || p->area_of[other] == TOLD_NO_AREA))
	{
	  c.unit = other;
	  way = TOLD_CHAIN;
	}
    }
  if (c.unit != UMMGR_PAGING_NONE)
    note_victim (p, c.unit, way, c.passed);
  return c.unit;
}

const struct ummgr_paging_ops ummgr_paging_hint = {
  .name = "hint",
  .description = "farthest next use by the compiler's tables and what was learned",
  .unit_bytes = UMMGR_PAGING_UNIT_BYTES,
  .create = told_create,
  .destroy = told_destroy,
  .size = sizeof (struct ummgr_paging),
  .own = told_own,
  .grow = told_grow,
  .insert = told_insert,
  .prefetch = told_prefetch,
  .remove = told_remove,
  .forget = told_forget,
  .region = told_region,
  .victim = told_victim
};
