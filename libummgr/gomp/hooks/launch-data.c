/* Hints that depend on data: what a launch may read, and what came for it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Host memory of a mapping is read only in the construct that has just copied it
   in, or is about to: later the program may have freed it.  Managed memory is read only while
   all of it is the host's, since pages that are on the device would come back:
   before a region first uses it, or where it is placed on the host; and of that,
   where the device can tell, what somebody has touched.  Holds no state.  */

#include "config.h"
#include "gomp/hooks/launch.h"

#include "device/device.h"
#include "gomp/real.h"
#include "gomp/clauses.h"

/* Where OBJECT's bytes can be read now, or NULL.  */
static const char *
readable_at (const struct ummgr_object *object)
{
  bool host = object->copy.placed.place == UMMGR_PLACE_HOST;
  bool unused = object->copy.state == UMMGR_COPY_NEW
    && (host || object->copy.transfer == UMMGR_TRANSFER_IMPLICIT);
  switch (object->copy.storage)
    {
    case UMMGR_STORAGE_UNIFIED:
      return host || object->copy.state == UMMGR_COPY_NEW
	     ? (const char *) object->copy.host : NULL;
    case UMMGR_STORAGE_PINNED:
      return object->copy.filled ? (const char *) object->copy.host : NULL;
    case UMMGR_STORAGE_MANAGED:
      if (object->copy.filled && (host || unused))
	return (const char *) object->copy.host;
      /* Fall through.  */
    case UMMGR_STORAGE_PLAIN:
    case UMMGR_STORAGE_LIBGOMP:
      return object->copy.filled == object->manager->construct
	     ? (const char *) object->view.base : NULL;
    default:
      return NULL;
    }
}

/* Argument I is in no object, being small: libgomp takes it from the host for
   this region alone, unless DEVICE has it already.  */
static struct ummgr_code_memory
own_memory (const struct ummgr_clauses *clauses, unsigned i, int device)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  const void *at = clauses->hostaddrs[i];
  bool copied = ummgr_kind_is_data (kind) && (kind & UMMGR_MAP_TO)
    && (ummgr_kind_is_always (kind)
	|| !ummgr_real (omp_target_is_present) (at, device));
  if (!at || !(copied || kind == UMMGR_MAP_FIRSTPRIVATE))
    return (struct ummgr_code_memory) { .at = NULL };
  return (struct ummgr_code_memory) { .at = at, .after = clauses->sizes[i] };
}

/* What is known of argument I, which is in OBJECT or, if that is NULL, in
   none.  */
static struct ummgr_data_input
input_of (const struct ummgr_clauses *clauses, unsigned i,
	  const struct ummgr_object *object, int device)
{
  struct ummgr_data_input in = { .transient = false };
  if (!object)
    {
      in.memory = own_memory (clauses, i, device);
      return in;
    }
  size_t at = (uintptr_t) clauses->hostaddrs[i] - object->view.base;
  const char *base = readable_at (object);
  in.object = object->view.base;
  in.transient = object->copy.state == UMMGR_COPY_WRITTEN;
  if (base)
    in.memory = (struct ummgr_code_memory) {
      .at = base + at, .before = at, .after = object->view.size - at
    };
  /* What nobody has touched would come into being, and have to be sent.  */
  if (base && ummgr_copy_is_managed (&object->copy)
      && (uintptr_t) base == object->copy.host)
    in.memory.readable = object->copy.device->ops->on_host;
  return in;
}

void
ummgr_launch_data_memory (const struct ummgr_clauses *clauses,
			  struct ummgr_object_view *const *objects, const int *object,
			  struct ummgr_code_memory *out)
{
  for (size_t i = 0; i < clauses->count; i++)
    {
      out[i] = (struct ummgr_code_memory) { .at = NULL };
      if (object[i] < 0)
	continue;
      const struct ummgr_object *in = (const struct ummgr_object *) objects[object[i]];
      out[i] = input_of (clauses, i, in, in->view.device).memory;
      out[i].glimpses = in->glimpses;
      out[i].offset = (uintptr_t) clauses->hostaddrs[i] - in->view.base;
    }
}

void
ummgr_launch_data_hints (const struct ummgr_table_region *region,
			 const struct ummgr_clauses *clauses,
			 struct ummgr_object_view *const *objects,
			 const int *object,
			 const struct ummgr_hint_extent *extents,
			 struct ummgr_hint *hints,
			 struct ummgr_launch_data *data)
{
  struct ummgr_data_input in[UMMGR_LAUNCH_HINTS_MAX];
  const struct ummgr_code_inputs inputs
    = { .hostaddrs = clauses->hostaddrs, .sizes = clauses->sizes };
  int device = -1;
  for (unsigned i = 0; i < region->arg_count; i++)
    if (object[i] >= 0)
      device = objects[object[i]]->device;
  if (device < 0)
    return;
  for (unsigned i = 0; i < region->arg_count; i++)
    in[i] = input_of (clauses, i, object[i] < 0 ? NULL
		      : (const struct ummgr_object *) objects[object[i]],
		      device);
  ummgr_data_hints (region, &inputs, extents, in, hints, &data->launch);
  for (unsigned i = 0; i < region->arg_count; i++)
    if (object[i] >= 0 && ummgr_data_wants (&data->launch, i))
      {
	data->watched[data->count].object
	  = (struct ummgr_object *) objects[object[i]];
	data->watched[data->count++].arg = i;
      }
}

/* Only what is placed on the device comes, maybe a part.  */
static double
placed_bytes (const struct ummgr_object *object)
{
  return (double) (object->copy.placed.hi - object->copy.placed.lo);
}

/* The share of OBJECT that has come to the device by demand alone; false where
   that is not known, as on a real GPU.  */
static bool
share_of (const struct ummgr_object *object, double *share)
{
  struct ummgr_device *d = object->copy.device;
  struct ummgr_counters c;
  bool counted = !object->copy.chunk && ummgr_copy_is_managed (&object->copy);
  if (!counted || object->copy.transfer != UMMGR_TRANSFER_IMPLICIT
      || object->copy.placed.place != UMMGR_PLACE_DEVICE
      || object->view.running > 1
      || !d->ops->range_counters
      || !d->ops->range_counters (d, object->copy.address, &c)
      || c.h2d_bytes < c.d2h_bytes)
    return false;
  *share = (double) (c.h2d_bytes - c.d2h_bytes) / placed_bytes (object);
  if (*share > 1)
    *share = 1;
  return true;
}

/* The share of OBJECT from the first to the last byte that is there.  */
static double
extent_of (const struct ummgr_object *object)
{
  struct ummgr_device *d = object->copy.device;
  uint64_t lo, hi;
  if (!d->ops->range_extent
      || !d->ops->range_extent (d, object->copy.address, &lo, &hi))
    return 1;
  return (double) (hi - lo) / placed_bytes (object);
}

void
ummgr_launch_data_begin (struct ummgr_launch_data *data)
{
  unsigned kept = 0;
  for (unsigned i = 0; i < data->count; i++)
    if (share_of (data->watched[i].object, &data->watched[i].before))
      data->watched[kept++] = data->watched[i];
  data->count = kept;
}

void
ummgr_launch_data_end (struct ummgr_launch_data *data)
{
  double after;
  for (unsigned i = 0; i < data->count; i++)
    if (share_of (data->watched[i].object, &after))
      ummgr_data_came (&data->launch, data->watched[i].arg,
		       data->watched[i].before, after,
		       extent_of (data->watched[i].object));
}
