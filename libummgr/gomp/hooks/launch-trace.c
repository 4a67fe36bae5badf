/* What the tables say of a launch, for the trace and for the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Replay tries policies that ask for it, whatever the policy of the recorded run
   was.  Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "device/device.h"
#include "hints/hints.h"
#include "memory/manager.h"
#include "device/sim-api.h"
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

/* USE of OBJECT in REGION, as replay/pages.c takes it from a trace.  */
static struct ummgr_sim_use
sim_use (const struct ummgr_region *region,
	 const struct ummgr_object_view *object,
	 const struct ummgr_trace_use *use)
{
  uint64_t lo, hi;
  ummgr_trace_use_range (use, object->size, &lo, &hi);
  return (struct ummgr_sim_use) {
    .lo = object->base + lo, .hi = object->base + hi,
    .object_lo = object->base, .object_hi = object->base + object->size,
    .region = (uintptr_t) region->function, .locality = use->locality,
    .density = use->density,
    .next_use = ummgr_trace_use_next (use),
    .stride = use->stride, .exact = !(use->flags & UMMGR_TRACE_USE_ESTIMATED),
    .read = use->flags & UMMGR_TRACE_USE_READ,
    .write = use->flags & UMMGR_TRACE_USE_WRITE
  };
}

static struct ummgr_trace_use
trace_one (uint64_t launch, const struct ummgr_table_region *known,
	   const struct ummgr_clauses *clauses,
	   const struct ummgr_object_view *object,
	   const struct ummgr_hint *hint)
{
  struct ummgr_trace_use use = {
    .launch = launch,
    .flags = (hint->read ? UMMGR_TRACE_USE_READ : 0)
	     | (hint->write ? UMMGR_TRACE_USE_WRITE : 0)
	     | (hint->overwritten ? UMMGR_TRACE_USE_OVERWRITTEN : 0)
	     | (hint->estimated ? UMMGR_TRACE_USE_ESTIMATED : 0)
	     | (hint->host_known ? UMMGR_TRACE_USE_HOST_KNOWN : 0)
	     | (hint->host_reads ? UMMGR_TRACE_USE_HOST_READS : 0)
	     | (hint->host_writes ? UMMGR_TRACE_USE_HOST_WRITES : 0)
	     | (hint->dead ? UMMGR_TRACE_USE_DEAD : 0)
	     | (hint->density_most > hint->density ? UMMGR_TRACE_USE_GUESSED : 0),
    .lo = hint->lo, .hi = hint->hi, .locality = hint->locality,
    .density = hint->density, .density_sc19 = hint->density_sc19,
    .global_locality = hint->global_locality,
    .reuse_static = hint->reuse_static, .reuse_likely = hint->reuse_likely,
    .stride = stride_of (known, clauses, object),
    .name = hint->name ? hint->name : "",
    .density_program = hint->density_program, .host_next = hint->host_next,
    .remote = hint->remote, .remote_most = hint->remote_most,
    .remote_program = hint->remote_program
  };
  if (launch)
    ummgr_record_use ((const void *) object->base, &use);
  return use;
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
  if (!known)
    return;
  pthread_mutex_lock (&manager->lock);
  if (!hints && ummgr_launch_hints (known, clauses, objects, count, own, &data))
    hints = own;
  struct ummgr_sim_use uses[UMMGR_LAUNCH_HINTS_MAX];
  size_t used = 0;
  for (size_t i = 0; hints && i < count; i++)
    if (hints[i].known)
      {
	struct ummgr_trace_use use
	  = trace_one (launch, known, clauses, objects[i], &hints[i]);
	if (used < UMMGR_LAUNCH_HINTS_MAX)
	  uses[used++] = sim_use (region, objects[i], &use);
      }
  pthread_mutex_unlock (&manager->lock);
  struct ummgr_device *device = ummgr_device_of (manager->device);
  if (device->ops->uses)
    device->ops->uses (device, uses, used);
}
