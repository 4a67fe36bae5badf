/* RRIP with frequency priority, and the delay field of HPE's comparison.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Jaleel et al., ISCA'10: each unit has a prediction of when it is used
   again, from 0 (near) to 2^M-1 (distant).  A fault enters it with a long
   prediction (2^M-2), a use lowers it by one, and the victim is a unit whose
   prediction is distant; while there is none, all predictions rise.  HPE
   (section V-B) adds: only a unit that came at least DELAY faults ago.

   Owns, in each instance, one list for each prediction, and one, YOUNG, of
   units that may not be evicted yet, in the order in which they came.

   Choices where the papers are silent.  M is 2, as in most of Jaleel et al.
   They search a cache set from its first way; here the unit that has had its
   prediction longest comes first, since memory has no ways.  The delay field
   is set when a unit comes and not when it is used, since it is to protect
   what was brought in just now.  Where every unit is too young, the one that
   came first is evicted: some unit must be.  */

#include "config.h"
#include "paging/params.h"
#include "paging/copy.h"
#include "paging/ring.h"

#include <stdlib.h>

struct unit
{
  uint64_t came;		/* Fault number: HPE's delay field.  */
  uint64_t age;			/* Of the instance, when PREDICTION was set.  */
  uint8_t prediction;		/* Then.  */
  bool resident, young;
};

struct ummgr_paging
{
  struct ummgr_rrip_params params;
  unsigned distant;
  uint32_t units;
  uint64_t faults;
  uint64_t age;			/* Times that all predictions rose.  */
  struct unit *unit;
  struct ummgr_ring *ring;	/* Lists 0 … DISTANT, YOUNG, the units.  */
};

#define YOUNG(P) ((P)->distant + 1)
#define NODE(P, UNIT) ((P)->distant + 2 + (UNIT))
#define UNIT(P, NODE) ((NODE) - (P)->distant - 2)

struct ummgr_rrip_params
ummgr_rrip_defaults (bool thrashing)
{
  return (struct ummgr_rrip_params) { 2, thrashing, thrashing ? 128 : 0 };
}

static bool
rrip_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units)
    return true;
  struct unit *unit = realloc (p->unit, units * sizeof *unit);
  if (!unit)
    return false;
  p->unit = unit;
  if (!ummgr_ring_grow (&p->ring, NODE (p, p->units), NODE (p, units)))
    return false;
  for (uint32_t u = p->units; u < units; u++)
    unit[u] = (struct unit) { 0 };
  p->units = units;
  return true;
}

static void
rrip_destroy (struct ummgr_paging *p)
{
  if (!p)
    return;
  free (p->unit);
  free (p->ring);
  free (p);
}

struct ummgr_paging *
ummgr_paging_rrip_create (uint32_t units,
			  const struct ummgr_rrip_params *params)
{
  if (params->bits < 1 || params->bits > 8)
    return NULL;
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->params = *params;
  p->distant = (1U << params->bits) - 1;
  if (!ummgr_ring_grow (&p->ring, 0, NODE (p, 0)) || !rrip_grow (p, units))
    {
      rrip_destroy (p);
      return NULL;
    }
  return p;
}

static struct ummgr_paging *
rrip_create (uint32_t units)
{
  struct ummgr_rrip_params params = ummgr_rrip_defaults (false);
  return ummgr_paging_rrip_create (units, &params);
}

static struct ummgr_paging *
thrashing_create (uint32_t units)
{
  struct ummgr_rrip_params params = ummgr_rrip_defaults (true);
  return ummgr_paging_rrip_create (units, &params);
}

static bool
rrip_own (struct ummgr_paging *c)
{
  bool good = ummgr_paging_copied (&c->unit, c->units * sizeof *c->unit);
  good &= ummgr_paging_copied (&c->ring, NODE (c, c->units) * sizeof *c->ring);
  return good;
}

/* Predictions rise for all at once, so a unit's own is worked out when it is
   looked at.  */
static unsigned
prediction (const struct ummgr_paging *p, const struct unit *u)
{
  uint64_t rose = p->age - u->age;
  return rose >= p->distant - u->prediction ? p->distant
					     : u->prediction + rose;
}

static void
predict (struct ummgr_paging *p, uint32_t unit, unsigned value)
{
  struct unit *u = &p->unit[unit];
  u->prediction = value;
  u->age = p->age;
  if (u->young)
    return;
  ummgr_ring_unlink (p->ring, NODE (p, unit));
  ummgr_ring_put (p->ring, value, NODE (p, unit));
}

static void
rrip_touch (struct ummgr_paging *p, uint32_t unit)
{
  struct unit *u = &p->unit[unit];
  if (!u->resident)
    return;
  unsigned value = prediction (p, u);
  predict (p, unit, value ? value - 1 : 0);
}

static void
rrip_prefetch (struct ummgr_paging *p, uint32_t unit)
{
  struct unit *u = &p->unit[unit];
  if (u->resident)
    return;
  u->resident = true;
  u->came = p->faults;
  u->young = p->params.delay;
  if (u->young)
    ummgr_ring_put (p->ring, YOUNG (p), NODE (p, unit));
  predict (p, unit, p->distant - !p->params.insert_distant);
}

static void
rrip_insert (struct ummgr_paging *p, uint32_t unit)
{
  p->faults++;
  if (p->unit[unit].resident)
    rrip_touch (p, unit);
  else
    rrip_prefetch (p, unit);
}

static void
rrip_remove (struct ummgr_paging *p, uint32_t unit)
{
  p->unit[unit].resident = false;
  ummgr_ring_unlink (p->ring, NODE (p, unit));
}

/* Let those in that are old enough when the next fault is served.  */
static void
mature (struct ummgr_paging *p)
{
  while (!ummgr_ring_empty (p->ring, YOUNG (p)))
    {
      uint32_t unit = UNIT (p, p->ring[YOUNG (p)].next);
      struct unit *u = &p->unit[unit];
      if (p->faults + 1 - u->came < p->params.delay)
	return;
      u->young = false;
      predict (p, unit, prediction (p, u));
    }
}

static void
rise (struct ummgr_paging *p)
{
  p->age++;
  for (unsigned v = p->distant; v > 0; v--)
    ummgr_ring_join (p->ring, v, v - 1);
}

static uint32_t
first_of (struct ummgr_paging *p, uint32_t list,
	  bool (*pinned) (void *data, uint32_t unit), void *data)
{
  for (uint32_t n = p->ring[list].next; n != list; n = p->ring[n].next)
    if (!pinned || !pinned (data, UNIT (p, n)))
      return UNIT (p, n);
  return UMMGR_PAGING_NONE;
}

static uint32_t
rrip_victim (struct ummgr_paging *p,
	     bool (*pinned) (void *data, uint32_t unit), void *data)
{
  mature (p);
  for (unsigned v = p->distant + 1; v-- > 0;)
    if (first_of (p, v, pinned, data) != UMMGR_PAGING_NONE)
      {
	for (; v < p->distant; v++)
	  rise (p);
	return first_of (p, p->distant, pinned, data);
      }
  return first_of (p, YOUNG (p), pinned, data);
}

#define OPS								\
  .unit_bytes = sizeof (struct unit) + 2 * sizeof (uint32_t),		\
  .destroy = rrip_destroy,						\
  .size = sizeof (struct ummgr_paging),				\
  .own = rrip_own,							\
  .grow = rrip_grow,							\
  .insert = rrip_insert,						\
  .prefetch = rrip_prefetch,						\
  .touch = rrip_touch,							\
  .remove = rrip_remove,						\
  .victim = rrip_victim

const struct ummgr_paging_ops ummgr_paging_rrip = {
  .name = "rrip",
  .description = "a unit whose next use is predicted to be distant",
  .create = rrip_create,
  OPS
};

const struct ummgr_paging_ops ummgr_paging_rrip_thrashing = {
  .name = "rrip-thrashing",
  .description = "RRIP for an application that is known to thrash",
  .create = thrashing_create,
  OPS
};
