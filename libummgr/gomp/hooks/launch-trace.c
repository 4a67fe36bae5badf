/* What the tables say of a launch, for the trace and for the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Replay tries policies that ask for it, whatever the policy of the recorded run
   was.  Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "device/device.h"
#include "hints/hints.h"
#include "memory/manager.h"
#include "tables/tables.h"
#include "record/record.h"
#include "trace/format.h"

/* Bytes between iterations of what is used of OBJECT, if all its arguments
   agree; else 0.  */
static int64_t
stride_of (const struct ummgr_table_region *known,
	   const struct ummgr_clauses *clauses,
	   const struct ummgr_object_view *object)
{
  int64_t stride = 0;
  for (unsigned i = 0; i < known->arg_count && i < clauses->count; i++)
    {
      int64_t one;
      if ((uintptr_t) clauses->hostaddrs[i] - object->base >= object->size
	  || !ummgr_hints_stride (known, i, clauses->hostaddrs,
				  clauses->sizes, &one))
	continue;
      if (stride && one != stride)
	return 0;
      stride = one;
    }
  return stride;
}

bool
ummgr_launch_told (int device)
{
  struct ummgr_device *d = ummgr_device_of (device);
  return d->ops->uses && d->ops->uses (d, NULL, 0);
}

void
ummgr_launch_trace (uint64_t launch, struct ummgr_manager *manager,
		    const struct ummgr_region *region,
		    const struct ummgr_clauses *clauses,
		    struct ummgr_object_view *const *objects, size_t count,
		    const struct ummgr_hint *hints)
{
  const struct ummgr_table_region *known
    = ummgr_tables_region (region->function);
  struct ummgr_hint own[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_launch_data data = { .count = 0 };
  uint64_t trip = 0;
  if (!known)
    return;
  if (!ummgr_hints_trip (known, clauses->hostaddrs, clauses->sizes, &trip))
    trip = 0;
  pthread_mutex_lock (&manager->lock);
  if (!hints && ummgr_launch_hints (known, clauses, objects, count, own, &data))
    hints = own;
  struct ummgr_device_use uses[UMMGR_LAUNCH_HINTS_MAX];
  size_t used = 0;
  for (size_t i = 0; hints && i < count; i++)
    if (hints[i].known)
      {
	struct ummgr_device_use *use = &uses[used++];
	*use = (struct ummgr_device_use) {
	  .base = objects[i]->base, .size = objects[i]->size,
	  .region = (uintptr_t) region->function,
	  .address = ((const struct ummgr_object *) objects[i])->copy.address,
	  .object = objects[i]->id, .trip = trip, .hint = hints[i]
	};
	use->hint.stride = stride_of (known, clauses, objects[i]);
	ummgr_record_use (launch, (const void *) objects[i]->base, &use->hint);
      }
  pthread_mutex_unlock (&manager->lock);
  struct ummgr_device *device = ummgr_device_of (manager->device);
  if (device->ops->uses)
    device->ops->uses (device, uses, used);
}
