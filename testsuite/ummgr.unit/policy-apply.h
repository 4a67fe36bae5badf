/* Applies plans to objects as the runtime would, with no device: for tests of
   policies.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"
#include "policy/policy.h"

#include <string.h>

/* O begins as nothing, but that its place is at PLACED.  */
static inline void
policy_clear (struct ummgr_object_view *o, struct ummgr_placed *placed)
{
  *placed = (struct ummgr_placed) { 0 };
  *o = (struct ummgr_object_view) { .placed = placed };
}

/* What policies may only read.  */
static inline struct ummgr_placed *
policy_placed (const struct ummgr_object_view *o)
{
  return (struct ummgr_placed *) o->placed;
}

static inline size_t
policy_on_device (const struct ummgr_object_view *o)
{
  const struct ummgr_placed *p = o->placed;
  return p->place == UMMGR_PLACE_DEVICE ? p->hi - p->lo : 0;
}

/* What [LO, HI) leaves of what O has must be one range.  */
static inline void
policy_take (struct ummgr_object_view *o, size_t lo, size_t hi)
{
  struct ummgr_placed *p = policy_placed (o);
  size_t from = p->lo, to = p->hi;
  if (policy_on_device (o) == 0 || (lo <= from && hi >= to))
    *p = (struct ummgr_placed) { UMMGR_PLACE_HOST, 0, o->size };
  else if (lo > from)
    {
      CHECK (hi >= to);
      p->hi = lo < to ? lo : to;
    }
  else if (hi > from)
    p->lo = hi;
}

static inline void
policy_apply (struct ummgr_plan *plan)
{
  for (size_t i = 0; i < plan->count; i++)
    {
      const struct ummgr_decision *d = &plan->decisions[i];
      struct ummgr_object_view *o = d->object;
      struct ummgr_placed *p = policy_placed (o);
      CHECK (d->lo <= d->hi && d->hi <= o->size && d->reason);
      if (d->lo == d->hi)
	continue;
      if (d->place == UMMGR_PLACE_HOST)
	policy_take (o, d->lo, d->hi);
      else if (policy_on_device (o) && d->lo <= p->hi && d->hi >= p->lo)
	{
	  p->lo = d->lo < p->lo ? d->lo : p->lo;
	  p->hi = d->hi > p->hi ? d->hi : p->hi;
	}
      else
	{
	  CHECK_EQ (policy_on_device (o), 0);
	  *p = (struct ummgr_placed) { d->place, d->lo, d->hi };
	}
    }
  plan->count = 0;
}

/* O comes; of what begins as a part the rest is on the host.  */
static inline void
policy_map_part (const struct ummgr_policy_ops *p, void *state,
		 struct ummgr_object_view *o, struct ummgr_plan *plan)
{
  plan->count = 0;
  p->on_map (state, o, plan);
  CHECK_EQ (plan->count, 1);
  CHECK (plan->decisions[0].object == o);
  CHECK (plan->decisions[0].lo == 0 && plan->decisions[0].hi <= o->size);
}

/* As a whole.  */
static inline void
policy_map (const struct ummgr_policy_ops *p, void *state,
	    struct ummgr_object_view *o, struct ummgr_plan *plan)
{
  policy_map_part (p, state, o, plan);
  CHECK_EQ (plan->decisions[0].hi, o->size);
}

/* Region NAME, of which the compiler said HINTS or nothing, begins.  */
static inline void
policy_begin_hinted (const struct ummgr_policy_ops *p, void *state,
		     uintptr_t name, struct ummgr_object_view **objects,
		     const struct ummgr_hint *hints, size_t n,
		     struct ummgr_plan *plan)
{
  static uint64_t sequence;
  struct ummgr_region_view region
    = { .region = name, .name = "r", .invocation = 1,
	.sequence = ++sequence, .hints = hints };
  plan->count = 0;
  p->on_region_begin (state, &region, objects, n, plan);
}

static inline void
policy_begin (const struct ummgr_policy_ops *p, void *state,
	      struct ummgr_object_view **objects, size_t n,
	      struct ummgr_plan *plan)
{
  policy_begin_hinted (p, state, 1, objects, NULL, n, plan);
}
