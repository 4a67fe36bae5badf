/* Applies plans to objects as the runtime would, with no device: for tests of
   policies.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef POLICY_APPLY_H
#define POLICY_APPLY_H

#include "check.h"
#include "policy/policy.h"

#include <string.h>

static inline size_t
policy_on_device (const struct ummgr_object_view *o)
{
  return o->place == UMMGR_PLACE_DEVICE ? o->placed_bytes : 0;
}

static inline void
policy_apply (struct ummgr_plan *plan)
{
  for (size_t i = 0; i < plan->count; i++)
    {
      const struct ummgr_decision *d = &plan->decisions[i];
      struct ummgr_object_view *o = d->object;
      CHECK (d->lo < d->hi && d->hi <= o->size && d->reason);
      if (d->place == UMMGR_PLACE_HOST)
	{
	  size_t left = policy_on_device (o) < d->lo ? policy_on_device (o) : d->lo;
	  o->place = left ? UMMGR_PLACE_DEVICE : UMMGR_PLACE_HOST;
	  o->placed_bytes = left;
	}
      else
	{
	  CHECK_EQ (d->lo, 0);
	  o->place = d->place;
	  o->placed_bytes = d->hi;
	}
    }
  plan->count = 0;
}

static inline void
policy_map (const struct ummgr_policy_ops *p, void *state,
	    struct ummgr_object_view *o, struct ummgr_plan *plan)
{
  plan->count = 0;
  p->on_map (state, o, plan);
  CHECK_EQ (plan->count, 1);
  CHECK (plan->decisions[0].object == o);
  CHECK_EQ (plan->decisions[0].hi, o->size);
}

static inline void
policy_begin (const struct ummgr_policy_ops *p, void *state,
	      struct ummgr_object_view **objects, size_t n,
	      struct ummgr_plan *plan)
{
  static uint64_t sequence;
  struct ummgr_region_view region
    = { .name = "r", .invocation = 1, .sequence = ++sequence };
  plan->count = 0;
  p->on_region_begin (state, &region, objects, n, plan);
}

#endif
