/* Ways to choose a victim without a forecast, and which way is best.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where a region goes back to units all the time, in no order that can be
   learned, it is not known when a unit is needed.  Three ways remain.  Units that
   came first leave first, which is right where the region moves on.  Or those
   leave that were gone longest whenever they were gone: a unit that is used often
   comes back soon after each eviction, and though no hit is seen, this tells how
   often it is used.  Or HPE's chain chooses, as if there were no tables.

   Now and then another way is tried, as in set duelling (Qureshi et al., ISCA 2007,
   DIP), and what became of each way's victims is compared: how many came back for
   each fault during which one was away.  By Little's law that is the rate of faults
   that a way costs for the room that it gives.  It favours no way: that some of its
   victims come back soon costs one little if the others stay away for long, and what
   has not come back yet counts for the time that it is away.  After twice the faults
   that units are gone on average a unit counts no more, or what is done with would
   speak for ever for the way that evicted it.  All records fade together, so that
   ways are compared that were tried at the same time.

   DIP gives each way some sets of the cache.  Here a way would have some of the units,
   with their share of the memory; but where a way is many times worse, as the oldest
   first is in a sweep, a few per cent of the units are too many.  What this can't see
   is how a way would do if all victims had been its own.  */

#include "config.h"
#include "paging/told.h"

/* A way is left for another one with less than LEAVE times its rate; the forecast's
   counts for so much less.  Instead of the forecast others are tried only if more
   than EASE of its victims come back soon, before a quarter of the usual time; and if
   more than BAD do, more often.  */
#define LEAVE 0.8f
#define EASE 0.05f
#define BAD 0.15f

/* Each way is given so many victims that came back, at the rate of all: one hardly
   tried is so-so.  */
#define PRIOR 8

/* Faults for which each unit counts at least.  */
#define GAP_LEAST 16

static unsigned
rate_class (uint32_t gap)
{
  unsigned class = 1;
  while (gap >>= 1)
    class++;
  return class < TOLD_RATES ? class : TOLD_RATES - 1;
}

void
told_ways_forget (struct ummgr_paging *p, uint32_t unit)
{
  if (!p->way[unit])
    return;
  p->ways[p->way[unit] - 1].away--;
  p->way[unit] = 0;
  ummgr_ring_unlink (p->away, unit + 1);
}

/* One more fault.  */
static void
pass_time (struct ummgr_paging *p)
{
  for (int way = 0; way < TOLD_WAYS; way++)
    p->ways[way].time += p->ways[way].away;
  for (uint32_t n = p->away[0].next;
       n && p->faults - p->left[n - 1] > 2 * p->gap + GAP_LEAST;
       n = p->away[0].next)
    told_ways_forget (p, n - 1);
}

void
told_ways_judge (struct ummgr_paging *p, uint32_t unit)
{
  pass_time (p);
  if (unit_map_has (&p->resident, unit) || !p->left[unit])
    return;
  uint32_t gap = p->faults - p->left[unit];
  unsigned old = p->rate[unit], now = rate_class (gap);
  p->rate[unit] = old ? (old + now + 1) / 2 : now;
  p->gaps += p->gaps < 64;
  p->gap += (gap - p->gap) / p->gaps;
  if (!p->way[unit])
    return;
  p->ways[p->way[unit] - 1].back++;
  p->ways[p->way[unit] - 1].soon += gap < p->gap / 4;
}

void
told_ways_evicted (struct ummgr_paging *p, uint32_t unit, enum told_way way)
{
  told_ways_forget (p, unit);
  p->way[unit] = way + 1;
  ummgr_ring_put (p->away, 0, unit + 1);
  p->ways[way].away++;
  p->ways[way].count++;
  /* A way that is not the best has few victims: they count for longer.  */
  float keep = 1 - 0.25f / p->params.memory;
  for (int i = 0; i < TOLD_WAYS; i++)
    {
      p->ways[i].count *= keep;
      p->ways[i].back *= keep;
      p->ways[i].soon *= keep;
      p->ways[i].time *= keep;
    }
}

static uint32_t
by_age (const struct told_chooser *c)
{
  const struct ummgr_paging *p = c->p;
  uint32_t oldest = UMMGR_PAGING_NONE;
  for (uint32_t list = 0; list <= p->areas; list++)
    {
      int tries = TOLD_TRIES;
      uint32_t n = p->age[list].next;
      while (n != list && tries-- > 0 && !told_may_leave (c, n - TOLD_LISTS))
	n = p->age[n].next;
      if (n != list && tries >= 0
	  && (oldest == UMMGR_PAGING_NONE
	      || told_age (p, n - TOLD_LISTS) > told_age (p, oldest)))
	oldest = n - TOLD_LISTS;
    }
  return oldest;
}

static uint32_t
by_rate (const struct told_chooser *c)
{
  const struct ummgr_paging *p = c->p;
  for (uint32_t rate = TOLD_RATES; rate-- > 0;)
    {
      int tries = TOLD_TRIES;
      for (uint32_t n = p->by_rate[rate].next; n != rate && tries-- > 0;
	   n = p->by_rate[n].next)
	if (told_may_leave (c, n - TOLD_RATES))
	  return n - TOLD_RATES;
    }
  return UMMGR_PAGING_NONE;
}

static uint32_t
by_chain (const struct told_chooser *c)
{
  struct ummgr_paging *p = c->p;
  uint32_t unit = ummgr_paging_hpe_nohits.victim (p->chain, c->pinned, c->data);
  return unit != UMMGR_PAGING_NONE && told_may_leave (c, unit) ? unit
	 : UMMGR_PAGING_NONE;
}

/* Is the forecast best; and which way else?  */
static bool
find_best (struct ummgr_paging *p)
{
  float back = 1, time = 1, rate[TOLD_WAYS];
  for (int way = 0; way < TOLD_WAYS; way++)
    {
      back += p->ways[way].back;
      time += p->ways[way].time;
    }
  for (int way = 0; way < TOLD_WAYS; way++)
    rate[way] = (p->ways[way].back + PRIOR)
		/ (p->ways[way].time + PRIOR * time / back);
  for (int way = TOLD_FORECAST + 1; way < TOLD_WAYS; way++)
    if (rate[way] < LEAVE * rate[p->rest])
      p->rest = way;
  return LEAVE * rate[TOLD_FORECAST] <= rate[p->rest];
}

/* WAY, which is best, or one to be tried.  */
static enum told_way
find_way (struct ummgr_paging *p, enum told_way way)
{
  float soon = p->ways[way].soon, count = p->ways[way].count;
  if (way == TOLD_FORECAST && soon <= EASE * count)
    return way;
  uint32_t explore = p->params.explore;
  if (soon > BAD * count && explore >= 2)
    explore /= 2;
  if (++p->turn % explore)
    return way;
  return (way + 1 + p->tried++ % (TOLD_WAYS - 1)) % TOLD_WAYS;
}

enum told_way
told_ways_choose (struct told_chooser *c)
{
  struct ummgr_paging *p = c->p;
  bool knows = c->unit != UMMGR_PAGING_NONE;
  bool told = find_best (p) && knows;
  enum told_way way = find_way (p, told ? TOLD_FORECAST : p->rest);
  if (way == TOLD_FORECAST && knows)
    return way;
  if (way == TOLD_FORECAST)
    way = p->rest;
  uint32_t unit = way == TOLD_AGE ? by_age (c)
		  : way == TOLD_RATE ? by_rate (c) : by_chain (c);
  if (unit == UMMGR_PAGING_NONE)
    return TOLD_FORECAST;
  c->unit = unit;
  c->passed = false;
  return way;
}
