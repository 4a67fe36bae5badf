/* HPE: hierarchical page eviction.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Yu, Childers, Huang, Qian and Wang, IEEE TCAD 39(10), 2020; numbers in
   brackets are its sections.  The chain is hpe-chain.c, the hit record cache
   hpe-hits.c; here are counters and division [IV-C], the classification
   [IV-D] and the dynamic adjustment [IV-E].

   Owns, in each instance, all of these.

   Choices where the paper is silent or can't be taken by the letter:

   - Algorithm 1 has irregular#2 applications continue with the strategy that
     lasted for more intervals.  They begin with LRU; taken by the letter
     MRU-C, at 0 intervals, would never be tried, while Fig. 13 shows it in
     use.  So a strategy not yet tried is tried first; then what counts is
     how long each last went without needing adjustment, and a tie changes
     nothing.
   - Adjustment happens when the count of wrong evictions becomes 16, not at
     each beyond, so at most once an interval for each strategy.  It is seen
     once the fault is served, after that fault's eviction.
   - Algorithm 1 says of a regular application's search point that it jumps, and
     has no loop there, as it has for the others: so it jumps once.  The text has
     no limit; a variant jumps each time that the requirement is satisfied, from
     where it is.
   - Each eviction searches anew, also where the page set that the last one took
     a unit of has more of them.  To stay with that one made no program better
     and most a little worse.
   - An evicted unit is remembered by the strategy in force, also where the
     old partition was empty and LRU chose for MRU-C.  Coming back counts
     once.
   - Counters of 0 (sets that were only prefetched) are of no kind, though 0
     is divisible; a ratio with nothing below the line is infinite.
   - Hits on a set that has left the chain are dropped: an entry without
     units could not be evicted.
   - "Only page faults update the bit vector": a prefetched unit's bit is set
     by its first hit.  What is resident when its set is divided belongs to
     the primary.
   - The history buffer is a vector for each page set, empty until it is
     divided.  It holds from the division on, not from the primary's
     eviction: the primary is on the chain until then, with the same vector.
   - Prefetched units enter like faulted ones, but are no touch.  */

#include "config.h"
#include "paging/hpe.h"
#include "paging/copy.h"

#include <math.h>
#include <string.h>

enum { LRU, MRU_C };

/* In a strategy's FIFO as its NUMBERth eviction, from 1; 0: in none.  */
struct mark
{
  uint64_t number;
  uint8_t strategy;
};

struct ummgr_paging
{
  struct ummgr_hpe_params params;
  struct hpe_chain chain;
  struct hpe_hits hits;
  uint32_t units;
  struct mark *mark;		/* By unit.  */
  uint64_t *primary;		/* By page set: history buffer; 0: whole.  */
  uint32_t sets;		/* In PRIMARY.  */
  uint64_t faults;
  bool transferred;		/* For the fault being served.  */
  uint32_t chosen;		/* By victim.  */

  enum ummgr_hpe_category category;
  double ratio1, ratio2;
  bool large;			/* The search point may jump.  */
  uint8_t strategy;
  uint64_t evictions[2];	/* Under each strategy.  */
  uint32_t wrong[2];		/* In this interval.  */
  uint32_t lasted[2];		/* Intervals, until last adjusted.  */
  bool tried[2];
  uint32_t since;		/* Interval in which STRATEGY began.  */
  uint32_t switches, divided;
  uint64_t hits_lost;
  bool measured;
  uint64_t searches, comparisons, transfers, sent;
};

struct ummgr_hpe_params
ummgr_hpe_defaults (void)
{
  return (struct ummgr_hpe_params) {
    .page_set = 16,
    .interval = 64,
    .counter_most = 64,
    .ratio1 = 0.3,
    .ratio2 = 2,
    .adjust = true,
    .fifo = 128,
    .wrong_most = 16,
    .jump = 16,
    .jump_least = 64,
    .hits = UMMGR_HPE_HITS_CACHE,
    .transfer = 16,
    .hir_entries = 1024,
    .hir_ways = 8,
    .hir_most = 3,
  };
}

static bool
power_of_2 (uint32_t n)
{
  return n && !(n & (n - 1));
}

static bool
params_fit (const struct ummgr_hpe_params *a)
{
  return (a->page_set >= 2 && a->page_set <= 64 && power_of_2 (a->page_set)
	  && a->counter_most >= a->page_set && a->counter_most <= 4096
	  && a->interval && a->fifo && a->wrong_most && a->transfer
	  && a->hir_ways && a->hir_entries % a->hir_ways == 0
	  && power_of_2 (a->hir_entries / a->hir_ways)
	  && a->hir_entries <= 1 << 24 && a->hir_most && a->hir_most <= 255);
}

static bool
hpe_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units)
    return true;
  if (!hpe_chain_grow (&p->chain, units))
    return false;
  struct mark *mark = realloc (p->mark, units * sizeof *mark);
  if (!mark)
    return false;
  p->mark = mark;
  uint32_t sets = p->chain.entries / 2;
  uint64_t *primary = realloc (p->primary, sets * sizeof *primary);
  if (!primary)
    return false;
  p->primary = primary;
  memset (mark + p->units, 0, (units - p->units) * sizeof *mark);
  memset (primary + p->sets, 0, (sets - p->sets) * sizeof *primary);
  p->units = units;
  p->sets = sets;
  return true;
}

static void
hpe_destroy (struct ummgr_paging *p)
{
  if (!p)
    return;
  hpe_chain_free (&p->chain);
  hpe_hits_free (&p->hits);
  free (p->mark);
  free (p->primary);
  free (p);
}

struct ummgr_paging *
ummgr_paging_hpe_create (uint32_t units, const struct ummgr_hpe_params *params)
{
  if (!params_fit (params))
    return NULL;
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->params = *params;
  p->chosen = UMMGR_PAGING_NONE;
  if (!hpe_chain_init (&p->chain, params->page_set, params->counter_most)
      || (params->hits == UMMGR_HPE_HITS_CACHE
	  && !hpe_hits_init (&p->hits, params))
      || !hpe_grow (p, units))
    {
      hpe_destroy (p);
      return NULL;
    }
  return p;
}

static struct ummgr_paging *
hpe_create (uint32_t units)
{
  struct ummgr_hpe_params params = ummgr_hpe_defaults ();
  return ummgr_paging_hpe_create (units, &params);
}

static struct ummgr_paging *
jumps_create (uint32_t units)
{
  struct ummgr_hpe_params params = ummgr_hpe_defaults ();
  params.jump_again = true;
  return ummgr_paging_hpe_create (units, &params);
}

static struct ummgr_paging *
nohits_create (uint32_t units)
{
  struct ummgr_hpe_params params = ummgr_hpe_defaults ();
  params.hits = UMMGR_HPE_HITS_NONE;
  return ummgr_paging_hpe_create (units, &params);
}

static bool
hpe_own (struct ummgr_paging *c)
{
  bool good = hpe_chain_copied (&c->chain);
  good &= hpe_hits_copied (&c->hits);
  good &= ummgr_paging_copied (&c->mark, c->units * sizeof *c->mark);
  good &= ummgr_paging_copied (&c->primary, c->sets * sizeof *c->primary);
  return good;
}

/* --- touches, and dividing page sets [IV-C] ----------------------------- */

static uint64_t
bit_of (const struct ummgr_paging *p, uint32_t unit)
{
  return UINT64_C (1) << (unit & (p->params.page_set - 1));
}

/* The entry that UNIT belongs to.  */
static uint32_t
entry_of (const struct ummgr_paging *p, uint32_t unit)
{
  uint32_t set = unit >> p->chain.shift;
  bool secondary = p->primary[set] && !(p->primary[set] & bit_of (p, unit));
  return 2 * set + secondary;
}

static bool
is_resident (const struct ummgr_paging *p, uint32_t unit)
{
  return p->chain.set[entry_of (p, unit)].resident & bit_of (p, unit);
}

/* ENTRY, in the new partition, is touched TIMES.  */
static void
count_touches (struct ummgr_paging *p, uint32_t entry, uint32_t times)
{
  struct hpe_set *s = &p->chain.set[entry];
  uint32_t most = p->params.counter_most;
  if (s->counter == most)
    return;
  s->counter = times < most - s->counter ? s->counter + times : most;
  if (s->counter < most || p->primary[entry / 2])
    return;
  uint64_t here = s->touched | s->resident;
  if (here != UINT64_MAX >> (64 - p->params.page_set))
    {
      p->primary[entry / 2] = here;
      p->divided++;
    }
}

static void
hit (struct ummgr_paging *p, uint32_t unit, uint32_t times)
{
  uint32_t entry = entry_of (p, unit);
  struct hpe_set *s = &p->chain.set[entry];
  if (!s->linked)
    return;
  hpe_chain_place (&p->chain, entry);
  s->touched |= s->resident & bit_of (p, unit);
  count_touches (p, entry, times);
}

static void
hpe_touch (struct ummgr_paging *p, uint32_t unit)
{
  if (!is_resident (p, unit))
    return;
  if (p->params.hits == UMMGR_HPE_HITS_EXACT)
    hit (p, unit, 1);
  else if (p->params.hits == UMMGR_HPE_HITS_CACHE)
    p->hits_lost += !hpe_hits_record (&p->hits, unit);
}

/* "Before evicting a page": on the fault that is the 16th, which insert has
   not counted yet, and once for it.  */
static void
transfer_if_due (struct ummgr_paging *p)
{
  if (p->params.hits != UMMGR_HPE_HITS_CACHE || p->transferred
      || (p->faults + 1) % p->params.transfer)
    return;
  p->transferred = true;
  p->transfers++;
  p->sent += p->hits.used;
  hpe_hits_transfer (&p->hits, hit, p);
}

/* --- dynamic adjustment [IV-E] ------------------------------------------ */

static void
adjust (struct ummgr_paging *p)
{
  if (p->category == UMMGR_HPE_REGULAR && p->large
      && (p->params.jump_again || !p->chain.search_point))
    hpe_chain_jump (&p->chain, p->params.jump);
  if (p->category != UMMGR_HPE_IRREGULAR2)
    return;
  uint8_t this = p->strategy, other = !this;
  p->lasted[this] = p->chain.interval - p->since;
  p->since = p->chain.interval;
  if (p->tried[other] && p->lasted[other] <= p->lasted[this])
    return;
  p->strategy = other;
  p->tried[other] = true;
  p->switches++;
}

/* UNIT faults: was evicting it wrong?  */
static void
judge_eviction (struct ummgr_paging *p, uint32_t unit)
{
  struct mark m = p->mark[unit];
  p->mark[unit].number = 0;
  if (!m.number || p->evictions[m.strategy] - m.number >= p->params.fifo)
    return;
  if (++p->wrong[m.strategy] == p->params.wrong_most
      && m.strategy == p->strategy && p->params.adjust)
    adjust (p);
}

/* --- classification [IV-D] ---------------------------------------------- */

struct census
{
  uint32_t page_set;
  uint32_t regular, irregular, small, large;
};

static void
count_set (const struct hpe_set *s, void *data)
{
  struct census *c = data;
  if (!s->counter)
    return;
  if (s->counter % c->page_set)
    {
      c->irregular++;
      return;
    }
  c->regular++;
  unsigned times = s->counter / c->page_set;
  c->small += times <= 2;
  c->large += times == 3 || times == 4;
}

static double
ratio (uint32_t above, uint32_t below)
{
  return below ? (double) above / below : above ? INFINITY : 0;
}

static void
classify (struct ummgr_paging *p)
{
  struct census c = { .page_set = p->params.page_set };
  hpe_chain_each (&p->chain, count_set, &c);
  p->ratio1 = ratio (c.irregular, c.regular);
  p->ratio2 = ratio (c.large, c.small);
  p->category = p->ratio1 > p->params.ratio1	? UMMGR_HPE_IRREGULAR2
		: p->ratio2 >= p->params.ratio2 ? UMMGR_HPE_IRREGULAR1
						: UMMGR_HPE_REGULAR;
  p->strategy = p->category == UMMGR_HPE_REGULAR ? MRU_C : LRU;
  p->tried[p->strategy] = true;
  p->since = p->chain.interval;
  p->large = (p->chain.searched + p->chain.skipped >= p->params.jump_least);
}

/* --- the policy --------------------------------------------------------- */

/* UNIT comes to its entry; returns that.  */
static uint32_t
enter (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t entry = entry_of (p, unit);
  struct hpe_set *s = &p->chain.set[entry];
  if (!s->linked)
    {
      s->counter = 0;
      s->touched = 0;
    }
  hpe_chain_place (&p->chain, entry);
  s->resident |= bit_of (p, unit);
  return entry;
}

static void
hpe_prefetch (struct ummgr_paging *p, uint32_t unit)
{
  p->mark[unit].number = 0;
  enter (p, unit);
}

static void
hpe_insert (struct ummgr_paging *p, uint32_t unit)
{
  transfer_if_due (p);
  p->transferred = false;
  p->faults++;
  judge_eviction (p, unit);
  uint32_t entry = enter (p, unit);
  p->chain.set[entry].touched |= bit_of (p, unit);
  count_touches (p, entry, 1);
  if (p->faults % p->params.interval == 0)
    {
      hpe_chain_next_interval (&p->chain);
      p->wrong[LRU] = p->wrong[MRU_C] = 0;
    }
}

static void
hpe_remove (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t entry = entry_of (p, unit);
  struct hpe_set *s = &p->chain.set[entry];
  if (!(s->resident & bit_of (p, unit)))
    return;
  s->resident &= ~bit_of (p, unit);
  if (!s->resident)
    hpe_chain_take_off (&p->chain, entry);
  if (p->chosen == unit)
    p->mark[unit] = (struct mark) { ++p->evictions[p->strategy], p->strategy };
  p->chosen = UMMGR_PAGING_NONE;
}

/* Once a page set has left the chain and some of it is freed, its next
   inhabitants may behave otherwise.  */
static void
hpe_forget (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t set = unit >> p->chain.shift;
  p->mark[unit].number = 0;
  if (!p->chain.set[2 * set].linked && !p->chain.set[2 * set + 1].linked)
    p->primary[set] = 0;
}

static uint32_t
hpe_victim (struct ummgr_paging *p,
	    bool (*pinned) (void *data, uint32_t unit), void *data)
{
  transfer_if_due (p);
  if (p->category == UMMGR_HPE_UNKNOWN)
    classify (p);
  struct hpe_pins pins = { pinned, data };
  p->chosen = hpe_chain_victim (&p->chain, p->strategy == MRU_C, &pins);
  if (p->measured && p->strategy == MRU_C && p->chosen != UMMGR_PAGING_NONE)
    {
      p->searches++;
      p->comparisons += hpe_chain_compared (&p->chain, entry_of (p, p->chosen));
    }
  return p->chosen;
}

void
ummgr_paging_hpe_measure (struct ummgr_paging *p)
{
  p->measured = true;
}

void
ummgr_paging_hpe_state (const struct ummgr_paging *p,
			struct ummgr_hpe_state *out)
{
  *out = (struct ummgr_hpe_state) {
    .category = p->category,
    .ratio1 = p->ratio1,
    .ratio2 = p->ratio2,
    .mru_c = p->strategy == MRU_C,
    .search_point = p->chain.search_point,
    .switches = p->switches,
    .old = p->chain.searched + p->chain.skipped,
    .middle = p->chain.middle,
    .new = p->chain.new,
    .divided = p->divided,
    .faults = p->faults,
    .hits_lost = p->hits_lost,
    .searches = p->searches,
    .comparisons = p->comparisons,
    .transfers = p->transfers,
    .entries = p->sent
  };
}

#define HPE_OPS(CREATE)							\
  .unit_bytes = 2 * sizeof (struct mark), .create = CREATE,		\
  .destroy = hpe_destroy, .size = sizeof (struct ummgr_paging),		\
  .own = hpe_own, .grow = hpe_grow, .insert = hpe_insert,		\
  .prefetch = hpe_prefetch, .remove = hpe_remove, .forget = hpe_forget,	\
  .victim = hpe_victim

const struct ummgr_paging_ops ummgr_paging_hpe = {
  .name = "hpe",
  .description = "a unit of a page set that is cold, as the classified"
		 " application's pattern has it",
  .touch = hpe_touch, HPE_OPS (hpe_create)
};

const struct ummgr_paging_ops ummgr_paging_hpe_jumps = {
  .name = "hpe-jumps",
  .description = "HPE whose search point jumps more than once",
  .touch = hpe_touch, HPE_OPS (jumps_create)
};

const struct ummgr_paging_ops ummgr_paging_hpe_nohits = {
  .name = "hpe-nohits",
  .description = "HPE on a GPU that does not record hits",
  HPE_OPS (nohits_create)
};
