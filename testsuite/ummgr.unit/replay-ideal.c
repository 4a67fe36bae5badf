/* Belady's MIN counted in one pass: faults other than those of MIN played with
   the future known, faults or evictions other than the fewest of all ways to
   evict in small cases; wrong when marks move together, when pages leave by
   themselves or come later.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "paging/params.h"
#include "replay/ideal.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 1;

static uint32_t
pick (uint32_t n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (seed >> 33) % n;
}

/* Faults of paging/ideal.c, which is given the sequence.  */
static uint64_t
played (uint32_t pages, uint32_t capacity, const uint32_t *sequence,
	size_t length)
{
  const struct ummgr_paging_ops *ops = &ummgr_paging_ideal;
  struct ummgr_paging *p = ummgr_paging_ideal_create (pages, sequence, length);
  CHECK (p);
  bool *there = calloc (pages, sizeof *there);
  uint32_t used = 0;
  uint64_t faults = 0;
  for (size_t i = 0; i < length; i++)
    {
      uint32_t page = sequence[i] & ~UMMGR_PAGING_GONE;
      if (sequence[i] & UMMGR_PAGING_GONE)
	{
	  if (there[page])
	    {
	      ops->remove (p, page);
	      there[page] = false;
	      used--;
	    }
	  continue;
	}
      if (there[page])
	{
	  ops->touch (p, page);
	  continue;
	}
      if (used == capacity)
	{
	  uint32_t victim = ops->victim (p, NULL, NULL);
	  CHECK (victim < pages && there[victim]);
	  ops->remove (p, victim);
	  there[victim] = false;
	  used--;
	}
      ops->insert (p, page);
      there[page] = true;
      used++;
      faults++;
    }
  ops->destroy (p);
  free (there);
  return faults;
}

static struct ummgr_ideal_counts
counted (uint32_t pages, uint32_t capacity, const uint32_t *sequence,
	 size_t length)
{
  struct ummgr_ideal *d = ummgr_ideal_create (capacity);
  CHECK (d);
  uint32_t known = 0;
  for (size_t i = 0; i < length; i++)
    {
      uint32_t page = sequence[i] & ~UMMGR_PAGING_GONE;
      if (page >= known)
	{
	  known = page + 1;
	  CHECK (known <= pages && ummgr_ideal_grow (d, known));
	}
      if (sequence[i] & UMMGR_PAGING_GONE)
	ummgr_ideal_gone (d, page);
      else
	ummgr_ideal_use (d, page, true);
    }
  struct ummgr_ideal_counts c = ummgr_ideal_counts (d);
  CHECK (c.evictions <= c.faults && c.faults <= c.uses);
  ummgr_ideal_destroy (d);
  return c;
}

/* The fewest faults by trying all victims, or evictions.  MASK: what is in
   memory.  */
static unsigned
tried (uint32_t mask, uint32_t capacity, const uint32_t *sequence,
       size_t length, bool evictions)
{
  while (length && (*sequence & UMMGR_PAGING_GONE || mask >> *sequence & 1))
    {
      if (*sequence & UMMGR_PAGING_GONE)
	mask &= ~(UINT32_C (1) << (*sequence & ~UMMGR_PAGING_GONE));
      sequence++;
      length--;
    }
  if (!length)
    return 0;
  uint32_t with = mask | UINT32_C (1) << *sequence;
  if ((unsigned) __builtin_popcount (mask) < capacity)
    return !evictions
	   + tried (with, capacity, sequence + 1, length - 1, evictions);
  unsigned best = -1;
  for (uint32_t m = mask; m; m &= m - 1)
    {
      unsigned n = tried (with & ~(m & -m), capacity, sequence + 1, length - 1,
			  evictions);
      if (n < best)
	best = n;
    }
  return 1 + best;
}

static void
against_all_ways (void)
{
  for (int round = 0; round < 3000; round++)
    {
      uint32_t sequence[14];
      uint32_t pages = 2 + pick (4), capacity = 1 + pick (4);
      for (size_t i = 0; i < 14; i++)
	{
	  sequence[i] = pick (pages);
	  if (round % 2 && !pick (4))
	    sequence[i] |= UMMGR_PAGING_GONE;
	}
      unsigned least = tried (0, capacity, sequence, 14, false);
      struct ummgr_ideal_counts c = counted (pages, capacity, sequence, 14);
      CHECK_EQ (c.faults, least);
      CHECK_EQ (c.evictions, tried (0, capacity, sequence, 14, true));
      CHECK_EQ (played (pages, capacity, sequence, 14), least);
    }
}

/* Sweeps, hot pages, random ones and phases, some with departures.  */
static void
fill (uint32_t *sequence, size_t length, uint32_t pages, int kind)
{
  for (size_t i = 0; i < length; i++)
    switch (kind)
      {
      case 0: sequence[i] = i % pages; break;
      case 1: sequence[i] = pick (4) ? pick (1 + pages / 8) : pick (pages); break;
      case 2: sequence[i] = pick (pages); break;
      case 3: sequence[i] = (i / 50 * 7 + pick (9)) % pages; break;
      default:
	sequence[i] = i / pages % 2 ? pages - 1 - i % pages : i % pages;
      }
}

static void
against_the_played (bool departures)
{
  enum { LENGTH = 20000 };
  static uint32_t sequence[LENGTH];
  for (int round = 0; round < 40; round++)
    {
      uint32_t pages = 2 + pick (300);
      fill (sequence, LENGTH, pages, round % 5);
      for (size_t i = 0; departures && i < LENGTH; i += 1 + pick (30))
	sequence[i] |= UMMGR_PAGING_GONE;
      uint32_t capacity = 1 + pick (pages);
      CHECK_EQ (counted (pages, capacity, sequence, LENGTH).faults,
		played (pages, capacity, sequence, LENGTH));
    }
}

/* The definition, slowly: TAKEN is how many frames each use's instant has; a page
   is kept from AT to NOW if all instants in between have one more.  */
static bool
slow_keep (uint32_t *taken, size_t at, size_t now, uint32_t capacity)
{
  for (size_t i = at + 1; i < now; i++)
    if (taken[i] >= capacity)
      return false;
  for (size_t i = at + 1; i < now; i++)
    taken[i]++;
  return true;
}

/* Faults, or with DEPARTURES evictions.  Where a page comes by itself, CALLED
   does not hold.  */
static uint64_t
slow_count (uint32_t pages, uint32_t capacity, const uint32_t *sequence,
	    const bool *called, size_t length, bool departures)
{
  uint32_t *taken = calloc (length, sizeof *taken);
  int64_t *last = malloc (pages * sizeof *last);
  CHECK (taken && last);
  memset (last, 0xff, pages * sizeof *last);
  size_t now = 0;
  uint64_t faults = 0, evictions = 0;
  for (size_t i = 0; i < length; i++)
    {
      uint32_t page = sequence[i] & ~UMMGR_PAGING_GONE;
      bool gone = sequence[i] & UMMGR_PAGING_GONE, kept = false;
      if (last[page] >= 0 && (!gone || departures))
	{
	  kept = slow_keep (taken, last[page], now, capacity);
	  evictions += !kept;
	}
      last[page] = gone ? -1 : (int64_t) now;
      if (gone)
	continue;
      faults += !kept && called[i];
      taken[now++] = 1;
    }
  /* What is there at the end: the latest first.  */
  for (size_t at = now; at-- > 0;)
    for (uint32_t page = 0; page < pages; page++)
      if (last[page] == (int64_t) at)
	evictions += !slow_keep (taken, at, now, capacity);
  free (taken);
  free (last);
  return departures ? evictions : faults;
}

static void
against_the_slow (void)
{
  enum { LENGTH = 1500 };
  static uint32_t sequence[LENGTH];
  static bool called[LENGTH];
  for (int round = 0; round < 80; round++)
    {
      uint32_t pages = 2 + pick (60);
      fill (sequence, LENGTH, pages, round % 5);
      for (size_t i = 0; i < LENGTH; i++)
	called[i] = round % 2 || pick (5);
      /* From the beginning, late, or never.  */
      for (size_t i = round % 3 * (LENGTH / 2); i < LENGTH; i += 1 + pick (20))
	sequence[i] |= UMMGR_PAGING_GONE;
      uint32_t capacity = 1 + pick (pages);
      struct ummgr_ideal *d = ummgr_ideal_create (capacity);
      CHECK (d && ummgr_ideal_grow (d, pages));
      for (size_t i = 0; i < LENGTH; i++)
	if (sequence[i] & UMMGR_PAGING_GONE)
	  ummgr_ideal_gone (d, sequence[i] & ~UMMGR_PAGING_GONE);
	else
	  ummgr_ideal_use (d, sequence[i], called[i]);
      struct ummgr_ideal_counts c = ummgr_ideal_counts (d);
      ummgr_ideal_destroy (d);
      CHECK_EQ (c.faults, slow_count (pages, capacity, sequence, called, LENGTH,
				      false));
      CHECK_EQ (c.evictions, slow_count (pages, capacity, sequence, called,
					 LENGTH, true));
    }
}

static void
evictions_by_hand (void)
{
  struct ummgr_ideal *d = ummgr_ideal_create (2);
  CHECK (d && ummgr_ideal_grow (d, 4));
  ummgr_ideal_use (d, 0, true);
  ummgr_ideal_use (d, 1, true);
  CHECK_EQ (ummgr_ideal_counts (d).evictions, 0);
  ummgr_ideal_use (d, 2, true);
  CHECK_EQ (ummgr_ideal_counts (d).evictions, 1);
  /* 0 or 1 stayed.  */
  ummgr_ideal_use (d, 0, true);
  CHECK_EQ (ummgr_ideal_counts (d).faults, 3);
  ummgr_ideal_gone (d, 0);
  /* Of 2 there is room for it still.  */
  ummgr_ideal_use (d, 3, false);
  CHECK_EQ (ummgr_ideal_counts (d).faults, 3);
  CHECK_EQ (ummgr_ideal_counts (d).uses, 5);
  CHECK_EQ (ummgr_ideal_counts (d).evictions, 1);
  ummgr_ideal_destroy (d);
}

int
main (void)
{
  against_all_ways ();
  against_the_played (false);
  against_the_played (true);
  against_the_slow ();
  evictions_by_hand ();
  return 0;
}
