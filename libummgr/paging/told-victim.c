/* Whose next use is farthest, by the forecast.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Belady's rule, with a candidate or two of each object.  Time is counted in
   regions.  Of an object that the running region uses, a unit is in use for some
   faults after its own, its span; threads side by side are at it.  After that it is
   done with until the region comes again, or the one that uses the object next.
   Of all those the one that came last is needed last, whatever the order, if the
   order is the same each time: so of an object the youngest leaves that is older
   than the span.  Of an object that waits the youngest leaves, too.  What a region
   leaves out of an object goes first.

   The span is learned.  A unit that comes back sooner after it was evicted than it
   had stayed before was in use still.  It also was if it comes back in the same
   launch and its uses all together lasted for less than a quarter of memory; if for
   longer, to wait would take more room than it spares, and the object is gone
   through again and again.  Spans grow fast and shrink slowly: to let a unit go too
   early costs a fault for each, to wait costs as many as the span has, once a sweep. */

#include "config.h"
#include "paging/told.h"

/* When a unit comes back that was taken for done with, as part of a region.  */
#define COMES_BACK 0.4

/* Uses of a unit, in the table's sweeps, that are more than those of neighbours
   (of 27 points, in a cube): it is swept again and again.  */
#define MANY_SWEEPS 32

/* Spans of more than this part of memory are not waited for, where an object is
   swept again and again.  */
#define SPAN_MOST 0.25f
/* A span's growth at least, and what of it a fault leaves.  */
#define SPAN_GROWS 0.5f
#define SPAN_STAYS 0.998f

static void
offer (struct told_chooser *c, uint32_t unit, double time)
{
  uint32_t age = told_age (c->p, unit);
  if (c->unit != UMMGR_PAGING_NONE
      && (time < c->time || (time == c->time && age >= c->age)))
    return;
  c->unit = unit;
  c->time = time;
  c->age = age;
  c->passed = true;
}

/* When A's next use is if some of what is taken for done with comes back in this
   region: of the uses in a time, the mean.  Before it was seen, the table tells what
   is swept many times.  */
static double
next_use (struct told_area *a)
{
  const struct told_region *r = told_current (a);
  bool table = a->sweeps > MANY_SWEEPS;
  double back = (r->back + (table ? 1 : 0)) / (r->gone + 8);
  double uses = table ? a->sweeps : 1 / COMES_BACK;
  return 1 / (back * uses + (1 - back) / a->next);
}

/* The youngest of LIST that may leave, from NODE on to older ones.  */
static uint32_t
youngest (const struct told_chooser *c, uint32_t list, uint32_t node)
{
  const struct ummgr_ring *age = c->p->age;
  int tries = TOLD_TRIES;
  for (; node != list && tries-- > 0; node = age[node].prev)
    if (told_may_leave (c, node - TOLD_LISTS))
      return node - TOLD_LISTS;
  return UMMGR_PAGING_NONE;
}

/* The youngest node of A's that is older than its span.  */
static uint32_t
find_ripe (const struct ummgr_paging *p, struct told_area *a)
{
  const struct ummgr_ring *age = p->age;
  uint32_t list = told_list_of (p, a);
  while (a->ripe != list && told_age (p, a->ripe - TOLD_LISTS) < a->span)
    a->ripe = age[a->ripe].prev;
  for (uint32_t n = age[a->ripe].next;
       n != list && told_age (p, n - TOLD_LISTS) >= a->span; n = age[n].next)
    a->ripe = n;
  return a->ripe;
}

static void
offer_used (struct told_chooser *c, struct told_area *a)
{
  const struct ummgr_paging *p = c->p;
  uint32_t unit = youngest (c, told_list_of (p, a), find_ripe (p, a));
  if (unit == UMMGR_PAGING_NONE)
    return;
  /* What came in a launch before is still to be used in this one.  */
  offer (c, unit, p->came[unit] > p->began ? next_use (a) : 1);
}

/* Of what the region leaves out of an object that it uses: done with, it
   seems.  */
static void
offer_outside (struct told_chooser *c, const struct told_area *a)
{
  const struct ummgr_paging *p = c->p;
  const uint8_t area = a - p->area;
  uint32_t unit = a->use_lo;
  for (int i = 0; i < TOLD_TRIES && unit > a->lo; i++)
    {
      unit = unit_map_previous (&p->resident, unit - 1, a->lo);
      if (unit == UMMGR_PAGING_NONE)
	break;
      if (p->area_of[unit] == area && told_may_leave (c, unit))
	{
	  offer (c, unit, a->next + 1);
	  return;
	}
    }
  unit = a->use_hi;
  for (int i = 0; i < TOLD_TRIES; i++, unit++)
    {
      unit = unit_map_next (&p->resident, unit, a->hi);
      if (unit == UMMGR_PAGING_NONE)
	return;
      if (p->area_of[unit] == area && told_may_leave (c, unit))
	{
	  offer (c, unit, a->next + 1);
	  return;
	}
    }
}

static void
offer_idle (struct told_chooser *c, const struct told_area *a)
{
  const struct ummgr_paging *p = c->p;
  uint32_t list = told_list_of (p, a);
  uint32_t unit = youngest (c, list, p->age[list].prev);
  double gone = p->region - a->region, regions = a->next - gone;
  /* It should have been used by now: the longer ago, the later.  But what was only
     written waits for somebody who reads it.  */
  if (regions < 1)
    regions = a->unread ? 1 : gone + 1;
  if (unit != UMMGR_PAGING_NONE)
    offer (c, unit, regions);
}

void
told_forecast (struct told_chooser *c)
{
  struct ummgr_paging *p = c->p;
  for (unsigned i = 0; i < p->areas; i++)
    {
      struct told_area *a = &p->area[i];
      if (!a->resident || !a->current)
	continue;
      if (!told_area_active (p, a))
	{
	  offer_idle (c, a);
	  continue;
	}
      offer_outside (c, a);
      offer_used (c, a);
    }
}

void
told_forecast_learn (struct ummgr_paging *p, struct told_area *a,
		     uint32_t unit)
{
  const float keep = 1 - 1.0f / p->params.memory;
  struct told_region *r = told_current (a);
  r->gone *= keep;
  r->back *= keep;
  a->span *= SPAN_STAYS;
  if (!p->left[unit])
    return;
  uint32_t stayed = p->left[unit] - p->came[unit];
  uint32_t gap = p->faults - p->left[unit];
  uint32_t lasted = stayed + gap;
  bool here = p->came[unit] > p->began;
  /* Where older ones had to leave for want of any just beyond the span, these say
     nothing.  */
  bool early = gap < stayed && stayed < 1.25f * a->span + 16;
  if (early || (here && lasted <= SPAN_MOST * p->used))
    {
      float more = (lasted - a->span) / 2, least = SPAN_GROWS * a->span;
      if (lasted > a->span)
	a->span += more > least ? more : least;
    }
  else if (here)
    r->back++;
}
