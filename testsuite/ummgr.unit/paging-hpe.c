/* HPE against a version written from the paper's section IV on plain arrays,
   which searches where HPE keeps books: a wrong partition, counter, division,
   hit record, classification, search point or strategy shows.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

#define SETS 1024

struct item
{
  uint32_t tag;
  bool secondary, divided;
  uint32_t counter;
  uint32_t placed;		/* Interval.  */
  bool touched[64];
};

struct record
{
  bool known;
  bool primary[64];
};

struct hir_entry
{
  bool valid;
  uint32_t tag;
  uint32_t times[64];
};

static struct ummgr_hpe_params a;
static struct item chain[SETS];	/* LRU first.  */
static int length;
static bool resident[DRIVE_UNITS];
static struct record history[SETS];
static struct hir_entry hir[4096];
static int hir_order[4096], hir_used;
static uint32_t fifo[2][4096], fifo_next[2], wrong[2];
static uint32_t interval, faults, search_point, began;
static uint32_t stretch[2];
static bool full, lru_mru[2], early, jumps;
static int strategy, category;	/* Strategy 0 LRU, 1 MRU-C.  */

static int
find (uint32_t tag, bool secondary)
{
  for (int i = 0; i < length; i++)
    if (chain[i].tag == tag && chain[i].secondary == secondary)
      return i;
  return -1;
}

/* Fig. 6: the history buffer first, then the chain.  */
static bool
is_secondary (uint32_t unit)
{
  uint32_t tag = unit / a.page_set, offset = unit % a.page_set;
  if (history[tag].known)
    return !history[tag].primary[offset];
  int i = find (tag, false);
  return i >= 0 && chain[i].divided && !chain[i].touched[offset];
}

static bool
any_resident (uint32_t tag, bool secondary)
{
  for (uint32_t o = 0; o < a.page_set; o++)
    if (resident[tag * a.page_set + o]
	&& is_secondary (tag * a.page_set + o) == secondary)
      return true;
  return false;
}

static void
to_mru (int i)
{
  struct item item = chain[i];
  if (item.placed == interval)
    return;
  item.placed = interval;
  memmove (&chain[i], &chain[i + 1], (length - i - 1) * sizeof *chain);
  chain[length - 1] = item;
}

/* The entry of UNIT, made if it is missing, at the MRU end.  */
static struct item *
reach (uint32_t unit)
{
  uint32_t tag = unit / a.page_set;
  bool secondary = is_secondary (unit);
  int i = find (tag, secondary);
  if (i < 0)
    {
      chain[length++] = (struct item) {
	.tag = tag, .secondary = secondary, .placed = interval,
	.divided = secondary || history[tag].known
      };
      return &chain[length - 1];
    }
  to_mru (i);
  return &chain[find (tag, secondary)];
}

static void
add (struct item *item, uint32_t times)
{
  bool was = item->counter >= a.counter_most;
  item->counter += times;
  if (item->counter < a.counter_most)
    return;
  item->counter = a.counter_most;
  if (was || item->divided)
    return;
  bool here[64], all = true;
  for (uint32_t o = 0; o < a.page_set; o++)
    {
      here[o] = item->touched[o] || resident[item->tag * a.page_set + o];
      all = all && here[o];
    }
  if (all)
    return;
  item->divided = true;
  memcpy (item->touched, here, sizeof here);
}

static void
apply_hit (uint32_t unit, uint32_t times)
{
  if (find (unit / a.page_set, is_secondary (unit)) < 0)
    return;
  struct item *item = reach (unit);
  if (resident[unit])
    item->touched[unit % a.page_set] = true;
  add (item, times);
}

static void
slow_touch (uint32_t unit)
{
  if (a.hits == UMMGR_HPE_HITS_NONE)
    return;
  if (a.hits == UMMGR_HPE_HITS_EXACT)
    {
      apply_hit (unit, 1);
      return;
    }
  uint32_t tag = unit / a.page_set, groups = a.hir_entries / a.hir_ways;
  int base = tag % groups * a.hir_ways, at = -1, empty = -1;
  for (uint32_t w = 0; w < a.hir_ways; w++)
    if (hir[base + w].valid && hir[base + w].tag == tag)
      at = base + w;
    else if (!hir[base + w].valid && empty < 0)
      empty = base + w;
  if (at < 0 && empty < 0)
    return;
  if (at < 0)
    {
      at = empty;
      memset (&hir[at], 0, sizeof hir[at]);
      hir[at].valid = true;
      hir[at].tag = tag;
      hir_order[hir_used++] = at;
    }
  if (hir[at].times[unit % a.page_set] < a.hir_most)
    hir[at].times[unit % a.page_set]++;
}

static void
transfer (void)
{
  if (a.hits != UMMGR_HPE_HITS_CACHE || early
      || faults % a.transfer != a.transfer - 1)
    return;
  early = true;
  for (int i = 0; i < hir_used; i++)
    {
      struct hir_entry *e = &hir[hir_order[i]];
      for (uint32_t o = 0; o < a.page_set; o++)
	if (e->times[o])
	  apply_hit (e->tag * a.page_set + o, e->times[o]);
      e->valid = false;
    }
  hir_used = 0;
}

static void
adjust (void)
{
  if (category == UMMGR_HPE_REGULAR && jumps && (a.jump_again || !search_point))
    search_point += a.jump;
  if (category != UMMGR_HPE_IRREGULAR2)
    return;
  stretch[strategy] = interval - began;
  began = interval;
  int other = 1 - strategy;
  if (!lru_mru[other] || stretch[other] > stretch[strategy])
    {
      lru_mru[other] = true;
      strategy = other;
    }
}

/* True if UNIT was in a FIFO.  */
static bool
blank (uint32_t unit, int s)
{
  bool found = false;
  for (uint32_t i = 0; i < a.fifo; i++)
    if (fifo[s][i] == unit)
      {
	fifo[s][i] = NONE;
	found = true;
      }
  return found;
}

static void
slow_insert (uint32_t unit)
{
  transfer ();
  early = false;
  faults++;
  for (int s = 0; s < 2; s++)
    if (blank (unit, s) && ++wrong[s] == a.wrong_most && s == strategy
	&& a.adjust)
      adjust ();
  struct item *item = reach (unit);
  resident[unit] = true;
  item->touched[unit % a.page_set] = true;
  add (item, 1);
  if (faults % a.interval == 0)
    {
      interval++;
      wrong[0] = wrong[1] = 0;
    }
}

static void
slow_prefetch (uint32_t unit)
{
  blank (unit, 0);
  blank (unit, 1);
  reach (unit);
  resident[unit] = true;
}

static void
slow_leave (uint32_t unit)
{
  uint32_t tag = unit / a.page_set;
  bool secondary = is_secondary (unit);
  resident[unit] = false;
  if (any_resident (tag, secondary))
    return;
  int i = find (tag, secondary);
  if (chain[i].divided && !secondary && !history[tag].known)
    {
      history[tag].known = true;
      memcpy (history[tag].primary, chain[i].touched,
	      sizeof history[tag].primary);
    }
  memmove (&chain[i], &chain[i + 1], (length - i - 1) * sizeof *chain);
  length--;
}

static void
slow_evict (uint32_t unit)
{
  slow_leave (unit);
  fifo[strategy][fifo_next[strategy]++ % a.fifo] = unit;
}

static void
slow_forget (uint32_t unit)
{
  uint32_t tag = unit / a.page_set;
  blank (unit, 0);
  blank (unit, 1);
  if (find (tag, false) < 0 && find (tag, true) < 0)
    history[tag].known = false;
}

static int
old_length (void)
{
  int n = 0;
  while (n < length && chain[n].placed + 1 < interval)
    n++;
  return n;
}

/* Table III.  */
static void
classify (void)
{
  int regular = 0, irregular = 0, small = 0, large = 0;
  for (int i = 0; i < length; i++)
    {
      uint32_t c = chain[i].counter;
      if (c == 0)
	continue;
      if (c % a.page_set)
	irregular++;
      else
	regular++;
      small += c == a.page_set || c == 2 * a.page_set;
      large += c == 3 * a.page_set || c == 4 * a.page_set;
    }
  if (irregular > a.ratio1 * regular)
    category = UMMGR_HPE_IRREGULAR2;
  else if (large && large >= a.ratio2 * small)
    category = UMMGR_HPE_IRREGULAR1;
  else
    category = UMMGR_HPE_REGULAR;
  strategy = category == UMMGR_HPE_REGULAR;
  lru_mru[strategy] = true;
  began = interval;
  jumps = old_length () >= (int) a.jump_least;
}

static uint32_t
first_of (int i, uint32_t pin)
{
  uint32_t base = chain[i].tag * a.page_set;
  for (uint32_t u = base; u < base + a.page_set; u++)
    if (resident[u] && u != pin && is_secondary (u) == chain[i].secondary)
      return u;
  return NONE;
}

static uint32_t
mru_c (uint32_t pin, int start)
{
  uint32_t above = NONE, above_counter = 0, below = NONE, below_counter = 0;
  for (int i = start; i >= 0; i--)
    {
      uint32_t u = first_of (i, pin), c = chain[i].counter;
      if (u == NONE)
	continue;
      if (c == a.page_set)
	return u;
      if (c > a.page_set && (above == NONE || c < above_counter))
	{
	  above = u;
	  above_counter = c;
	}
      if (c < a.page_set && (below == NONE || c > below_counter))
	{
	  below = u;
	  below_counter = c;
	}
    }
  return above != NONE ? above : below;
}

static uint32_t
slow_victim (uint32_t pin)
{
  transfer ();
  if (!full)
    classify ();
  full = true;
  int old = old_length (), from = 0;
  if (strategy == 1 && old)
    {
      int start = old - 1 - (int) search_point;
      uint32_t u = mru_c (pin, start < 0 ? 0 : start);
      if (u != NONE)
	return u;
    }
  for (int i = from; i < length; i++)
    if (first_of (i, pin) != NONE)
      return first_of (i, pin);
  return NONE;
}

static const struct slow slow
  = { slow_insert, slow_prefetch, slow_touch, slow_evict,
      slow_leave,  slow_forget,	  slow_victim };

static int seen[4];

static void
compare (uint32_t units, uint32_t capacity, enum pattern pattern,
	 uint64_t steps, unsigned disturb)
{
  struct drive d
    = { units, capacity, pattern, steps, 5 + pattern, disturb, 0, 0, 0 };
  length = hir_used = 0;
  memset (resident, 0, sizeof resident);
  memset (history, 0, sizeof history);
  memset (hir, 0, sizeof hir);
  memset (fifo, 0xff, sizeof fifo);
  for (int s = 0; s < 2; s++)
    {
      fifo_next[s] = wrong[s] = stretch[s] = 0;
      lru_mru[s] = false;
    }
  interval = 2;
  faults = search_point = began = 0;
  full = early = jumps = false;
  strategy = category = 0;
  drive_run (&d, &ummgr_paging_hpe, ummgr_paging_hpe_create (units, &a),
	     &slow);
  seen[category]++;
}

/* All constants an eighth or so, so that a short run sees every transition
   often.  */
static void
small_constants (void)
{
  a.page_set = 4;
  a.interval = 8;
  a.counter_most = 16;
  a.fifo = 16;
  a.wrong_most = 4;
  a.jump = 2;
  a.jump_least = 4;
  a.transfer = 3;
  a.hir_entries = 8;
  a.hir_ways = 2;
}

int
main (void)
{
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (int kind = 0; kind < 6; kind++)
      {
	a = ummgr_hpe_defaults ();
	a.hits = kind % 3;
	a.adjust = kind != 5;
	a.jump_again = kind % 2;
	small_constants ();
	compare (130, 80, pattern, 25000, kind ? 25 : 0);
	/* More old sets than memory has: the search point stays.  */
	a.jump_least = kind % 2 ? 100 : 14;
	compare (126, 100, pattern, 2000, kind < 3 ? 0 : 200);
      }
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (int hits = 0; hits < 3; hits++)
      {
	a = ummgr_hpe_defaults ();
	a.hits = hits;
	compare (2400, 1800, pattern, 12000, hits == 2 ? 100 : 0);
      }
  CHECK (seen[UMMGR_HPE_REGULAR] && seen[UMMGR_HPE_IRREGULAR1]
	 && seen[UMMGR_HPE_IRREGULAR2]);
  return 0;
}
