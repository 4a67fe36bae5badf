/* A policy has fewer faults than Belady's MIN on the same events, among them
   pages that are freed, taken away, prefetched and advised: then one of the two
   counts wrongly, or does not do what it is told.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"
#include "replay/ideal.h"
#include "replay/memory.h"

enum { MOST = 40000 };

static struct ummgr_page_event event[MOST];
static size_t events;

/* --- the least that there can be ------------------------------------------ */

static bool
leaves (uint32_t kind)
{
  return kind == UMMGR_PAGE_FREE || kind == UMMGR_PAGE_HOST_READ
	 || kind == UMMGR_PAGE_PREFETCH_OUT;
}

/* Fewest faults, by trying all victims; IN is resident.  */
static unsigned
tried (size_t at, unsigned in, unsigned capacity)
{
  if (at == events)
    return 0;
  unsigned bit = 1u << event[at].unit;
  if (leaves (event[at].kind))
    return tried (at + 1, in & ~bit, capacity);
  if (in & bit)
    return tried (at + 1, in, capacity);
  unsigned best = 1000, costs = event[at].kind <= UMMGR_PAGE_WRITE;
  if ((unsigned) __builtin_popcount (in) < capacity)
    best = tried (at + 1, in | bit, capacity);
  else
    for (unsigned m = in; m; m &= m - 1)
      {
	unsigned n = tried (at + 1, (in & ~(m & -m)) | bit, capacity);
	best = n < best ? n : best;
      }
  return costs + best;
}

/* The same by keeping pages from one use to the next, in the order of the next
   uses, wherever all places in between have room.  Until a prefetch, keeping is
   in vain.  */
static uint64_t
fewest (uint32_t capacity)
{
  static uint32_t used[MOST];
  static int64_t last[DRIVE_UNITS];
  uint64_t faults = 0;
  memset (last, 0xff, sizeof last);
  for (size_t i = 0; i < events; i++)
    {
      uint32_t unit = event[i].unit;
      used[i] = !leaves (event[i].kind);
      if (!used[i])
	{
	  last[unit] = -1;
	  continue;
	}
      int64_t since = last[unit];
      bool kept = event[i].kind <= UMMGR_PAGE_WRITE && since >= 0;
      for (int64_t k = since + 1; kept && k < (int64_t) i; k++)
	kept = used[k] < capacity;
      for (int64_t k = since + 1; kept && k < (int64_t) i; k++)
	used[k] += used[k] != 0;
      faults += event[i].kind <= UMMGR_PAGE_WRITE && !kept;
      last[unit] = i;
    }
  return faults;
}

/* --- sequences -------------------------------------------------------------- */

static void
record (struct drive *d, size_t length, bool prefetches)
{
  for (events = 0; events < length; events++)
    {
      struct ummgr_page_event *e = &event[events];
      e->unit = drive_next (d, events);
      e->kind = drive_random (d, 5) ? UMMGR_PAGE_READ : UMMGR_PAGE_WRITE;
      if (!d->disturb || drive_random (d, d->disturb))
	continue;
      static const uint32_t kinds[] = {
	UMMGR_PAGE_FREE, UMMGR_PAGE_HOST_READ, UMMGR_PAGE_PREFETCH_OUT,
	UMMGR_PAGE_PREFETCH_IN
      };
      e->unit = drive_random (d, d->units);
      e->kind = kinds[drive_random (d, 3 + prefetches)];
    }
}

static void
against_all_ways (void)
{
  struct drive d = { 5, 3, UNIFORM, 0, 1, 3 };
  for (int round = 0; round < 10000; round++)
    {
      d.units = 1 + drive_random (&d, 5);
      record (&d, 1 + drive_random (&d, 13), true);
      uint32_t capacity = 1 + drive_random (&d, 4);
      CHECK_EQ (fewest (capacity), tried (0, 0, capacity));
    }
}

/* As replay counts it.  */
static uint64_t
ideal (uint32_t units, uint32_t capacity)
{
  struct ummgr_ideal *ideal = ummgr_ideal_create (capacity);
  CHECK (ideal && ummgr_ideal_grow (ideal, units));
  for (size_t i = 0; i < events; i++)
    if (leaves (event[i].kind))
      ummgr_ideal_gone (ideal, event[i].unit);
    else
      ummgr_ideal_use (ideal, event[i].unit, true);
  uint64_t faults = ummgr_ideal_counts (ideal).faults;
  ummgr_ideal_destroy (ideal);
  return faults;
}

/* --- policies --------------------------------------------------------------- */

static uint64_t
played (const struct ummgr_paging_ops *ops, struct ummgr_paging *p,
	const struct drive *d, enum ummgr_replay_hits hits)
{
  CHECK (p);
  struct ummgr_replay_memory *m
    = ummgr_replay_memory_create (ops, p, d->capacity, hits, NULL);
  CHECK (m && ummgr_replay_memory_grow (m, d->units));
  struct drive advice = *d;
  for (size_t i = 0; i < events; i++)
    {
      if (i % 500 == 0)
	drive_advise (&advice, ops, p, NULL);
      ummgr_replay_memory_events (m, &event[i], 1);
      CHECK (ummgr_replay_memory_used (m) <= d->capacity);
    }
  struct ummgr_replay_counts c = ummgr_replay_memory_counts (m);
  CHECK (c.evictions <= c.pages_out && c.faults <= c.pages_in);
  ummgr_replay_memory_destroy (m);
  return c.faults;
}

static void
check_bound (struct drive *d, bool prefetches)
{
  record (d, MOST / 2 + drive_random (d, MOST / 2), prefetches);
  uint64_t least = fewest (d->capacity);
  CHECK (least > 0);
  if (!prefetches)
    CHECK_EQ (ideal (d->units, d->capacity), least);
  for (int i = 0; ummgr_paging_all[i]; i++)
    for (int hits = 0; hits < 2; hits++)
      {
	const struct ummgr_paging_ops *ops = ummgr_paging_all[i];
	CHECK (played (ops, ops->create (0), d, hits) >= least);
      }
  struct ummgr_rrip_params thrashing = ummgr_rrip_defaults (true);
  struct ummgr_paging *rrip = ummgr_paging_rrip_create (0, &thrashing);
  CHECK (played (&ummgr_paging_rrip, rrip, d, UMMGR_REPLAY_HITS_WALKS)
	 >= least);
}

int
main (void)
{
  against_all_ways ();
  for (unsigned round = 0; round < drive_scale (); round++)
    for (int pattern = 0; pattern < PATTERNS; pattern++)
      {
	struct drive d = { 80, 60, pattern, 0, 9 * round + pattern, 0 };
	check_bound (&d, false);
	d = (struct drive) { 300, 1 + 99 * round, pattern, 0, round, 9 };
	check_bound (&d, false);
	check_bound (&d, true);
      }
  return 0;
}
