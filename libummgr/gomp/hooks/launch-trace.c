/* What the tables say of a launch, for the trace and for the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Replay tries policies that ask for it, whatever the policy of the recorded run
   was.  Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "device/device.h"
#include "hints/exclusive.h"
#include "hints/hints.h"
#include "memory/manager.h"
#include "tables/tables.h"
#include "record/record.h"
#include "trace/format.h"
#include "ummgr-table.h"

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

/* What iterations have for themselves of OBJECT, if its arguments agree; MEMORY, one for each
   of CLAUSES, may be read.  */
static void
exclusive_fill (const struct ummgr_table_region *known, const struct ummgr_clauses *clauses,
		const struct ummgr_object_view *object,
		const struct ummgr_code_memory *memory, struct ummgr_exclusive *out)
{
  const struct ummgr_code_inputs inputs = { clauses->hostaddrs, clauses->sizes };
  bool any = false;
  for (unsigned a = 0; a < known->arg_count; a++)
    {
      uint64_t offset = (uintptr_t) clauses->hostaddrs[a] - object->base;
      struct ummgr_exclusive one;
      if (offset >= object->size || !(known->args[a].use.flags & UMMGR_USE_ANALYSED))
	continue;
      ummgr_hints_exclusive (known, a, &inputs, memory, &one);
      one.first += offset;
      if (any && (one.pace != out->pace || one.first != out->first || one.row != out->row))
	{
	  out->pace = 0;
	  return;
	}
      any = true;
      *out = one;
    }
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
  struct ummgr_device *device = ummgr_device_of (manager->device);
  if (!known)
    return;
  bool laid = device->ops->lay_by && device->ops->lay_by (NULL);
  pthread_mutex_lock (&manager->lock);
  if (!hints && ummgr_launch_hints (known, clauses, objects, count, own, &data))
    hints = own;
  struct ummgr_device_use uses[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_code_memory memory[UMMGR_LAUNCH_HINTS_MAX];
  size_t used = 0;
  /* There are as many clauses as arguments, and not too many, where there are hints.  */
  if (hints && laid)
    ummgr_launch_data_memory (clauses, objects, count, memory);
  for (size_t i = 0; hints && i < count; i++)
    if (hints[i].known)
      {
	struct ummgr_device_use *use = &uses[used++];
	*use = (struct ummgr_device_use) {
	  .base = objects[i]->base, .size = objects[i]->size,
	  .region = (uintptr_t) region->function,
	  .address = ((const struct ummgr_object *) objects[i])->copy.address,
	  .object = objects[i]->id, .hint = hints[i]
	};
	if (laid)
	  exclusive_fill (known, clauses, objects[i], memory, &use->exclusive);
	use->hint.stride = stride_of (known, clauses, objects[i]);
	ummgr_record_use (launch, (const void *) objects[i]->base, &use->hint);
      }
  pthread_mutex_unlock (&manager->lock);
  if (device->ops->uses)
    device->ops->uses (device, uses, used);
}
