/* Random eviction: units that leave or come must change the set drawn from,
   each unit must be as likely as the other, and a seed must repeat.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "paging-drive.h"

/* The slow version: a table of who is there in place of the positions, and
   the generator again.  The order of the array is part of the contract with a
   seed: the last fills the gap.  */
static uint32_t there[DRIVE_UNITS];
static uint32_t many;
static uint64_t counter;
static uint64_t draws[DRIVE_UNITS];

static void
slow_insert (uint32_t unit)
{
  for (uint32_t i = 0; i < many; i++)
    if (there[i] == unit)
      return;
  there[many++] = unit;
}

static void
slow_leave (uint32_t unit)
{
  for (uint32_t i = 0; i < many; i++)
    if (there[i] == unit)
      {
	there[i] = there[--many];
	return;
      }
}

static void
slow_nothing (uint32_t unit)
{
  (void) unit;
}

static uint32_t
slow_victim (uint32_t pin)
{
  counter += 0x9e3779b97f4a7c15u;
  uint64_t z = counter;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  uint32_t at = (z / 4294967296u) * many / 4294967296u;
  if (there[at] == pin)
    at = (at + 1) % many;
  draws[there[at]]++;
  return there[at];
}

static const struct slow slow
  = { slow_insert, slow_insert, slow_nothing, slow_leave,
      slow_leave,  slow_nothing, slow_victim };

int
main (void)
{
  const struct ummgr_paging_ops *ops = &ummgr_paging_random;
  CHECK (ummgr_paging_find ("random") == ops);
  for (int pattern = 0; pattern < PATTERNS; pattern++)
    {
      struct drive d = { 150, 100, pattern, 200000, 3 + pattern, 10, 0, 0, 0 };
      many = 0;
      counter = pattern;
      drive_run (&d, ops, ummgr_paging_random_create (150, pattern), &slow);
    }

  /* 100 units, 100 000 victims, none leaves: 1000 each, give or take six
     standard deviations.  */
  memset (draws, 0, sizeof draws);
  struct ummgr_paging *p = ops->create (10);
  CHECK (ops->grow (p, 100));
  for (uint32_t u = 0; u < 100; u++)
    ops->insert (p, u);
  for (int i = 0; i < 100000; i++)
    draws[ops->victim (p, NULL, NULL)]++;
  for (uint32_t u = 0; u < 100; u++)
    CHECK (draws[u] > 810 && draws[u] < 1190);
  ops->destroy (p);
  return 0;
}
