/* What the tables say of a launch, for the trace and for the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Replay tries policies that ask for it, whatever the policy of the recorded run
   was.  Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "base/clock.h"
#include "device/device.h"
#include "hints/exclusive.h"
#include "hints/hints.h"
#include "hints/reuse.h"
#include "memory/manager.h"
#include "tables/tables.h"
#include "record/record.h"
#include "trace/format.h"
#include "report/stats.h"
#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

/* Uses of objects, being put together.  Where an object's arguments differ, so that nothing
   holds for all, MIXED; STRIDES, of their strides alone.  */
struct uses
{
  struct ummgr_device_use *use;
  size_t count;
  int by_object[UMMGR_LAUNCH_HINTS_MAX]; /* -1: nothing is known of that one.  */
  bool any[UMMGR_LAUNCH_HINTS_MAX], mixed[UMMGR_LAUNCH_HINTS_MAX];
  bool strides[UMMGR_LAUNCH_HINTS_MAX];
};

/* Bytes between iterations of what argument A uses, of that which use U is of.  */
static void
stride_add (struct uses *uses, int u, const struct ummgr_table_region *known, unsigned a,
	    const struct ummgr_code_inputs *inputs)
{
  int64_t one, *stride = &uses->use[u].hint.stride;
  if (uses->strides[u] || !ummgr_hints_stride (known, a, inputs, &one))
    return;
  uses->strides[u] = *stride && one != *stride;
  *stride = uses->strides[u] ? 0 : one;
}

/* What iterations have for themselves of it; MEMORY, one for each argument, may be read.  */
static void
exclusive_add (struct uses *uses, int u, const struct ummgr_table_region *known, unsigned a,
	       const struct ummgr_code_inputs *inputs, const struct ummgr_code_memory *memory)
{
  struct ummgr_exclusive one, *all = &uses->use[u].exclusive;
  if (uses->mixed[u] || !(known->args[a].use.flags & UMMGR_USE_ANALYSED))
    return;
  ummgr_hints_exclusive (known, a, inputs, memory, &one);
  one.first += (double) ((uintptr_t) inputs->hostaddrs[a] - uses->use[u].base);
  uses->mixed[u] = uses->any[u] && (one.pace != all->pace || one.first != all->first
				    || one.row != all->row);
  uses->any[u] = true;
  ummgr_exclusive_copy (all, &one);
  if (uses->mixed[u])
    all->pace = 0;
}

/* What other regions will want of an object, by what this launch's arguments are.  */
struct ahead
{
  const struct ummgr_table_region *known;
  const struct ummgr_clauses *clauses;
  struct ummgr_device_use *use;
  unsigned arg;			/* By which KNOWN has it.  */
};

/* ummgr_reuse_others' callback.  A variable of the same declaration is taken to be as it is now; what begins with
   another one is taken to begin where the object does.  */
static void
ahead_note (const struct ummgr_table_region *region, const struct ummgr_table_arg *arg, double frequency,
	    void *data)
{
  const struct ahead *a = data;
  const struct ummgr_table_arg *args = a->known->args;
  void *hostaddrs[UMMGR_LAUNCH_HINTS_MAX] = { NULL };
  size_t sizes[UMMGR_LAUNCH_HINTS_MAX] = { 0 };
  const struct ummgr_code_inputs inputs = { hostaddrs, sizes, NULL };
  struct ummgr_device_use *use = a->use;
  struct ummgr_device_other *other = &use->others[use->other_count];
  if (use->other_count == UMMGR_DEVICE_OTHERS || region->arg_count > UMMGR_LAUNCH_HINTS_MAX)
    return;
  for (unsigned i = 0; i < region->arg_count; i++)
    for (unsigned j = 0; j < a->known->arg_count && !hostaddrs[i]; j++)
      if (region->args[i].map_kind == args[j].map_kind
	  && ummgr_reuse_same_variable (&region->args[i], &args[j]))
	{
	  hostaddrs[i] = a->clauses->hostaddrs[j];
	  sizes[i] = a->clauses->sizes[j];
	}
  if (!ummgr_hints_exclusive_ahead (region, arg - region->args, &inputs, &other->exclusive,
				    &other->teams))
    return;
  if (ummgr_reuse_same_variable (arg, &args[a->arg]))
    other->exclusive.first += (double) ((uintptr_t) a->clauses->hostaddrs[a->arg] - use->base);
  other->region = (uintptr_t) region->host_function;
  other->frequency = frequency;
  use->other_count++;
}

/* Of a launch of KNOWN, REGION in the tables, with as many clauses as it has arguments.  LAID:
   what iterations have for themselves, too.  */
static void
uses_fill (struct uses *uses, const struct ummgr_table_region *known,
	   const struct ummgr_region *region, const struct ummgr_clauses *clauses,
	   struct ummgr_object_view *const *objects, size_t count,
	   const struct ummgr_hint *hints, bool laid)
{
  int object[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_code_memory memory[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_code_memo memo = { .code = { NULL } };
  const struct ummgr_code_inputs inputs = { clauses->hostaddrs, clauses->sizes, &memo };
  for (size_t i = 0; i < count; i++)
    {
      uses->by_object[i] = hints[i].known ? (int) uses->count : -1;
      if (!hints[i].known)
	continue;
      struct ummgr_device_use *use = &uses->use[uses->count++];
      use->base = objects[i]->base;
      use->size = objects[i]->size;
      use->region = (uintptr_t) region->function;
      use->address = ((const struct ummgr_object *) objects[i])->copy.address;
      use->object = objects[i]->id;
      use->hint = hints[i];
      ummgr_exclusive_clear (&use->exclusive);
      use->other_count = 0;
    }
  ummgr_launch_objects (known, clauses, objects, count, object);
  if (laid)
    ummgr_launch_data_memory (clauses, objects, object, memory);
  for (unsigned a = 0; a < known->arg_count; a++)
    {
      int u = object[a] < 0 ? -1 : uses->by_object[object[a]];
      if (u < 0)
	continue;
      stride_add (uses, u, known, a, &inputs);
      if (!laid)
	continue;
      exclusive_add (uses, u, known, a, &inputs, memory);
      struct ahead ahead = { known, clauses, &uses->use[u], a };
      if (uses->use[u].hint.first && !uses->use[u].other_count)
	ummgr_reuse_others (objects[object[a]], ahead_note, &ahead);
    }
}

/* OBJECTS[0..*COUNT), and behind them those of CLAUSES that libgomp keeps: under a policy that lets it
   have all, a replay tries others.  OUT has room for UMMGR_LAUNCH_HINTS_MAX.  */
static struct ummgr_object_view *const *
objects_all (struct ummgr_manager *manager, const struct ummgr_clauses *clauses,
	     struct ummgr_object_view *const *objects, size_t *count,
	     struct ummgr_object_view **out)
{
  if (!ummgr_manager_passive (manager) || *count > UMMGR_LAUNCH_HINTS_MAX)
    return objects;
  size_t n = *count;
  if (n)
    memcpy (out, objects, n * sizeof *out);
  for (size_t i = 0; i < clauses->count && n < UMMGR_LAUNCH_HINTS_MAX; i++)
    {
      struct ummgr_object *object
	= ummgr_objects_find (&manager->mapped, (uintptr_t) clauses->hostaddrs[i]);
      bool known = !object;
      for (size_t j = 0; j < n && !known; j++)
	known = out[j] == &object->view;
      if (!known)
	out[n++] = &object->view;
    }
  *count = n;
  return out;
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
  struct ummgr_object_view *all[UMMGR_LAUNCH_HINTS_MAX];
  struct ummgr_launch_data data = { .count = 0 };
  struct ummgr_device *device = ummgr_device_of (manager->device);
  if (!known)
    return;
  bool laid = device->ops->lay_by && device->ops->lay_by (NULL);
  uint64_t start = laid ? ummgr_nanoseconds (CLOCK_MONOTONIC) : 0;
  pthread_mutex_lock (&manager->lock);
  objects = objects_all (manager, clauses, objects, &count, all);
  struct uses uses = { .use = malloc ((count + 1) * sizeof *uses.use) };
  if (!hints && ummgr_launch_hints (known, clauses, objects, count, own, &data))
    hints = own;
  /* There are as many clauses as arguments, and not too many, where there are hints.  */
  if (hints && uses.use)
    uses_fill (&uses, known, region, clauses, objects, count, hints, laid);
  for (size_t i = 0; i < uses.count; i++)
    ummgr_record_use (launch, (const void *) uses.use[i].base, &uses.use[i].hint);
  pthread_mutex_unlock (&manager->lock);
  if (device->ops->uses && uses.use && !ummgr_manager_passive (manager))
    device->ops->uses (device, uses.use, uses.count);
  free (uses.use);
  if (laid)
    ummgr_stats_layouts (0, ummgr_nanoseconds (CLOCK_MONOTONIC) - start);
}
