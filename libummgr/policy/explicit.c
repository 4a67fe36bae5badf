/* Policy `explicit`: map clauses as written, by libgomp.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  What doesn't fit the device fails as it does without ummgr.  */

#include "config.h"
#include "policy/policies.h"

static void
on_map (void *state, struct ummgr_object_view *object,
	struct ummgr_plan *plan)
{
  ummgr_plan_add (plan, object, 0, object->size, UMMGR_PLACE_LIBGOMP,
		  UMMGR_TRANSFER_NONE, "map clauses as written");
}

static void
on_region_begin (void *state, const struct ummgr_region_view *region,
		 struct ummgr_object_view *const *objects, size_t count,
		 struct ummgr_plan *plan)
{
}

const struct ummgr_policy_ops ummgr_policy_explicit = {
  .name = "explicit",
  .description = "map clauses as written, by libgomp",
  .source = "SC'19 section 2.3, Baseline",
  .passive = true,
  .on_map = on_map,
  .on_region_begin = on_region_begin
};
