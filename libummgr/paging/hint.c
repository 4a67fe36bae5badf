/* Replacement by what the compiler knows: the unit whose next use is farthest.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A driver of today's GPUs sees faults, and hits never; a table tells what the
   running region uses, and after how many regions each object is used again.
   Regions run again and again, so that the rest can be learned: for how long a unit
   is used, which region comes next, and when.  All this is a forecast of each unit's
   next use, to which Belady's rule is applied (told-victim.c).

   Where all comes back, there is no order, and other ways are better
   (told-ways.c).

   Units that no table has spoken of are left to HPE's chain (without its hit
   records), as long as nothing leaves that is not used in this region.

   Owns nothing but its instances.  Objects are few, and a victim costs a look at
   each and some searches in maps, O(log units).  */

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
told_destroy (struct ummgr_paging *p)
{
  if (p->chain)
    chain_ops->destroy (p->chain);
  unit_map_free (&p->resident);
  free (p->area_of);
  free (p->way);
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
      || !grow_one (&p->came, sizeof *p->came, old, units, 0)
      || !grow_one (&p->left, sizeof *p->left, old, units, 0)
      || !grow_one (&p->rate, sizeof *p->rate, old, units, 0)
      || !ummgr_ring_grow (&p->age, p->age ? old + TOLD_LISTS : 0,
			   units + TOLD_LISTS)
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
  p->rest = TOLD_AGE;
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

static bool
told_own (struct ummgr_paging *c)
{
  c->chain = ummgr_paging_copy (chain_ops, c->chain);
  bool good = c->chain;
  good &= ummgr_paging_copied (&c->area_of, c->units * sizeof *c->area_of);
  good &= ummgr_paging_copied (&c->way, c->units * sizeof *c->way);
  good &= ummgr_paging_copied (&c->came, c->units * sizeof *c->came);
  good &= ummgr_paging_copied (&c->left, c->units * sizeof *c->left);
  good &= ummgr_paging_copied (&c->rate, c->units * sizeof *c->rate);
  size_t units = c->units;
  good &= ummgr_paging_copied (&c->age,
			       (units + TOLD_LISTS) * sizeof *c->age);
  good &= ummgr_paging_copied (&c->by_rate,
			       (units + TOLD_RATES) * sizeof *c->by_rate);
  good &= ummgr_paging_copied (&c->away, (units + 1) * sizeof *c->away);
  good &= unit_map_copied (&c->resident);
  return good;
}

/* --- what comes and goes --------------------------------------------------- */

static void
arrive (struct ummgr_paging *p, uint32_t unit)
{
  p->came[unit] = p->faults;
  told_ways_forget (p, unit);
  if (!unit_map_add (&p->resident, unit))
    return;
  struct told_area *a = told_area_of (p, unit);
  p->used++;
  if (a)
    a->resident++;
  else
    p->strangers++;
  ummgr_ring_put (p->age, told_list_of (p, a), unit + TOLD_LISTS);
  ummgr_ring_put (p->by_rate, p->rate[unit], unit + TOLD_RATES);
}

/* UNIT, which A has or had, is on A's list no more.  */
static void
unlist (struct ummgr_paging *p, struct told_area *a, uint32_t unit)
{
  uint32_t node = unit + TOLD_LISTS;
  if (a && a->ripe == node)
    a->ripe = p->age[node].prev;
  ummgr_ring_unlink (p->age, node);
}

static void
told_insert (struct ummgr_paging *p, uint32_t unit)
{
  p->faults++;
  told_ways_judge (p, unit);
  struct told_area *a = told_area_of (p, unit);
  if (a && told_area_active (p, a))
    told_forecast_learn (p, a, unit);
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
  p->used--;
  if (a)
    a->resident--;
  else
    p->strangers--;
  unlist (p, a, unit);
  ummgr_ring_unlink (p->by_rate, unit + TOLD_RATES);
}

static void
told_forget (struct ummgr_paging *p, uint32_t unit)
{
  p->area_of[unit] = TOLD_NO_AREA;	/* Not resident: on no list.  */
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
  ummgr_ring_join (p->age, 0, told_list_of (p, a));
  *a = (struct told_area) { .ripe = told_list_of (p, a) };
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
	if (!unit_map_has (&p->resident, u))
	  continue;
	a->resident++;
	unlist (p, NULL, u);
	ummgr_ring_put (p->age, told_list_of (p, a), u + TOLD_LISTS);
      }
  p->strangers -= a->resident;
  return a;
}

/* Let A's current region be REGION, if need be in place of the oldest.  */
static void
set_current (struct told_area *a, uint64_t region)
{
  unsigned i = 0;
  while (i < a->count && a->known[i].region != region)
    i++;
  if (i == a->count)
    {
      i = a->count < TOLD_REGIONS ? a->count++ : a->oldest++ % TOLD_REGIONS;
      a->known[i] = (struct told_region) { .region = region };
    }
  a->current = i + 1;
}

/* --- regions --------------------------------------------------------------- */

/* Regions from this one to the next that uses the object.  */
static double
next_use (const struct told_region *r, const struct ummgr_paging_use *u)
{
  if (r->next_seen > 0)
    return r->next_seen;
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
  if (!a || told_area_active (p, a))
    return;
  if (a->current)
    told_current (a)->next_seen = p->region - a->region;
  set_current (a, u->region);
  a->region = p->region;
  a->use_lo = u->lo < lo ? lo : u->lo;
  a->use_hi = u->hi > hi ? hi : u->hi;
  a->next = next_use (told_current (a), u);
  a->sweeps = u->sweeps;
  a->unread = u->write && !u->read;
}

static void
told_region (struct ummgr_paging *p, const struct ummgr_paging_use *uses,
	     size_t count)
{
  p->region++;
  p->began = p->faults;
  for (size_t n = 0; n < count; n++)
    begin_use (p, &uses[n]);
}

/* --- victims --------------------------------------------------------------- */

static uint32_t
told_victim (struct ummgr_paging *p, bool (*pinned) (void *data, uint32_t unit),
	     void *data)
{
  struct told_chooser c = { p, pinned, data, UMMGR_PAGING_NONE, 0, 0, false };
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
  if (c.unit == UMMGR_PAGING_NONE)
    return c.unit;
  told_ways_evicted (p, c.unit, way);
  struct told_area *a = told_area_of (p, c.unit);
  if (way == TOLD_FORECAST && a && told_area_active (p, a))
    told_current (a)->gone++;
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
