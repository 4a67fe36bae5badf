/* Belady's MIN: against all choices there are on small cases, against a
   version that looks ahead event by event, and no policy below it.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

/* --- brute force -------------------------------------------------------- */

static uint32_t small[16];
static int small_length, small_capacity;

/* Fewest faults from event AT on, with the units of IN resident.  */
static int
fewest (int at, unsigned in)
{
  if (at == small_length)
    return 0;
  uint32_t unit = small[at] & ~UMMGR_PAGING_GONE;
  if (small[at] & UMMGR_PAGING_GONE)
    return fewest (at + 1, in & ~(1u << unit));
  if (in >> unit & 1)
    return fewest (at + 1, in);
  if (__builtin_popcount (in) < small_capacity)
    return 1 + fewest (at + 1, in | 1u << unit);
  int best = 1000;
  for (int u = 0; u < 6; u++)
    if (in >> u & 1)
      {
	int n = 1 + fewest (at + 1, (in & ~(1u << u)) | 1u << unit);
	best = n < best ? n : best;
      }
  return best;
}

/* --- any policy over a recorded sequence -------------------------------- */

static uint64_t
count_faults (const struct ummgr_paging_ops *ops, struct ummgr_paging *p,
	      const uint32_t *sequence, size_t length, uint32_t capacity)
{
  CHECK (p);
  memset (drive_resident, 0, sizeof drive_resident);
  uint32_t count = 0;
  uint64_t faults = 0;
  for (size_t i = 0; i < length; i++)
    {
      uint32_t unit = sequence[i] & ~UMMGR_PAGING_GONE;
      if (sequence[i] & UMMGR_PAGING_GONE)
	{
	  ummgr_paging_freed (ops, p, unit);
	  count -= drive_resident[unit];
	  drive_resident[unit] = false;
	  continue;
	}
      if (drive_resident[unit])
	{
	  if (ops->touch)
	    ops->touch (p, unit);
	  continue;
	}
      faults++;
      if (count == capacity)
	{
	  uint32_t v = ops->victim (p, NULL, NULL);
	  CHECK (drive_resident[v]);
	  ops->remove (p, v);
	  drive_resident[v] = false;
	  count--;
	}
      ops->insert (p, unit);
      drive_resident[unit] = true;
      count++;
    }
  ops->destroy (p);
  return faults;
}

static uint64_t
ideal_faults (const uint32_t *sequence, size_t length, uint32_t units,
	      uint32_t capacity)
{
  return count_faults (&ummgr_paging_ideal,
		       ummgr_paging_ideal_create (units, sequence, length),
		       sequence, length, capacity);
}

static void
brute_force (void)
{
  srand (7);
  for (int round = 0; round < 20000; round++)
    {
      small_length = 1 + rand () % 13;
      small_capacity = 1 + rand () % 4;
      int units = 1 + rand () % 6, gone = rand () % 2;
      for (int i = 0; i < small_length; i++)
	small[i] = rand () % units
		   | (gone && rand () % 5 == 0 ? UMMGR_PAGING_GONE : 0);
      CHECK_EQ (ideal_faults (small, small_length, units, small_capacity),
		fewest (0, 0));
    }
}

/* --- looking ahead ------------------------------------------------------ */

static uint32_t events[400000];
static size_t event_count, now;
static bool there[DRIVE_UNITS];

static size_t
distance (uint32_t unit)
{
  for (size_t i = now; i < event_count; i++)
    if ((events[i] & ~UMMGR_PAGING_GONE) == unit)
      return events[i] & UMMGR_PAGING_GONE ? event_count : i;
  return event_count;
}

static uint32_t
slow_victim (uint32_t units, uint32_t pin)
{
  uint32_t best = NONE;
  size_t far = 0;
  for (uint32_t u = 0; u < units; u++)
    if (there[u] && u != pin)
      {
	size_t d = distance (u);
	if (best == NONE || d > far)
	  {
	    best = u;
	    far = d;
	  }
      }
  return best;
}

static void
record (uint32_t units, uint32_t capacity, enum pattern pattern,
	size_t length, unsigned gone)
{
  struct drive d = { units, capacity, pattern, 0, 9 + pattern, 0, 0, 0, 0 };
  for (event_count = 0; event_count < length; event_count++)
    {
      events[event_count] = drive_next (&d, event_count);
      if (gone && drive_random (&d, gone) == 0)
	events[event_count] = drive_random (&d, units) | UMMGR_PAGING_GONE;
    }
}

/* Also with units pinned, prefetched and removed besides.  */
static void
look_ahead (uint32_t units, uint32_t capacity, enum pattern pattern)
{
  const struct ummgr_paging_ops *ops = &ummgr_paging_ideal;
  record (units, capacity, pattern, 150000, 20);
  struct ummgr_paging *p = ummgr_paging_ideal_create (units, events,
						      event_count);
  memset (there, 0, sizeof there);
  uint32_t count = 0;
  for (now = 0; now < event_count; now++)
    {
      uint32_t unit = events[now] & ~UMMGR_PAGING_GONE;
      if (events[now] & UMMGR_PAGING_GONE)
	{
	  ops->remove (p, unit);
	  count -= there[unit];
	  there[unit] = false;
	  continue;
	}
      bool prefetch = rand () % 16 == 0;
      uint32_t coming = prefetch ? (uint32_t) rand () % units : unit;
      for (int i = 0; i <= prefetch; i++, coming = unit)
	{
	  if (there[coming])
	    continue;
	  if (count == capacity)
	    {
	      uint32_t pin = rand () % 3 || capacity == 1
			     ? NONE : (uint32_t) rand () % units;
	      uint32_t v = ops->victim (p, drive_pinned, &pin);
	      CHECK_EQ (v, slow_victim (units, pin));
	      ops->remove (p, v);
	      there[v] = false;
	      count--;
	    }
	  there[coming] = true;
	  count++;
	  if (i == prefetch)
	    break;
	  ops->prefetch (p, coming);
	}
      CHECK (there[unit]);
      ops->insert (p, unit);
    }
  ops->destroy (p);
}

static void
bound (uint32_t units, uint32_t capacity, enum pattern pattern, unsigned gone)
{
  record (units, capacity, pattern, 60000, gone);
  uint64_t least = ideal_faults (events, event_count, units, capacity);
  CHECK (least >= 1 && least <= event_count);
  for (int i = 0; ummgr_paging_all[i]; i++)
    {
      const struct ummgr_paging_ops *ops = ummgr_paging_all[i];
      CHECK (count_faults (ops, ops->create (units), events, event_count,
			   capacity) >= least);
    }
  struct ummgr_rrip_params thrashing = ummgr_rrip_defaults (true);
  CHECK (count_faults (&ummgr_paging_rrip,
		       ummgr_paging_rrip_create (units, &thrashing), events,
		       event_count, capacity) >= least);
}

int
main (void)
{
  CHECK (!ummgr_paging_find ("ideal"));
  CHECK (!ummgr_paging_ideal.create (10));
  brute_force ();
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    {
      look_ahead (40, 25, pattern);
      bound (80, 60, pattern, 0);
      bound (80, 40, pattern, 50);
      bound (2000, 1500, pattern, pattern % 2 * 200);
    }
  look_ahead (12, 1, UNIFORM);

  /* Three units in two places, round and round: MIN keeps one of them for
     every second use.  1 2 | 3 for 2, 1 stays | 2 for 1 or 3 …  */
  uint32_t round[] = { 0, 1, 2, 0, 1, 2, 0, 1, 2 };
  CHECK_EQ (ideal_faults (round, 9, 3, 2), 6);
  return 0;
}
