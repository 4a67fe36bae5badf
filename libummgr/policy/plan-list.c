/* Plans: a growing list of decisions.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The list belongs to whoever made the plan, who may set COUNT to 0 to use
   it again and frees DECISIONS at the end.  Applies nothing.  */

#include "config.h"
#include "policy/policy.h"
#include "base/grow.h"

bool
ummgr_plan_add (struct ummgr_plan *plan, struct ummgr_object_view *object,
		size_t lo, size_t hi, enum ummgr_place place,
		enum ummgr_transfer transfer, const char *reason)
{
  if (!UMMGR_GROW (plan->decisions, plan->capacity, plan->count + 1))
    return false;
  plan->decisions[plan->count++] = (struct ummgr_decision) {
    .object = object, .device = object->device, .lo = lo, .hi = hi,
    .place = place, .transfer = transfer, .reason = reason
  };
  return true;
}
