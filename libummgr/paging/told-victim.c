/* Whose next use is farthest, by the forecast.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Belady's rule, with a candidate or three of each object: of what the running
   region has used and does not come back to, the last in its order, at the time at
   which the region that uses the object next does; of what it has still to use, the
   last; of what it leaves out, any; of an object that waits, the last in the order of
   the region that uses it next.  Time is counted in regions.  */

#include "config.h"
#include "paging/told.h"

#include <math.h>

/* When a unit comes back that was taken for dead, as part of a region.  */
#define COMES_BACK 0.4

/* Uses of a unit, in the table's sweeps, that are more than those of neighbours
   (of 27 points, in a cube): it is swept again and again.  */
#define MANY_SWEEPS 32

static void
offer (struct told_chooser *c, uint32_t unit, double time, bool passed)
{
  if (c->unit != UMMGR_PAGING_NONE && time <= c->time)
    return;
  c->unit = unit;
  c->time = time;
  c->passed = passed;
}

/* How far UNIT is in what is used of A, in the order of addresses, from 0
   to 1.  */
static double
place (const struct told_area *a, uint32_t unit)
{
  if (unit < a->use_lo || unit >= a->use_hi)
    return 1;
  double part = (unit - a->use_lo + 0.5) / (a->use_hi - a->use_lo);
  return a->down ? 1 - part : part;
}

/* When O's region uses it.  */
static double
when (const struct told_area *a, const struct told_order *o, uint32_t unit)
{
  uint32_t rank = told_order_rank (o, unit);
  return rank == UMMGR_PAGING_NONE ? place (a, unit) : o->at[rank];
}

/* The time for which TIME stands if some of what is taken for dead comes back in
   this region: of the uses in a time, the mean.  Before it was seen, the table
   tells what is swept many times.  */
static double
doubted (const struct told_area *a, const struct told_order *o, double time)
{
  bool table = o->learning && a->sweeps > MANY_SWEEPS;
  double back = (o->back + (table ? 1 : 0)) / (o->gone + 8);
  double uses = table ? a->sweeps : 1 / COMES_BACK;
  return 1 / (back * uses + (1 - back) / time);
}

/* Of what the region has used and does not come back to.  */
static void
offer_passed (struct told_chooser *c, const struct told_area *a,
	      const struct told_order *next)
{
  struct ummgr_paging *p = c->p;
  struct told_order *o = a->current;
  told_order_advance (o, p->clock);
  int tries = 4 * TOLD_TRIES;
  uint32_t rank = o->front;
  while ((rank = told_order_last_dead (o, rank, p->clock, &tries))
	 != UMMGR_PAGING_NONE)
    if (told_may_leave (c, o->unit[rank]))
      {
	uint32_t unit = o->unit[rank];
	double time = a->next - p->clock + when (a, next, unit);
	offer (c, unit, doubted (a, o, time), true);
	return;
      }
}

/* The last in O's order, down to rank END.  */
static uint32_t
last_ranked (const struct told_chooser *c, const struct told_order *o,
	     uint32_t end)
{
  uint32_t rank = o->count;
  for (int i = 0; i < TOLD_TRIES && rank > end; i++)
    {
      rank = unit_map_previous (&o->there, rank - 1, end);
      if (rank == UMMGR_PAGING_NONE || told_may_leave (c, o->unit[rank]))
	return rank;
    }
  return UMMGR_PAGING_NONE;
}

static void
offer_ahead (struct told_chooser *c, const struct told_area *a)
{
  const struct told_order *o = a->current;
  uint32_t rank = last_ranked (c, o, o->front);
  if (rank != UMMGR_PAGING_NONE)
    offer (c, o->unit[rank], o->at[rank] - c->p->clock, false);
}

/* Of those without a rank in O, the last in what is used; but what came in this
   region is in use.  */
static void
offer_others (struct told_chooser *c, const struct told_area *a,
	      const struct told_order *o, double regions)
{
  const struct ummgr_paging *p = c->p;
  bool mine = told_area_active (p, a) && o == a->current;
  uint32_t rest = o->hi - o->lo;
  for (int i = 0; i < TOLD_TRIES && rest; i++)
    {
      rest = unit_map_previous (&o->others, rest - 1, 0);
      if (rest == UMMGR_PAGING_NONE)
	return;
      uint32_t unit = o->lo + rest;
      if (!told_may_leave (c, unit) || (mine && p->came[unit] > p->began))
	continue;
      bool outside = unit < a->use_lo || unit >= a->use_hi;
      double time = place (a, unit) - p->clock + (mine ? 0 : regions);
      offer (c, unit, mine && outside ? a->next : time, !mine || outside);
      return;
    }
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
	  offer (c, unit, a->next + 1, true);
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
	  offer (c, unit, a->next + 1, true);
	  return;
	}
    }
}

static void
offer_idle (struct told_chooser *c, const struct told_area *a,
	    const struct told_order *next)
{
  const struct ummgr_paging *p = c->p;
  double gone = p->region - a->region;
  double regions = a->next - gone;
  /* It should have been used by now: the longer ago, the later.  */
  if (regions < 1)
    regions = gone + 1;
  uint32_t rank = last_ranked (c, next, 0);
  if (rank != UMMGR_PAGING_NONE)
    offer (c, next->unit[rank], regions - p->clock + next->at[rank], true);
  offer_others (c, a, next, regions);
}

void
told_forecast (struct told_chooser *c)
{
  struct ummgr_paging *p = c->p;
  for (unsigned i = 0; i < p->areas; i++)
    {
      const struct told_area *a = &p->area[i];
      if (!a->resident || !a->current)
	continue;
      const struct told_order *next
	= a->current->next ? a->current->next : a->current;
      if (!told_area_active (p, a))
	{
	  offer_idle (c, a, next);
	  continue;
	}
      offer_outside (c, a);
      offer_passed (c, a, next);
      offer_ahead (c, a);
      offer_others (c, a, a->current, 0);
    }
}
