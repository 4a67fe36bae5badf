/* Plans: a growing list of decisions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The list belongs to whoever made the plan, who may set COUNT to 0 to use
   it again and frees DECISIONS at the end.  Applies nothing.  */

#include "config.h"
#include "policy/policy.h"

#include <stdlib.h>

bool
ummgr_plan_add (struct ummgr_plan *plan, struct ummgr_object_view *object,
		size_t lo, size_t hi, enum ummgr_place place,
		enum ummgr_transfer transfer, const char *reason)
{
  if (plan->count == plan->capacity)
    {
      size_t capacity = plan->capacity ? 2 * plan->capacity : 16;
      struct ummgr_decision *grown
	= realloc (plan->decisions, capacity * sizeof *grown);
      if (!grown)
	return false;
      plan->decisions = grown;
      plan->capacity = capacity;
    }
  plan->decisions[plan->count++] = (struct ummgr_decision) {
    .object = object, .lo = lo, .hi = hi,
    .place = place, .transfer = transfer, .reason = reason
  };
  return true;
}
