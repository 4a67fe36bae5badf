/* CLOCK-Pro: hot and cold units on one clock, told apart by reuse distance.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Jiang, Chen and Zhang, USENIX ATC'05.  The clock has the hot units, the
   resident cold ones, and cold ones that were evicted within their test
   period.  A cold unit that is used again in its test period becomes hot, and
   the hot one that was not used for longest becomes cold.

   The clock is a list from its tail, where HANDhot points, to its head: that
   hand moves by taking the front to the back ("moving HANDhot forward is
   equivalent to leaving the page it moves by at the list head").  The cold
   units, and those of them that are resident, are on lists of their own in
   the same order, so that HANDtest and HANDcold need not step over others.

   Owns, in each instance, the three lists, the hands and the counts.

   Choices.  HPE sets m_c to 128: it is fixed unless `adaptive` is set.  Of a
   memory of M units at most M-1 are for cold ones, as the hot part must not
   vanish on small memories.  While memory fills for the first time no hand
   moves; the oldest M-m_c then count as hot, as if M had been known and the
   hot part been filled first.  A cold unit that was used outside its test
   period goes to the head and begins a new one, as any used cold unit does.
   A prefetched unit has no test period yet: its first use is no reuse.  */

#include "config.h"
#include "paging/params.h"
#include "paging/copy.h"
#include "paging/ring.h"

#include <stdlib.h>

enum state
{
  ABSENT,
  HOT,
  COLD,
  EVICTED			/* Cold, in its test period.  */
};

struct unit
{
  uint8_t state;
  bool used, test;
};

struct ummgr_paging
{
  struct ummgr_clockpro_params params;
  uint32_t units;
  uint32_t cold_target;		/* m_c.  */
  uint32_t memory;		/* m; 0 until memory was full.  */
  uint32_t hot, cold, evicted;
  uint32_t hand_cold, hand_test; /* Nodes; LIST where there is none.  */
  uint32_t chosen;		/* By victim.  */
  struct unit *unit;
  /* LIST is each one's sentinel; unit U is node 1 + U.  */
  struct ummgr_ring *clock, *colds, *residents;
};

#define LIST 0

struct ummgr_clockpro_params
ummgr_clockpro_defaults (void)
{
  return (struct ummgr_clockpro_params) { 128, false };
}

static bool
clockpro_grow (struct ummgr_paging *p, uint32_t units)
{
  if (units <= p->units && p->clock)
    return true;
  struct unit *unit = realloc (p->unit, (units + 1) * sizeof *unit);
  if (!unit)
    return false;
  p->unit = unit;
  uint32_t old = p->units ? 1 + p->units : 0;
  if (!ummgr_ring_grow (&p->clock, old, 1 + units)
      || !ummgr_ring_grow (&p->colds, old, 1 + units)
      || !ummgr_ring_grow (&p->residents, old, 1 + units))
    return false;
  for (uint32_t n = old; n <= units; n++)
    unit[n] = (struct unit) { 0 };
  p->units = units;
  return true;
}

static void
clockpro_destroy (struct ummgr_paging *p)
{
  if (!p)
    return;
  free (p->unit);
  free (p->clock);
  free (p->colds);
  free (p->residents);
  free (p);
}

struct ummgr_paging *
ummgr_paging_clockpro_create (uint32_t units,
			      const struct ummgr_clockpro_params *params)
{
  if (params->cold < 1)
    return NULL;
  struct ummgr_paging *p = calloc (1, sizeof *p);
  if (!p)
    return NULL;
  p->params = *params;
  p->cold_target = params->cold;
  p->chosen = UMMGR_PAGING_NONE;
  if (!clockpro_grow (p, units ? units : 1))
    {
      clockpro_destroy (p);
      return NULL;
    }
  return p;
}

static struct ummgr_paging *
clockpro_create (uint32_t units)
{
  struct ummgr_clockpro_params params = ummgr_clockpro_defaults ();
  return ummgr_paging_clockpro_create (units, &params);
}

static bool
clockpro_own (struct ummgr_paging *c)
{
  size_t nodes = 1 + (size_t) c->units;
  bool good = ummgr_paging_copied (&c->unit, nodes * sizeof *c->unit);
  good &= ummgr_paging_copied (&c->clock, nodes * sizeof *c->clock);
  good &= ummgr_paging_copied (&c->colds, nodes * sizeof *c->colds);
  good &= ummgr_paging_copied (&c->residents, nodes * sizeof *c->residents);
  return good;
}

/* m_h.  */
static uint32_t
hot_most (const struct ummgr_paging *p)
{
  return p->memory > p->cold_target ? p->memory - p->cold_target
				    : p->memory > 1;
}

/* With `adaptive`: m_c rises with each use of a cold unit in its test period,
   and falls with each test period that ends without.  */
static void
adapt (struct ummgr_paging *p, bool rise)
{
  if (!p->params.adaptive)
    return;
  if (!rise)
    p->cold_target -= p->cold_target > 1;
  else if (p->cold_target + 1 < p->memory)
    p->cold_target++;
}

static uint32_t
after (const struct ummgr_ring *r, uint32_t node)
{
  uint32_t next = r[node].next;
  return next == LIST ? r[LIST].next : next;
}

/* NODE is about to leave RING: a hand on it moves on.  */
static void
hand_leaves (const struct ummgr_ring *ring, uint32_t *hand, uint32_t node)
{
  if (*hand != node)
    return;
  *hand = after (ring, node);
  if (*hand == node)
    *hand = LIST;
}

static void
leave_residents (struct ummgr_paging *p, uint32_t node)
{
  hand_leaves (p->residents, &p->hand_cold, node);
  ummgr_ring_unlink (p->residents, node);
  p->cold--;
}

static void
leave_colds (struct ummgr_paging *p, uint32_t node)
{
  hand_leaves (p->colds, &p->hand_test, node);
  ummgr_ring_unlink (p->colds, node);
}

/* NODE leaves the clock altogether.  */
static void
take_off (struct ummgr_paging *p, uint32_t node)
{
  struct unit *u = &p->unit[node];
  if (u->state == HOT)
    p->hot--;
  else
    {
      leave_colds (p, node);
      if (u->state == COLD)
	leave_residents (p, node);
      else
	p->evicted--;
    }
  ummgr_ring_unlink (p->clock, node);
  *u = (struct unit) { 0 };
}

/* Enter NODE, of the clock or not, on the lists of cold ones, at the head.  */
static void
enter_colds (struct ummgr_paging *p, uint32_t node)
{
  ummgr_ring_put (p->colds, LIST, node);
  ummgr_ring_put (p->residents, LIST, node);
  p->cold++;
  if (p->hand_cold == LIST)
    p->hand_cold = node;
  if (p->hand_test == LIST)
    p->hand_test = node;
}

static void
add_cold (struct ummgr_paging *p, uint32_t node, bool test)
{
  p->unit[node] = (struct unit) { COLD, false, test };
  ummgr_ring_put (p->clock, LIST, node);
  enter_colds (p, node);
}

static void
add_hot (struct ummgr_paging *p, uint32_t node)
{
  p->unit[node] = (struct unit) { HOT, false, false };
  ummgr_ring_put (p->clock, LIST, node);
  p->hot++;
}

/* The test period of cold NODE ends; true if that takes it off the clock.  */
static bool
end_test (struct ummgr_paging *p, uint32_t node)
{
  struct unit *u = &p->unit[node];
  if (u->test && !u->used)
    adapt (p, false);
  u->test = false;
  if (u->state != EVICTED)
    return false;
  take_off (p, node);
  return true;
}

static void
to_back (struct ummgr_ring *ring, uint32_t node)
{
  ummgr_ring_unlink (ring, node);
  ummgr_ring_put (ring, LIST, node);
}

/* HANDhot passes cold units until it points to a hot one.  */
static void
pass_colds (struct ummgr_paging *p)
{
  uint32_t node;
  while (p->hot && p->unit[node = p->clock[LIST].next].state != HOT)
    if (!end_test (p, node))
      {
	to_back (p->clock, node);
	to_back (p->colds, node);
	to_back (p->residents, node);
      }
}

/* Run HANDhot: one hot unit becomes cold.  */
static void
run_hot (struct ummgr_paging *p)
{
  pass_colds (p);
  uint32_t node = p->clock[LIST].next;
  while (p->unit[node].used)
    {
      p->unit[node].used = false;
      to_back (p->clock, node);
      pass_colds (p);
      node = p->clock[LIST].next;
    }
  p->unit[node].state = COLD;
  p->hot--;
  to_back (p->clock, node);
  enter_colds (p, node);
  pass_colds (p);
}

/* Run HANDtest while more evicted units are remembered than memory has.  */
static void
run_test (struct ummgr_paging *p)
{
  while (p->evicted > p->memory)
    {
      uint32_t node = p->hand_test;
      p->hand_test = after (p->colds, node);
      end_test (p, node);
    }
}

static void
balance_hot (struct ummgr_paging *p)
{
  while (p->hot > hot_most (p))
    run_hot (p);
}

static bool
is_resident (const struct ummgr_paging *p, uint32_t unit)
{
  uint8_t state = p->unit[1 + unit].state;
  return state == HOT || state == COLD;
}

static void
clockpro_touch (struct ummgr_paging *p, uint32_t unit)
{
  if (is_resident (p, unit))
    p->unit[1 + unit].used = true;
}

static void
clockpro_insert (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t node = 1 + unit;
  switch (p->unit[node].state)
    {
    case EVICTED:
      take_off (p, node);
      adapt (p, true);
      add_hot (p, node);
      balance_hot (p);
      break;
    case ABSENT:
      add_cold (p, node, true);
      break;
    default:
      p->unit[node].used = true;
      return;
    }
  run_test (p);
}

static void
clockpro_prefetch (struct ummgr_paging *p, uint32_t unit)
{
  if (is_resident (p, unit))
    return;
  if (p->unit[1 + unit].state == EVICTED)
    take_off (p, 1 + unit);
  add_cold (p, 1 + unit, false);
}

static void
clockpro_remove (struct ummgr_paging *p, uint32_t unit)
{
  uint32_t node = 1 + unit;
  if (!is_resident (p, unit))
    return;
  bool evicted = p->chosen == unit;
  p->chosen = UMMGR_PAGING_NONE;
  if (!evicted || !p->unit[node].test)
    {
      take_off (p, node);
      return;
    }
  leave_residents (p, node);
  p->unit[node].state = EVICTED;
  p->unit[node].used = false;
  p->evicted++;
  run_test (p);
}

static void
clockpro_forget (struct ummgr_paging *p, uint32_t unit)
{
  if (p->unit[1 + unit].state == EVICTED)
    take_off (p, 1 + unit);
}

/* Memory is full for the first time.  */
static void
first_full (struct ummgr_paging *p)
{
  uint32_t node = p->clock[LIST].next;
  for (uint32_t most = hot_most (p); p->hot < most; node = p->clock[node].next)
    {
      leave_colds (p, node);
      leave_residents (p, node);
      p->unit[node].state = HOT;
      p->unit[node].test = false;
      p->hot++;
    }
}

/* The unit that HANDcold points to was used: it goes to the head.  */
static void
spare (struct ummgr_paging *p, uint32_t node)
{
  bool hot = p->unit[node].test;
  take_off (p, node);
  if (!hot)
    {
      add_cold (p, node, true);
      return;
    }
  adapt (p, true);
  add_hot (p, node);
  balance_hot (p);
}

static uint32_t
clockpro_victim (struct ummgr_paging *p,
		 bool (*pinned) (void *data, uint32_t unit), void *data)
{
  bool first = !p->memory;
  p->memory = p->hot + p->cold;
  p->chosen = UMMGR_PAGING_NONE;
  if (first)
    first_full (p);
  uint32_t passed = 0;
  for (;;)
    {
      if (passed >= p->cold)
	{
	  if (!p->hot)
	    return UMMGR_PAGING_NONE;
	  run_hot (p);
	  passed = 0;
	}
      uint32_t node = p->hand_cold;
      if (pinned && pinned (data, node - 1))
	{
	  p->hand_cold = after (p->residents, node);
	  passed++;
	}
      else if (p->unit[node].used)
	{
	  spare (p, node);
	  passed = 0;
	}
      else
	return p->chosen = node - 1;
    }
}

const struct ummgr_paging_ops ummgr_paging_clockpro = {
  .name = "clockpro",
  .description = "a unit of a great reuse distance that was not used lately",
  .unit_bytes = sizeof (struct unit) + 3 * sizeof (struct ummgr_ring),
  .create = clockpro_create,
  .destroy = clockpro_destroy,
  .size = sizeof (struct ummgr_paging),
  .own = clockpro_own,
  .grow = clockpro_grow,
  .insert = clockpro_insert,
  .prefetch = clockpro_prefetch,
  .touch = clockpro_touch,
  .remove = clockpro_remove,
  .forget = clockpro_forget,
  .victim = clockpro_victim,
};
