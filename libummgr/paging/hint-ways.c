/* Ways to choose a victim without a forecast, and which way is best.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where a region goes back to units all the time, in no order that can be
   learned, it is not known when a unit is needed.  Two ways remain.  Units that
   came first leave first, which is right where the region moves on.  Or those
   leave that were gone longest whenever they were gone: a unit that is used often
   comes back soon after each eviction, and though no hit is seen, this tells how
   often it is used.

   Which way is best shows in the share of the evicted units that come back soon:
   before a quarter of the faults that units are gone on average.  That has to be
   compared among ways tried at the same time, since units are gone for as many
   faults as there are units gone, whatever the policy (Little's law).  So now and
   then another way is tried, as in set duelling (Qureshi et al., ISCA 2007,
   DIP).  */

#include "config.h"
#include "paging/hint.h"

/* The forecast is left if this share of what it evicts comes back soon, and less
   than LEAVE times that for another way; it is not questioned below EASE.  */
#define BAD 0.15f
#define LEAVE 0.7f
#define EASE 0.05f

static void
judge_rate (struct ummgr_paging *p, uint32_t unit, uint32_t gap)
{
  unsigned now = 1;
  while (gap >>= 1)
    now++;
  unsigned old = p->rate[unit], rate = old ? (old + now + 1) / 2 : now;
  p->rate[unit] = rate < HINT_RATES ? rate : HINT_RATES - 1;
}

void
hint_ways_judge (struct ummgr_paging *p, uint32_t unit)
{
  if (unit_map_has (&p->resident, unit) || !p->left[unit])
    return;
  uint32_t gap = p->faults - p->left[unit];
  judge_rate (p, unit, gap);
  if (!p->way[unit])
    return;
  if (gap < p->gap / 4)
    p->ways[p->way[unit] - 1].soon++;
  p->gap += (gap - p->gap) / 64;
  p->way[unit] = 0;
}

void
hint_ways_evicted (struct ummgr_paging *p, uint32_t unit, enum hint_way way)
{
  p->way[unit] = way + 1;
  if (++p->ways[way].count >= p->params.memory)
    {
      p->ways[way].count /= 2;
      p->ways[way].soon /= 2;
    }
}

/* The share of what came back soon; of a way hardly tried, so-so.  */
static float
badness (const struct ummgr_paging *p, enum hint_way way)
{
  return (p->ways[way].soon + (way == HINT_FORECAST ? 0 : 4))
	 / (p->ways[way].count + 8);
}

static uint32_t
by_age (const struct hint_chooser *c)
{
  const struct ummgr_paging *p = c->p;
  int tries = HINT_TRIES;
  for (uint32_t n = p->age[0].next; n && tries-- > 0; n = p->age[n].next)
    if (hint_may_leave (c, n - 1))
      return n - 1;
  return UMMGR_PAGING_NONE;
}

static uint32_t
by_rate (const struct hint_chooser *c)
{
  const struct ummgr_paging *p = c->p;
  for (uint32_t rate = HINT_RATES; rate-- > 0;)
    {
      int tries = HINT_TRIES;
      for (uint32_t n = p->by_rate[rate].next; n != rate && tries-- > 0;
	   n = p->by_rate[n].next)
	if (hint_may_leave (c, n - HINT_RATES))
	  return n - HINT_RATES;
    }
  return UMMGR_PAGING_NONE;
}

static void
find_best (struct ummgr_paging *p, enum hint_way other)
{
  float forecast = badness (p, HINT_FORECAST);
  if (p->best != HINT_FORECAST && forecast < badness (p, other))
    p->best = HINT_FORECAST;
  else if (p->best != HINT_FORECAST
	   || (forecast > BAD && badness (p, other) < LEAVE * forecast))
    p->best = other;
}

enum hint_way
hint_ways_choose (struct hint_chooser *c)
{
  struct ummgr_paging *p = c->p;
  enum hint_way other
    = badness (p, HINT_AGE) < badness (p, HINT_RATE) ? HINT_AGE : HINT_RATE;
  find_best (p, other);
  enum hint_way way = p->best;
  bool try = ++p->turn % p->params.explore == 0;
  if (try && (way != HINT_FORECAST || badness (p, way) > EASE))
    way = (way + 1 + p->turn / p->params.explore % 2) % HINT_WAYS;
  if (way == HINT_FORECAST && c->unit != UMMGR_PAGING_NONE)
    return way;
  if (way == HINT_FORECAST)
    way = !try ? other : other == HINT_AGE ? HINT_RATE : HINT_AGE;
  uint32_t unit = way == HINT_AGE ? by_age (c) : by_rate (c);
  if (unit == UMMGR_PAGING_NONE)
    return HINT_FORECAST;
  c->unit = unit;
  c->passed = false;
  return way;
}
