/* RRIP-FP against a version with one explicit prediction a unit: a prediction
   that rises or falls wrongly, a unit evicted before its delay is over, or a
   wrong order among equals shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

struct page
{
  bool there, young;
  int prediction;
  uint64_t came;		/* Fault number.  */
  uint64_t entered;		/* When it came to be old enough or used.  */
  uint64_t rise;		/* The rise that made it distant.  */
};

static struct page pages[DRIVE_UNITS];
static uint32_t units;
static struct ummgr_rrip_params params;
static int distant;
static uint64_t faults, now, rises, arrivals[DRIVE_UNITS], arrival;

static void
set_prediction (struct page *g, int value)
{
  g->prediction = value;
  g->entered = ++now;
  g->rise = rises;
}

static void
slow_touch (uint32_t unit)
{
  struct page *g = &pages[unit];
  set_prediction (g, g->prediction > 0 ? g->prediction - 1 : 0);
}

static void
slow_prefetch (uint32_t unit)
{
  struct page *g = &pages[unit];
  g->there = true;
  g->came = faults;
  g->young = params.delay > 0;
  arrivals[unit] = ++arrival;
  set_prediction (g, params.insert_distant ? distant : distant - 1);
}

static void
slow_insert (uint32_t unit)
{
  faults++;
  if (pages[unit].there)
    slow_touch (unit);
  else
    slow_prefetch (unit);
}

static void
slow_leave (uint32_t unit)
{
  pages[unit].there = false;
}

static void
slow_forget (uint32_t unit)
{
  (void) unit;
}

/* Units that are old enough now, in the order in which they came.  */
static void
ripen (void)
{
  for (;;)
    {
      uint32_t first = NONE;
      for (uint32_t u = 0; u < units; u++)
	if (pages[u].there && pages[u].young
	    && (first == NONE || arrivals[u] < arrivals[first]))
	  first = u;
      if (first == NONE || faults + 1 - pages[first].came < params.delay)
	return;
      pages[first].young = false;
      set_prediction (&pages[first], pages[first].prediction);
    }
}

static uint32_t
find_distant (uint32_t pin)
{
  uint32_t best = NONE;
  for (uint32_t u = 0; u < units; u++)
    {
      struct page *g = &pages[u];
      if (!g->there || g->young || u == pin || g->prediction != distant)
	continue;
      if (best == NONE || g->rise < pages[best].rise
	  || (g->rise == pages[best].rise && g->entered < pages[best].entered))
	best = u;
    }
  return best;
}

static uint32_t
slow_victim (uint32_t pin)
{
  ripen ();
  uint32_t eligible = 0, oldest = NONE;
  for (uint32_t u = 0; u < units; u++)
    if (pages[u].there && u != pin)
      {
	eligible += !pages[u].young;
	if (oldest == NONE || arrivals[u] < arrivals[oldest])
	  oldest = u;
      }
  if (!eligible)
    return oldest;
  uint32_t found;
  while ((found = find_distant (pin)) == NONE)
    {
      rises++;
      for (uint32_t u = 0; u < units; u++)
	if (pages[u].there && pages[u].prediction < distant
	    && ++pages[u].prediction == distant)
	  pages[u].rise = rises;
    }
  return found;
}

static const struct slow slow
  = { slow_insert, slow_prefetch, slow_touch, slow_leave,
      slow_leave,  slow_forget,	  slow_victim };

static void
compare (struct drive *d)
{
  memset (pages, 0, sizeof pages);
  units = d->units;
  distant = (1 << params.bits) - 1;
  faults = now = rises = arrival = 0;
  drive_run (d, &ummgr_paging_rrip,
	     ummgr_paging_rrip_create (units, &params), &slow);
}

/* M = 2: 0 and 1 come at 2, 1 is used (1).  A victim is sought: both rise,
   and 0, now 3, goes.  2 comes at 2, where 1 has been since it rose; at the
   next search both rise to 3, and 1 was in front.  Used again, it is not.  */
static void
by_hand (void)
{
  const struct ummgr_paging_ops *ops = &ummgr_paging_rrip;
  struct ummgr_paging *p = ops->create (4);
  ops->insert (p, 0);
  ops->insert (p, 1);
  ops->touch (p, 1);
  CHECK_EQ (ops->victim (p, NULL, NULL), 0);
  ops->remove (p, 0);
  ops->insert (p, 2);
  CHECK_EQ (ops->victim (p, NULL, NULL), 1);
  ops->touch (p, 1);		/* 3 to 2, while 2 has risen to 3.  */
  CHECK_EQ (ops->victim (p, NULL, NULL), 2);
  ops->destroy (p);

  /* With the delay, 128 faults protect: the first may go at fault 129.  */
  struct ummgr_rrip_params thrashing = ummgr_rrip_defaults (true);
  CHECK_EQ (thrashing.delay, 128);
  CHECK (thrashing.insert_distant && thrashing.bits == 2);
  p = ummgr_paging_rrip_create (300, &thrashing);
  ops->prefetch (p, 299);	/* Came at fault 0, and is used.  */
  ops->touch (p, 299);
  for (uint32_t u = 0; u < 127; u++)
    ops->insert (p, u);
  /* Fault 128: only 299 is old enough, though not distant at first.  */
  CHECK_EQ (ops->victim (p, NULL, NULL), 299);
  ops->insert (p, 127);
  ops->touch (p, 299);
  /* Fault 129: unit 0 came at fault 1 and is distant.  */
  CHECK_EQ (ops->victim (p, NULL, NULL), 0);
  ops->destroy (p);
}

int
main (void)
{
  CHECK (ummgr_paging_find ("rrip") == &ummgr_paging_rrip);
  CHECK (ummgr_paging_find ("rrip-thrashing") == &ummgr_paging_rrip_thrashing);
  by_hand ();
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (int kind = 0; kind < 4; kind++)
      {
	params = ummgr_rrip_defaults (kind & 1);
	if (kind >= 2)
	  params.bits = kind == 2 ? 1 : 3;
	if (kind == 3)
	  params.delay = 15;
	struct drive d
	  = { 60, 40, pattern, 40000, 11 + pattern, kind ? 12 : 0, 0, 0, 0 };
	compare (&d);
	d = (struct drive) { 280, 200, pattern, 3000, pattern, 20, 0, 0, 0 };
	compare (&d);
      }
  params.bits = 9;
  CHECK (!ummgr_paging_rrip_create (10, &params));
  return 0;
}
