/* What a policy with hints does when a region is over.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Managed memory that the host goes over next would come to it page by page, a
   fault each.  It is sent home at once where the compiler finds that more likely
   than a region's use before.  It keeps its place in the device's budget: the
   next region that uses it has it sent again, as the policy then decides.  It is read-mostly no
   more where the host may write it: each page that both have would take a fault.  Where
   that is not so after each region, but where the last is over, instrumented
   code says so.  No state.  */

#include "config.h"
#include "policy/policies.h"

void
ummgr_host_next (struct ummgr_object_view *object, struct ummgr_plan *plan)
{
  if (object->running || object->path != UMMGR_PATH_UNIFIED
      || object->placed->place == UMMGR_PLACE_HOST)
    return;
  bool all = object->placed->place != UMMGR_PLACE_DEVICE;
  if (object->mark.host_writes)
    object->mark.copies = false;
  if (ummgr_plan_add (plan, object, all ? 0 : object->placed->lo,
		      all ? object->size : object->placed->hi, object->placed->place,
		      UMMGR_TRANSFER_HOME, "the host goes over it next"))
    plan->decisions[plan->count - 1].copies = object->mark.copies;
}

void
ummgr_after_region (void *state, const struct ummgr_region_view *region,
		    struct ummgr_object_view *const *objects, size_t count,
		    struct ummgr_plan *plan)
{
  (void) state;
  for (size_t i = 0; region->hints && i < count; i++)
    {
      const struct ummgr_hint *hint = &region->hints[i];
      if (hint->known && hint->host_next > 0.5)
	ummgr_host_next (objects[i], plan);
    }
}
