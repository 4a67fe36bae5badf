/* The policy `hint' on sequences of all kinds, told what is true of regions and what
   is not: it names a unit that is not there or is pinned, or none though there is
   one; or what it names depends on more than the calls it has had: on when it grew,
   or on memory that it never set.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

/* Another instance, which has the units from the beginning.  */
static const struct ummgr_paging_ops *const ops = &ummgr_paging_hint;
static struct ummgr_paging *other;

static void
other_insert (uint32_t unit)
{
  ops->insert (other, unit);
}

static void
other_prefetch (uint32_t unit)
{
  ummgr_paging_prefetched (ops, other, unit);
}

static void
other_touch (uint32_t unit)
{
  if (ops->touch)
    ops->touch (other, unit);
}

static void
other_remove (uint32_t unit)
{
  ops->remove (other, unit);
}

static void
other_forget (uint32_t unit)
{
  if (ops->forget)
    ops->forget (other, unit);
}

static uint32_t
other_victim (uint32_t pin)
{
  return ops->victim (other, pin == NONE ? NULL : drive_pinned, &pin);
}

static void
other_region (const struct ummgr_paging_use *uses, size_t count)
{
  if (ops->region)
    ops->region (other, uses, count);
}

static const struct slow slow = {
  other_insert, other_prefetch, other_touch,  other_remove,
  other_remove, other_forget,	other_victim, other_region
};

int
main (void)
{
  CHECK (ummgr_paging_find ("hint") == ops);
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    for (int kind = 0; kind < 4; kind++)
      {
	static const uint32_t units[] = { 60, 150, 600, 2000 };
	static const uint32_t capacities[] = { 1, 100, 450, 1000 };
	struct drive d = { units[kind], capacities[kind], pattern, 20000,
			   pattern + 7 * kind, kind == 1 ? 8 : 40 };
	other = ops->create (units[kind] + 77);
	CHECK (other);
	drive_run (&d, ops, ops->create (units[kind]), &slow);
	ops->destroy (other);
      }
  return 0;
}
