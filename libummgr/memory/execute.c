/* Asking a policy about one device, and carrying out what it decides.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Knows neither tables of objects nor libgomp.  What can't move now stays; a policy
   goes by what the views say, not by what it asked for.  */

#include "config.h"
#include "memory/execute.h"
#include "base/clock.h"
#include "policy/policies.h"
#include "trace/format.h"

#include <stdlib.h>
#include <time.h>

bool
ummgr_execute_init (struct ummgr_executor *executor,
		    const struct ummgr_policy_ops *policy,
		    const struct ummgr_policy_config *config)
{
  static const struct ummgr_executor_ops none;
  executor->ops = &none;
  executor->policy = policy;
  executor->state = calloc (1, policy->state_size + 1);
  if (executor->state
      && (!policy->init || policy->init (executor->state, config) == UMMGR_OK))
    return true;
  free (executor->state);
  executor->state = NULL;
  return false;
}

void
ummgr_execute_fini (struct ummgr_executor *executor)
{
  if (executor->state && executor->policy->fini)
    executor->policy->fini (executor->state);
  free (executor->state);
  free (executor->plan.decisions);
}

/* --- moving ---------------------------------------------------------------- */

static struct ummgr_copy *
copy_on (const struct ummgr_object_view *object, int device)
{
  struct ummgr_copy *copy = object->copies;
  while (copy && copy->device->number != device)
    copy = copy->next;
  return copy;
}

enum ummgr_status
ummgr_execute_home (const struct ummgr_executor *executor,
		    const struct ummgr_copy *copy, size_t lo, size_t hi)
{
  uintptr_t address = copy->address + lo;
  if (lo >= hi)
    return UMMGR_OK;
  enum ummgr_status status
    = copy->device->ops->prefetch (copy->device, address, hi - lo, true);
  if (status == UMMGR_OK && executor->ops->prefetched)
    executor->ops->prefetched (address, hi - lo, UMMGR_TRACE_HOST);
  return status;
}

static enum ummgr_status
advise (const struct ummgr_executor *executor, const struct ummgr_copy *copy,
	size_t lo, size_t hi, bool keep)
{
  uintptr_t address = copy->address + lo;
  enum ummgr_status status
    = copy->device->ops->keep_on_host (copy->device, address, hi - lo, keep);
  if (status == UMMGR_OK && executor->ops->advised)
    executor->ops->advised (address, hi - lo, UMMGR_TRACE_HOST,
			    keep ? UMMGR_TRACE_PREFERRED
			    : UMMGR_TRACE_NOT_PREFERRED);
  return status;
}

static bool
covers_host (const struct ummgr_placed *placed, size_t lo, size_t hi)
{
  return placed->place == UMMGR_PLACE_HOST
    || (placed->place == UMMGR_PLACE_DEVICE
	&& (hi > placed->hi || lo < placed->lo));
}

static enum ummgr_status
send_for (const struct ummgr_executor *executor, const struct ummgr_copy *copy, size_t lo, size_t hi)
{
  struct ummgr_device *device = copy->device;
  enum ummgr_status status = device->ops->prefetch (device, copy->address + lo, hi - lo, false);
  if (status == UMMGR_OK && executor->ops->prefetched)
    executor->ops->prefetched (copy->address + lo, hi - lo, device->number);
  return status;
}

void
ummgr_execute_arrive (const struct ummgr_executor *executor, const struct ummgr_arrival *arrival)
{
  send_for (executor, arrival->copy, arrival->lo, arrival->hi);
}

/* Note what of [LO, HI) of COPY is new on the device, up to [*LO_P, *HI_P), the rest, which others may have sent
   away.  */
static void
note_arrival (struct ummgr_arrivals *arrivals, const struct ummgr_copy *copy, size_t *lo_p, size_t *hi_p)
{
  const struct ummgr_placed *placed = &copy->placed;
  size_t lo = *lo_p, hi = *hi_p;
  bool overlaps = placed->place == UMMGR_PLACE_DEVICE && placed->lo < hi && lo < placed->hi;
  /* A part before what is there and one behind it are rare.  */
  if (arrivals->count == sizeof arrivals->at / sizeof *arrivals->at || placed->place == UMMGR_PLACE_ANY
      || (overlaps && placed->lo > lo && placed->hi < hi))
    return;
  *lo_p = overlaps && placed->lo > lo ? placed->lo : overlaps ? lo : hi;
  *hi_p = overlaps && placed->hi < hi ? placed->hi : hi;
  if (overlaps && placed->lo > lo)
    hi = placed->lo;
  else if (overlaps)
    lo = placed->hi;
  if (lo < hi)
    arrivals->at[arrivals->count++] = (struct ummgr_arrival) { copy, lo, hi };
}

enum ummgr_status
ummgr_execute_managed (const struct ummgr_executor *executor,
		       const struct ummgr_copy *copy, size_t lo, size_t hi,
		       enum ummgr_place place, enum ummgr_transfer transfer)
{
  bool host = place == UMMGR_PLACE_HOST;
  enum ummgr_status status = UMMGR_OK;
  if (hi == lo || !executor->paged)
    return UMMGR_OK;
  if (host || covers_host (&copy->placed, lo, hi))
    status = advise (executor, copy, lo, hi, host);
  if (status != UMMGR_OK || transfer != UMMGR_TRANSFER_EXPLICIT)
    return status;
  if (host)
    return ummgr_execute_home (executor, copy, lo, hi);
  if (executor->arrivals)
    note_arrival (executor->arrivals, copy, &lo, &hi);
  return lo < hi ? send_for (executor, copy, lo, hi) : UMMGR_OK;
}

/* What is no managed memory is all or nothing, unless it becomes such.  */
static enum ummgr_status
place_whole (struct ummgr_executor *executor, struct ummgr_object_view *object,
	     struct ummgr_copy *copy, size_t lo, size_t hi,
	     enum ummgr_place place)
{
  if (place == UMMGR_PLACE_ANY
      || (place == UMMGR_PLACE_DEVICE && (lo > 0 || hi < object->size)))
    return UMMGR_OK;
  enum ummgr_status status = executor->ops->move (object, copy, place);
  /* What loses its end loses all of it.  */
  if (status == UMMGR_OK)
    ummgr_placed_change (&copy->placed, object->size, 0, object->size, place);
  if (status != UMMGR_OK || !ummgr_copy_is_managed (copy))
    return status;
  /* What is to stay goes there again.  */
  status = ummgr_execute_managed (executor, copy, lo, hi, place,
				  executor->at_once ? UMMGR_TRANSFER_EXPLICIT : UMMGR_TRANSFER_NONE);
  if (lo > 0)
    ummgr_execute_place (executor, object, copy->device->number, 0, lo, UMMGR_PLACE_DEVICE,
			 UMMGR_TRANSFER_EXPLICIT);
  if (hi < object->size)
    ummgr_execute_place (executor, object, copy->device->number, hi, object->size,
			 UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT);
  return status;
}

enum ummgr_status
ummgr_execute_place (struct ummgr_executor *executor,
		     struct ummgr_object_view *object, int device, size_t lo,
		     size_t hi, enum ummgr_place place,
		     enum ummgr_transfer transfer)
{
  struct ummgr_copy *copy = copy_on (object, device);
  if (hi > object->size)
    hi = object->size;
  if (place == UMMGR_PLACE_LIBGOMP || lo >= hi)
    return UMMGR_OK;
  if (!copy || copy->chunk || copy->settled)
    return UMMGR_ERR_UNSUPPORTED;
  if (transfer == UMMGR_TRANSFER_HOME)
    return ummgr_copy_is_managed (copy) && executor->paged
      ? ummgr_execute_home (executor, copy, lo, hi) : UMMGR_OK;
  if (copy->storage == UMMGR_STORAGE_LIBGOMP)
    return UMMGR_ERR_UNSUPPORTED;
  if (!ummgr_copy_is_managed (copy))
    return place_whole (executor, object, copy, lo, hi, place);
  enum ummgr_status status
    = ummgr_execute_managed (executor, copy, lo, hi, place, transfer);
  if (status != UMMGR_OK)
    return status;
  if (place == UMMGR_PLACE_DEVICE)
    copy->transfer = transfer;
  ummgr_placed_change (&copy->placed, object->size, lo, hi, place);
  return UMMGR_OK;
}

/* --- what is of no use --------------------------------------------------------- */

enum { LEAST_DISCARDED = 65536 };	/* Bytes: to move less takes no longer than the call.  */

/* Nobody needs what [LO, HI) of COPY, managed memory, has.  Where the driver can't be told, it moves.  */
static void
discard (const struct ummgr_executor *executor, const struct ummgr_copy *copy, size_t lo, size_t hi)
{
  struct ummgr_device *device = copy->device;
  uintptr_t address = copy->address + lo;
  if (lo < hi && hi - lo >= LEAST_DISCARDED && device->ops->discard
      && device->ops->discard (device, address, hi - lo) == UMMGR_OK && executor->ops->advised)
    executor->ops->advised (address, hi - lo, device->number, UMMGR_TRACE_DISCARDED);
}

/* What D moves is maybe of no use.  What demand moves is left to it where it has been so far: nobody knows where.  */
static void
discard_for (const struct ummgr_executor *executor, const struct ummgr_decision *d)
{
  const struct ummgr_copy *copy = copy_on (d->object, d->device);
  size_t lo = d->lo, hi = d->hi < d->object->size ? d->hi : d->object->size;
  if (!copy || !copy->useless || copy->chunk || copy->settled || !executor->paged || !ummgr_copy_is_managed (copy)
      || copy->placed.place == UMMGR_PLACE_ANY
      || (d->place != UMMGR_PLACE_HOST && d->place != UMMGR_PLACE_DEVICE))
    return;
  const struct ummgr_placed *placed = &copy->placed;
  bool comes = d->place == UMMGR_PLACE_DEVICE && d->transfer != UMMGR_TRANSFER_HOME;
  if (comes && placed->place == UMMGR_PLACE_DEVICE && placed->lo < hi && lo < placed->hi)
    {
      /* What is there already stays: its next access would be a fault.  */
      discard (executor, copy, lo, placed->lo);
      lo = placed->hi;
    }
  discard (executor, copy, lo, hi);
}

/* --- the driver's other advice ---------------------------------------------- */

/* ADVICE of [LO, HI), or no more.  */
static enum ummgr_status
tell (const struct ummgr_executor *executor, const struct ummgr_copy *copy, size_t lo, size_t hi,
      enum ummgr_device_advice advice, bool on)
{
  static const unsigned traced[][2] = {
    [UMMGR_DEVICE_READ_MOSTLY] = { UMMGR_TRACE_NOT_READ_MOSTLY, UMMGR_TRACE_READ_MOSTLY },
    [UMMGR_DEVICE_PREFERRED] = { UMMGR_TRACE_NOT_PREFERRED, UMMGR_TRACE_PREFERRED },
    [UMMGR_DEVICE_ACCESSED_BY] = { UMMGR_TRACE_NOT_ACCESSED_BY, UMMGR_TRACE_ACCESSED_BY }
  };
  struct ummgr_device *device = copy->device;
  if (!device->ops->advise)
    return UMMGR_ERR_UNSUPPORTED;
  enum ummgr_status status = device->ops->advise (device, copy->address + lo, hi - lo, advice, on);
  if (status == UMMGR_OK && executor->ops->advised)
    executor->ops->advised (copy->address + lo, hi - lo, device->number, traced[advice][on]);
  return status;
}

/* COPY is written by regions from now on.  Of two valid copies the driver keeps the one at the
   preferred location, and else the host's (nvidia-uvm, uvm_va_block_unset_read_duplication).  */
static enum ummgr_status
end_copies (const struct ummgr_executor *executor, const struct ummgr_object_view *object,
	    struct ummgr_copy *copy)
{
  enum ummgr_status status
    = tell (executor, copy, copy->placed.lo, copy->placed.hi, UMMGR_DEVICE_PREFERRED, true);
  if (status == UMMGR_OK)
    status = tell (executor, copy, 0, object->size, UMMGR_DEVICE_READ_MOSTLY, false);
  if (status == UMMGR_OK)
    status = tell (executor, copy, copy->placed.lo, copy->placed.hi, UMMGR_DEVICE_PREFERRED, false);
  copy->copies = false;
  return status;
}

/* Whether the host keeps its copy of what D places, before it moves.  */
static enum ummgr_status
decide_copies (const struct ummgr_executor *executor, const struct ummgr_decision *d)
{
  struct ummgr_copy *copy = copy_on (d->object, d->device);
  if (!copy || copy->chunk || copy->settled || copy->read_mostly || d->lo >= d->hi
      || !executor->paged || !copy->device->ops->advise || !ummgr_copy_is_managed (copy))
    return UMMGR_OK;
  bool home = d->transfer == UMMGR_TRANSFER_HOME;
  if (!home && d->place == UMMGR_PLACE_DEVICE && d->copies
      && (!copy->copies || covers_host (&copy->placed, d->lo, d->hi)))
    {
      copy->copies = true;
      return tell (executor, copy, d->lo, d->hi, UMMGR_DEVICE_READ_MOSTLY, true);
    }
  if (!copy->copies || d->copies)
    return UMMGR_OK;
  if (!home && d->place != UMMGR_PLACE_HOST)
    return end_copies (executor, d->object, copy);
  copy->copies = !home;
  return tell (executor, copy, d->lo, d->hi, UMMGR_DEVICE_READ_MOSTLY, false);
}

/* --- remedies --------------------------------------------------------------

   What policies decide stays as it is, but for where a settled object lies, and whether one is
   read-mostly.  */

/* OBJECT's COPY is to be in PLACE from now on, which moves nothing yet.  */
static enum ummgr_status
settle (struct ummgr_executor *executor, struct ummgr_object_view *object,
	struct ummgr_copy *copy, enum ummgr_place place)
{
  int device = copy->device->number;
  if (copy->settled)
    return UMMGR_ERR_UNSUPPORTED;
  enum ummgr_status status = ummgr_execute_place (executor, object, device, 0, object->size,
						  place, UMMGR_TRANSFER_IMPLICIT);
  if (status == UMMGR_OK && place == UMMGR_PLACE_DEVICE)
    status = tell (executor, copy, 0, object->size, UMMGR_DEVICE_PREFERRED, true);
  copy->settled = status == UMMGR_OK;
  return status;
}

enum ummgr_status
ummgr_execute_remedy (struct ummgr_executor *executor, struct ummgr_object_view *object,
		      int device, enum ummgr_remedy_kind kind)
{
  struct ummgr_copy *copy = copy_on (object, device);
  if (!copy || copy->chunk || !ummgr_copy_is_managed (copy) || !executor->paged)
    return UMMGR_ERR_UNSUPPORTED;
  switch (kind)
    {
    case UMMGR_REMEDY_READ_MOSTLY:
      copy->read_mostly = true;
      return tell (executor, copy, 0, object->size, UMMGR_DEVICE_READ_MOSTLY, true);
    case UMMGR_REMEDY_ACCESSED_BY:
      return tell (executor, copy, 0, object->size, UMMGR_DEVICE_ACCESSED_BY, true);
    case UMMGR_REMEDY_PREFERRED_DEVICE:
      return settle (executor, object, copy, UMMGR_PLACE_DEVICE);
    case UMMGR_REMEDY_PREFERRED_HOST:
      return settle (executor, object, copy, UMMGR_PLACE_HOST);
    default:
      return UMMGR_ERR_INVALID;
    }
}

/* --- asking ---------------------------------------------------------------- */

/* A question begins.  */
static uint64_t
ask (struct ummgr_executor *executor)
{
  executor->plan.count = 0;
  return ummgr_nanoseconds (CLOCK_MONOTONIC);
}

/* To find that nothing is to be done takes time as well.  */
static void
answered (struct ummgr_executor *executor, uint64_t started)
{
  executor->decisions += executor->plan.count;
  if (executor->ops->decided)
    executor->ops->decided (executor->plan.count, ummgr_nanoseconds (CLOCK_MONOTONIC) - started);
}

/* Do what the policy has said since STARTED, in order.  */
static void
apply (struct ummgr_executor *executor, uint64_t started)
{
  answered (executor, started);
  for (size_t i = 0; i < executor->plan.count; i++)
    {
      const struct ummgr_decision *d = &executor->plan.decisions[i];
      enum ummgr_status status = decide_copies (executor, d);
      discard_for (executor, d);
      if (status == UMMGR_OK)
	status = ummgr_execute_place (executor, d->object, d->device, d->lo, d->hi,
				      d->place, d->transfer);
      if (executor->ops->done)
	executor->ops->done (d, status);
    }
}

struct ummgr_decision
ummgr_execute_map (struct ummgr_executor *executor,
		   struct ummgr_object_view *object)
{
  uint64_t started = ask (executor);
  executor->policy->on_map (executor->state, object, &executor->plan);
  answered (executor, started);
  if (executor->plan.count && executor->plan.decisions[0].object == object)
    return executor->plan.decisions[0];
  return (struct ummgr_decision) {
    .object = object, .device = object->device, .hi = object->size,
    .place = UMMGR_PLACE_ANY, .transfer = UMMGR_TRANSFER_IMPLICIT,
    .reason = "the policy leaves it to the driver"
  };
}

void
ummgr_execute_start (struct ummgr_executor *executor,
		     const struct ummgr_decision *d)
{
  struct ummgr_object_view *object = d->object;
  struct ummgr_copy *copy = copy_on (object, object->device);
  copy->placed = (struct ummgr_placed) { UMMGR_PLACE_ANY, 0, object->size };
  /* Nothing is in it yet that would have to be sent.  */
  ummgr_execute_place (executor, object, d->device, d->lo, d->hi, d->place,
		       d->transfer == UMMGR_TRANSFER_EXPLICIT
		       ? UMMGR_TRANSFER_NONE : d->transfer);
  if (d->hi < object->size)
    ummgr_execute_place (executor, object, d->device, d->hi, object->size,
			 UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE);
}

void
ummgr_execute_unmap (struct ummgr_executor *executor,
		     struct ummgr_object_view *object)
{
  if (executor->policy->on_unmap)
    executor->policy->on_unmap (executor->state, object);
}

static void
useless_is (const struct ummgr_object_view *object, int device, bool useless)
{
  struct ummgr_copy *copy = copy_on (object, device);
  if (copy)
    copy->useless = useless;
}

/* REGION begins, or ends: what of OBJECTS has is of no use.  A policy that reads no hints goes without, though somebody
   else may have asked for some.  */
static void
note_useless (const struct ummgr_executor *executor, const struct ummgr_region_view *region,
	      struct ummgr_object_view *const *objects, size_t count, bool begins)
{
  for (size_t i = 0; i < count; i++)
    {
      const struct ummgr_hint *hint = region->hints && executor->policy->hints ? &region->hints[i] : NULL;
      bool useless = hint && (begins ? hint->known && hint->overwritten : ummgr_hint_is_dead (hint) && !region->apart);
      useless_is (objects[i], region->device, useless);
    }
}

void
ummgr_execute_begin (struct ummgr_executor *executor,
		     const struct ummgr_region_view *region,
		     struct ummgr_object_view *const *objects, size_t count)
{
  uint64_t started = ask (executor);
  executor->policy->on_region_begin (executor->state, region, objects, count,
				     &executor->plan);
  note_useless (executor, region, objects, count, true);
  apply (executor, started);
  for (size_t i = 0; i < count; i++)
    useless_is (objects[i], region->device, false);
}

void
ummgr_execute_end (struct ummgr_executor *executor,
		   const struct ummgr_region_view *region,
		   struct ummgr_object_view *const *objects, size_t count)
{
  note_useless (executor, region, objects, count, false);
  if (!executor->policy->on_region_end)
    return;
  uint64_t started = ask (executor);
  executor->policy->on_region_end (executor->state, region, objects, count,
				   &executor->plan);
  apply (executor, started);
}

void
ummgr_execute_pressure (struct ummgr_executor *executor, size_t bytes)
{
  if (!executor->policy->on_pressure)
    return;
  uint64_t started = ask (executor);
  executor->policy->on_pressure (executor->state, bytes, &executor->plan);
  apply (executor, started);
}

void
ummgr_execute_budget (struct ummgr_executor *executor, uint64_t budget)
{
  if (!executor->policy->on_budget)
    return;
  uint64_t started = ask (executor);
  executor->policy->on_budget (executor->state, budget, &executor->plan);
  apply (executor, started);
}

void
ummgr_execute_over (struct ummgr_executor *executor, struct ummgr_object_view *object)
{
  uint64_t started = ask (executor);
  ummgr_plan_add (&executor->plan, object, 0, object->size, UMMGR_PLACE_HOST, UMMGR_TRANSFER_EXPLICIT,
		  "nothing maps it any more");
  apply (executor, started);
}

void
ummgr_execute_host_next (struct ummgr_executor *executor,
			 struct ummgr_object_view *object)
{
  uint64_t started = ask (executor);
  ummgr_host_next (object, &executor->plan);
  apply (executor, started);
}
