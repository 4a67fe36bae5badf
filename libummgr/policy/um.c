/* Policy `um`: all data in managed memory, paged on demand.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state: after on_map the driver alone decides where pages are.  */

#include "config.h"
#include "policy/policies.h"

static void
on_map (void *state, struct ummgr_object_view *object,
	struct ummgr_plan *plan)
{
  ummgr_plan_add (plan, object, 0, object->size, UMMGR_PLACE_ANY,
		  UMMGR_TRANSFER_IMPLICIT, "on demand");
}

static void
on_region_begin (void *state, const struct ummgr_region_view *region,
		 struct ummgr_object_view *const *objects, size_t count,
		 struct ummgr_plan *plan)
{
}

const struct ummgr_policy_ops ummgr_policy_um = {
  .name = "um",
  .description = "all data managed, paged on demand",
  .source = "SC'19 section 2.3, UM_DEF",
  .on_map = on_map,
  .on_region_begin = on_region_begin
};
