/* Drives a replacement policy, and a slow version of it beside it.
   SPDX-License-Identifier: GPL-3.0-or-later

   Each sequence is UMMGR_PAGING_SCALE (else 4) times as long as its test says.  */

#pragma once

#include "check.h"
#include "paging/params.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define NONE UMMGR_PAGING_NONE
#define DRIVE_UNITS 8192

/* A slow version: plain functions on the test's own arrays.  EVICT and LEAVE
   are remove's two meanings; VICTIM passes over PIN.  */
struct slow
{
  void (*insert) (uint32_t unit);
  void (*prefetch) (uint32_t unit);
  void (*touch) (uint32_t unit);
  void (*evict) (uint32_t unit);
  void (*leave) (uint32_t unit);
  void (*forget) (uint32_t unit);
  uint32_t (*victim) (uint32_t pin);
  void (*region) (const struct ummgr_paging_use *uses, size_t count);
};

enum pattern
{
  UNIFORM,
  CYCLIC,			/* All, again and again.  */
  CYCLIC_TWICE,			/* Each unit twice in a row.  */
  STRIDE,			/* Even units, then odd ones.  */
  ZIPF,
  REGIONS,			/* Random within a region that moves.  */
  SCANS,			/* A hot part, and scans through the rest.  */
  UP_AND_DOWN,
  ADVERSARY,			/* What was evicted just now.  */
  PHASES,			/* Now one of these, now another.  */
  PATTERNS
};

struct drive
{
  uint32_t units, capacity;
  enum pattern pattern;
  uint64_t steps;
  unsigned seed;
  unsigned disturb;		/* One event in so many: a unit is freed,
				   prefetched or taken away.  0: never.  */
  uint32_t *record;		/* If not NULL: the sequence, for ideal.  */
  size_t recorded;
  uint64_t faults;		/* Counted.  */
  uint32_t gone[4];		/* Evicted last.  */
  uint32_t evictions;
};

static inline unsigned
drive_scale (void)
{
  const char *scale = getenv ("UMMGR_PAGING_SCALE");
  return scale && atoi (scale) > 0 ? atoi (scale) : 4;
}

static inline uint32_t
drive_random (struct drive *d, uint32_t below)
{
  d->seed = d->seed * 1103515245u + 12345u;
  return (uint64_t) (d->seed >> 4) * below >> 28;
}

static inline uint32_t
drive_pick (struct drive *d, enum pattern pattern, uint64_t i)
{
  uint32_t n = d->units;
  switch (pattern)
    {
    case CYCLIC:
      return i % n;
    case CYCLIC_TWICE:
      return i / 2 % n;
    case STRIDE:
      {
	uint32_t at = i % n, half = (n + 1) / 2;
	return at < half ? 2 * at : 2 * (at - half) + 1;
      }
    case ZIPF:
      {
	/* The maximum of a few halvings: steep, and no tables.  */
	uint32_t most = n;
	while (most > 1 && drive_random (d, 3))
	  most = (most + 1) / 2;
	return drive_random (d, most) * 7 % n;
      }
    case REGIONS:
      {
	uint32_t region = d->capacity / 2 + 1;
	return (i / (8 * region) * region / 2 + drive_random (d, region)) % n;
      }
    case SCANS:
      return drive_random (d, 2) ? drive_random (d, d->capacity / 3 + 1)
				 : i / 2 % n;
    case UP_AND_DOWN:
      return i / n % 2 ? n - 1 - i % n : i % n;
    case ADVERSARY:
      return drive_random (d, 4) ? d->gone[drive_random (d, 4)] % n
				 : drive_random (d, n);
    default:
      return drive_random (d, n);
    }
}

/* The unit of use I.  */
static inline uint32_t
drive_next (struct drive *d, uint64_t i)
{
  return drive_pick (d, d->pattern == PHASES
			? (enum pattern) (i / (4 * d->units) * 5 % PHASES)
			: d->pattern, i);
}

static inline bool
drive_pinned (void *data, uint32_t unit)
{
  return *(uint32_t *) data == unit;
}

static bool drive_resident[DRIVE_UNITS];
static uint32_t drive_count;

static inline void
drive_make_room (struct drive *d, const struct ummgr_paging_ops *ops,
		 struct ummgr_paging *p, const struct slow *slow)
{
  while (drive_count >= d->capacity)
    {
      uint32_t pin = drive_random (d, 4) ? NONE : drive_random (d, d->units);
      if (d->capacity == 1 || !d->disturb)
	pin = NONE;
      uint32_t unit = ops->victim (p, pin == NONE ? NULL : drive_pinned, &pin);
      CHECK (unit < d->units && drive_resident[unit] && unit != pin);
      if (slow)
	CHECK_EQ (unit, slow->victim (pin));
      ops->remove (p, unit);
      if (slow)
	slow->evict (unit);
      d->gone[d->evictions++ % 4] = unit;
      drive_resident[unit] = false;
      drive_count--;
    }
}

/* What the compiler might say of a region, true or not.  */
static inline void
drive_advise (struct drive *d, const struct ummgr_paging_ops *ops,
	      struct ummgr_paging *p, const struct slow *slow)
{
  static const double next[] = { -1, 0, 1, 2, 7, __builtin_inf () };
  static const double sweeps[] = { 0, 0.5, 1, 2, 9 };
  struct ummgr_paging_use u[4];
  size_t count = drive_random (d, 5);
  for (size_t i = 0; i < count; i++)
    {
      /* Few ranges, again and again, as regions have.  Some overlap, some are
	 empty.  */
      uint32_t part = d->units / 8 + 1, lo = drive_random (d, 8) * part;
      uint32_t hi = lo + drive_random (d, 3) * part;
      u[i] = (struct ummgr_paging_use) {
	.lo = lo, .hi = hi < d->units ? hi : d->units,
	.sweeps = sweeps[drive_random (d, 5)], .density = -1,
	.next_use = next[drive_random (d, 6)], .down = drive_random (d, 2),
	.random = drive_random (d, 4) == 0, .write = drive_random (d, 2)
      };
    }
  if (ops->region)
    ops->region (p, u, count);
  if (slow && slow->region)
    slow->region (u, count);
}

static inline void
drive_fault (struct drive *d, const struct ummgr_paging_ops *ops,
	     struct ummgr_paging *p, const struct slow *slow, uint32_t unit)
{
  drive_make_room (d, ops, p, slow);
  drive_resident[unit] = true;
  drive_count++;
  d->faults++;
  ops->insert (p, unit);
  if (slow)
    slow->insert (unit);
}

static inline void
drive_use (struct drive *d, const struct ummgr_paging_ops *ops,
	   struct ummgr_paging *p, const struct slow *slow, uint32_t unit)
{
  if (!drive_resident[unit])
    {
      drive_fault (d, ops, p, slow, unit);
      return;
    }
  if (ops->touch)
    ops->touch (p, unit);
  if (slow)
    slow->touch (unit);
}

static inline void
drive_depart (const struct ummgr_paging_ops *ops, struct ummgr_paging *p,
	      const struct slow *slow, uint32_t unit, bool freed)
{
  if (freed)
    ummgr_paging_freed (ops, p, unit);
  else if (drive_resident[unit])
    ops->remove (p, unit);
  if (slow && drive_resident[unit])
    slow->leave (unit);
  if (slow && freed)
    slow->forget (unit);
  drive_count -= drive_resident[unit];
  drive_resident[unit] = false;
}

/* Something other than a use.  */
static inline void
drive_disturb (struct drive *d, const struct ummgr_paging_ops *ops,
	       struct ummgr_paging *p, const struct slow *slow)
{
  uint32_t unit = drive_random (d, d->units);
  switch (drive_random (d, 5))
    {
    case 4:
      drive_advise (d, ops, p, slow);
      break;
    case 0:			/* More of a resident unit faults.  */
      if (!drive_resident[unit])
	break;
      ops->insert (p, unit);
      if (slow)
	slow->insert (unit);
      break;
    case 1:
      if (drive_resident[unit])
	break;
      drive_make_room (d, ops, p, slow);
      ummgr_paging_prefetched (ops, p, unit);
      if (slow)
	slow->prefetch (unit);
      drive_resident[unit] = true;
      drive_count++;
      break;
    case 2:
      drive_depart (ops, p, slow, unit, false);
      break;
    default:
      /* Neighbours go together, as an allocation does.  */
      for (uint32_t u = unit; u < unit + 20 && u < d->units; u++)
	drive_depart (ops, p, slow, u, true);
    }
}

/* Run D; SLOW may be NULL.  P is destroyed afterwards.  */
static inline void
drive_run (struct drive *d, const struct ummgr_paging_ops *ops,
	   struct ummgr_paging *p, const struct slow *slow)
{
  CHECK (p && d->units <= DRIVE_UNITS);
  memset (drive_resident, 0, sizeof drive_resident);
  drive_count = 0;
  d->steps *= drive_scale ();
  for (uint64_t i = 0; i < d->steps; i++)
    if (i == d->steps / 2)
      CHECK (ops->grow (p, d->units + 77)); /* Nothing may get lost.  */
    else if (d->disturb && drive_random (d, d->disturb) == 0)
      drive_disturb (d, ops, p, slow);
    else
      drive_use (d, ops, p, slow, drive_next (d, i));
  ops->destroy (p);
}
