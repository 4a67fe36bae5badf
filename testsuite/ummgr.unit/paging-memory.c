/* A replacement policy that keeps memory, or that breaks where it can't have any:
   the same events with every allocation failing once.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "paging/paging.h"
#include "watch.h"

#include <math.h>

enum { UNITS = 300, CAPACITY = 100, STEPS = 3000 };

static const struct ummgr_paging_ops *ops;
static struct ummgr_paging *p;
static uint32_t units, used, pin;
static bool in[UNITS];

static uint32_t
rnd (uint32_t n)
{
  static uint64_t state;
  if (n == 0)
    state = 1;
  state = state * UINT64_C (6364136223846793005) + 1442695040888963407u;
  return n ? (uint32_t) (state >> 33) % n : 0;
}

static bool
is_pinned (void *data, uint32_t unit)
{
  (void) data;
  return unit == pin;
}

static void
leave (uint32_t unit)
{
  CHECK (unit < units && in[unit]);
  ops->remove (p, unit);
  in[unit] = false;
  used--;
}

static void
use (uint32_t unit)
{
  if (in[unit])
    {
      if (ops->touch)
	ops->touch (p, unit);
      return;
    }
  pin = rnd (units);
  if (used == CAPACITY)
    {
      uint32_t victim = ops->victim (p, is_pinned, NULL);
      CHECK (victim != pin);
      leave (victim);
    }
  if (rnd (10))
    ops->insert (p, unit);
  else
    ummgr_paging_prefetched (ops, p, unit);
  in[unit] = true;
  used++;
}

static void
release (uint32_t unit)
{
  if (in[unit])
    leave (unit);
  if (ops->forget)
    ops->forget (p, unit);
}

static void
region (void)
{
  struct ummgr_paging_use uses[3];
  for (int i = 0; i < 3; i++)
    {
      uint32_t lo = i * UNITS / 3, hi = lo + 1 + rnd (UNITS / 3);
      uses[i] = (struct ummgr_paging_use) {
	.lo = lo, .hi = hi < units ? hi : units, .region = 1 + rnd (12),
	.sweeps = rnd (3), .density = 1, .next_use = rnd (4) ? rnd (5) : INFINITY,
	.down = rnd (4) == 0, .random = rnd (6) == 0, .read = true
      };
      if (uses[i].lo >= units)
	uses[i].lo = uses[i].hi = 0;
    }
  ops->region (p, uses, 3);
}

/* Is it so far that the FAILING'th allocation failed?  */
static bool
run (long failing)
{
  rnd (0);
  watch_failing = failing;
  units = UNITS / 3;
  used = 0;
  for (int i = 0; i < UNITS; i++)
    in[i] = false;
  p = ops->create (units);
  for (int i = 0; i < STEPS && p; i++)
    {
      if (i % 500 == 499 && units < UNITS)
	{
	  uint32_t wanted = units + 50;
	  if (ops->grow (p, wanted))
	    units = wanted;
	}
      if (i % 50 == 0 && ops->region)
	region ();
      if (rnd (20) == 0)
	release (rnd (units));
      else
	use (rnd (3) ? i % units : rnd (units));
    }
  if (p)
    ops->destroy (p);
  CHECK (p || failing >= 0);
  CHECK_EQ (watch_blocks, 0);
  return watch_failing < 0;
}

/* No more memory than is said, nor much less.  */
static void
size (void)
{
  enum { MANY = 100000 };
  watch_failing = -1;
  long before = watch_bytes;
  p = ops->create (MANY);
  long bytes = watch_bytes - before, said = (long) ops->unit_bytes * MANY;
  CHECK (bytes <= said + 1000 && bytes >= said / 2);
  ops->destroy (p);
  CHECK_EQ (watch_bytes, before);
}

int
main (void)
{
  for (int i = 0; (ops = ummgr_paging_all[i]); i++)
    {
      size ();
      CHECK (run (-1));
      long failing = 0;
      while (run (failing))
	failing++;
      CHECK (failing > 0);
    }
  return 0;
}
