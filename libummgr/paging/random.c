/* Random: any resident unit, each as likely as the other.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns, in each instance, the array of resident units and the generator's
   state.  The same seed and calls give the same victims.  */

#include "config.h"
#include "paging/params.h"
#include "paging/copy.h"

#include <stdlib.h>

#define SEED 1

struct ummgr_paging
{
  uint64_t state;
  uint32_t units, count;
  uint32_t *resident;		/* COUNT of them, in no order.  */
  uint32_t *place;		/* Of a unit there, or NONE.  */
};

/* Steele, Lea and Flood's splitmix64.  */
static uint64_t
draw (struct ummgr_paging *p)
{
  uint64_t z = p->state += UINT64_C (0x9e3779b97f4a7c15);
  z = (z ^ z >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  z = (z ^ z >> 27) * UINT64_C (0x94d049bb133111eb);
  return z ^ z >> 31;
}

static bool
random_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units)
    return true;
  uint32_t *resident = realloc (p->resident, units * sizeof *resident);
  if (!resident)
    return false;
  p->resident = resident;
  uint32_t *place = realloc (p->place, units * sizeof *place);
  if (!place)
    return false;
  p->place = place;
  for (uint32_t u = p->units; u < units; u++)
    place[u] = UMMGR_PAGING_NONE;
  p->units = units;
  return true;
}

static void
random_destroy (struct ummgr_paging *p)
{
  if (!p)
    return;
  free (p->resident);
  free (p->place);
  free (p);
}

struct ummgr_paging *
ummgr_paging_random_create (uint32_t units, uint64_t seed)
{
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->state = seed;
  if (!random_grow (p, units))
    {
      random_destroy (p);
      return NULL;
    }
  return p;
}

static struct ummgr_paging *
random_create (uint32_t units)
{
  return ummgr_paging_random_create (units, SEED);
}

static bool
random_own (struct ummgr_paging *c)
{
  bool good
    = ummgr_paging_copied (&c->resident, c->units * sizeof *c->resident);
  good &= ummgr_paging_copied (&c->place, c->units * sizeof *c->place);
  return good;
}

static void
random_insert (struct ummgr_paging *p, uint32_t unit)
{
  if (p->place[unit] != UMMGR_PAGING_NONE)
    return;
  p->place[unit] = p->count;
  p->resident[p->count++] = unit;
}

static void
random_remove (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t at = p->place[unit];
  if (at == UMMGR_PAGING_NONE)
    return;
  uint32_t last = p->resident[--p->count];
  p->resident[at] = last;
  p->place[last] = at;
  p->place[unit] = UMMGR_PAGING_NONE;
}

/* What stands behind a pinned unit is a little likelier than the rest: one
   draw a victim keeps the cost bounded.  */
static uint32_t
random_victim (struct ummgr_paging *p,
	       bool (*pinned) (void *data, uint32_t unit), void *data)
{
  if (!p->count)
    return UMMGR_PAGING_NONE;
  uint32_t at = ((draw (p) >> 32) * p->count) >> 32;
  for (uint32_t i = 0; i < p->count; i++)
    {
      uint32_t u = p->resident[at];
      if (!pinned || !pinned (data, u))
	return u;
      if (++at == p->count)
	at = 0;
    }
  return UMMGR_PAGING_NONE;
}

const struct ummgr_paging_ops ummgr_paging_random = {
  .name = "random",
  .description = "any unit",
  .unit_bytes = 2 * sizeof (uint32_t),
  .create = random_create,
  .destroy = random_destroy,
  .size = sizeof (struct ummgr_paging),
  .own = random_own,
  .grow = random_grow,
  .insert = random_insert,
  .remove = random_remove,
  .victim = random_victim,
};
