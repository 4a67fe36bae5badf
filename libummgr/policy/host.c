/* Policy `host`: all data stays in host memory, and the device reads and
   writes it over the link.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "policy/policies.h"

static void
on_map (void *state, struct ummgr_object_view *object,
	struct ummgr_plan *plan)
{
  ummgr_plan_add (plan, object, 0, object->size, UMMGR_PLACE_HOST,
		  UMMGR_TRANSFER_NONE, "everything on the host");
}

static void
on_region_begin (void *state, const struct ummgr_region_view *region,
		 struct ummgr_object_view *const *objects, size_t count,
		 struct ummgr_plan *plan)
{
  for (size_t i = 0; i < count; i++)
    if (objects[i]->placed->place != UMMGR_PLACE_HOST
	&& ummgr_object_movable (objects[i]))
      ummgr_plan_add (plan, objects[i], 0, objects[i]->size,
		      UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE,
		      "everything on the host");
}

const struct ummgr_policy_ops ummgr_policy_host = {
  .name = "host",
  .description = "all data in host memory, accessed remotely",
  .source = "SC'19 section 2.3, Host",
  .on_map = on_map,
  .on_region_begin = on_region_begin
};
