/* Policy `prefetch`: all data in managed memory, and what a region uses is
   prefetched before it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Every object of the region is prefetched, in the order of the
   arguments, every time, and whether or not they fit together: where they
   don't, later prefetches push out earlier ones and the region faults them
   back, which is what SC'19 section 2.3 observed of UM_PF.  Pages already on
   the device are not sent again; that is the driver's part.  */

#include "config.h"
#include "policy/policies.h"

static void
on_map (void *state, struct ummgr_object_view *object,
	struct ummgr_plan *plan)
{
  ummgr_plan_add (plan, object, 0, object->size, UMMGR_PLACE_ANY,
		  UMMGR_TRANSFER_IMPLICIT, "prefetched when first used");
}

static void
on_region_begin (void *state, const struct ummgr_region_view *region,
		 struct ummgr_object_view *const *objects, size_t count,
		 struct ummgr_plan *plan)
{
  for (size_t i = 0; i < count; i++)
    if (ummgr_object_movable (objects[i]))
      ummgr_plan_add (plan, objects[i], 0, objects[i]->size,
		      UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT,
		      "used by the region");
}

const struct ummgr_policy_ops ummgr_policy_prefetch = {
  .name = "prefetch",
  .description = "all data managed, prefetched before each region",
  .source = "SC'19 section 2.3, UM_PF",
  .on_map = on_map,
  .on_region_begin = on_region_begin
};
