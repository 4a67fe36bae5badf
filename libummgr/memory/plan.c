/* What a manager's policy is asked, and what comes of its answers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  execute.c carries plans out, with storage.c where storage itself
   changes; nothing else moves data for a policy.  */

#include "config.h"
#include "memory/plan.h"
#include "memory/account.h"
#include "base/log.h"
#include "record/record.h"
#include "report/stats.h"
#include "memory/storage.h"
#include "trace/format.h"

#include <stdio.h>

static const char *
place_name (enum ummgr_place place)
{
  return place == UMMGR_PLACE_DEVICE ? "device"
    : place == UMMGR_PLACE_HOST ? "host"
    : place == UMMGR_PLACE_LIBGOMP ? "libgomp" : "any";
}

/* Remember why OBJECT is where it is; say so when that has changed, for a loop
   decides the same again and again.  */
static void
explain (struct ummgr_object *object, const struct ummgr_decision *d,
	 bool done)
{
  const struct ummgr_object_view *view = &object->view;
  ummgr_debug ("plan: object %llu [%zu, %zu) to %s: %s%s",
	       (unsigned long long) view->id, d->lo, d->hi,
	       place_name (d->place), d->reason, done ? "" : " (not done)");
  if (object->reason == d->reason || !d->reason
      || d->transfer == UMMGR_TRANSFER_HOME)
    return;
  object->reason = d->reason;
  char number[32];
  snprintf (number, sizeof number, "object %llu",
	    (unsigned long long) view->id);
  ummgr_info ("plan: %s: %s, %s; %zu bytes%s", view->name ? view->name : number,
	      place_name (d->place), d->reason, view->size,
	      done ? "" : " (not done)");
}

/* What D, carried out, means for the host's next use of OBJECT.  */
static void
note_side (struct ummgr_object *object, const struct ummgr_decision *d)
{
  if (d->transfer == UMMGR_TRANSFER_HOME)
    object->away = false;
  else if (d->place == UMMGR_PLACE_DEVICE)
    object->away = true;
}

static void
done (const struct ummgr_decision *d, enum ummgr_status status)
{
  struct ummgr_object *object = (struct ummgr_object *) d->object;
  explain (object, d, status == UMMGR_OK);
  if (status == UMMGR_OK)
    note_side (object, d);
  if (status == UMMGR_ERR_DRIVER)
    ummgr_manager_give_up (object->manager, "moving an object");
}

static void
advised (uint64_t address, size_t size, int device, unsigned advice)
{
  ummgr_record_advice (address, size, device, advice);
  if (advice == UMMGR_TRACE_DISCARDED)
    {
      ummgr_stats_discarded (size);
      ummgr_debug ("plan: what %zu bytes at %#lx have is of no use", size, (unsigned long) address);
    }
}

const struct ummgr_executor_ops ummgr_plan_ops = {
  .decided = ummgr_stats_decisions, .done = done, .move = ummgr_storage_move,
  .prefetched = ummgr_record_prefetch, .advised = advised
};

bool
ummgr_plan_map (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  struct ummgr_decision decision
    = ummgr_execute_map (&object->manager->executor, &object->view);
  enum ummgr_status status = UMMGR_ERR_UNSUPPORTED;
  if (decision.place != UMMGR_PLACE_LIBGOMP)
    {
      status = ummgr_storage_create (object, &decision);
      if (status == UMMGR_ERR_DEVMEM && manager->plain_first)
	{
	  /* Managed memory needs no room at once.  */
	  decision.plain = false;
	  status = ummgr_storage_create (object, &decision);
	}
      if (status == UMMGR_ERR_DEVMEM)
	{
	  ummgr_execute_pressure (&manager->executor, object->view.size);
	  status = ummgr_storage_create (object, &decision);
	}
      if (status == UMMGR_ERR_DEVMEM && decision.place != UMMGR_PLACE_HOST)
	{
	  decision.place = UMMGR_PLACE_HOST;
	  decision.lo = 0;
	  decision.hi = object->view.size;
	  decision.transfer = UMMGR_TRANSFER_NONE;
	  decision.reason = "the device has no memory left";
	  status = ummgr_storage_create (object, &decision);
	}
      if (status == UMMGR_ERR_DRIVER)
	ummgr_manager_give_up (manager, "allocating memory for an object");
    }
  if (status == UMMGR_OK)
    {
      explain (object, &decision, true);
      return true;
    }
  ummgr_plan_unmap (object);
  return false;
}

void
ummgr_plan_unified (struct ummgr_object *object)
{
  struct ummgr_decision decision
    = ummgr_execute_map (&object->manager->executor, &object->view);
  if (object->copy.chunk)
    decision.reason = "smaller than a page";
  if (object->copy.chunk || decision.place == UMMGR_PLACE_LIBGOMP)
    decision.place = UMMGR_PLACE_ANY;
  explain (object, &decision, true);
  ummgr_execute_start (&object->manager->executor, &decision);
  /* The host doesn't touch what omp_target_alloc gave: no launch needs to bring it page by
     page.  */
  if (object->target_alloc && !object->copy.chunk && decision.place == UMMGR_PLACE_DEVICE)
    ummgr_execute_managed (&object->manager->executor, &object->copy, decision.lo, decision.hi,
			   UMMGR_PLACE_DEVICE, UMMGR_TRANSFER_EXPLICIT);
}

void
ummgr_plan_budget (struct ummgr_manager *manager, uint64_t budget)
{
  manager->budget = budget;
  ummgr_debug ("device %d: budget %llu bytes", manager->device,
	       (unsigned long long) budget);
  ummgr_execute_budget (&manager->executor, budget);
}

void
ummgr_plan_slices (struct ummgr_manager *manager, uint64_t slices)
{
  manager->room.slices = slices;
  ummgr_plan_budget (manager, ummgr_budget_bytes (&manager->room));
}

void
ummgr_plan_unmap (struct ummgr_object *object)
{
  ummgr_execute_unmap (&object->manager->executor, &object->view);
}

void
ummgr_plan_name (struct ummgr_manager *manager, struct ummgr_object_view *object,
		 const char *name, const char *file, unsigned line)
{
  char where[256];
  if (!object->name)
    object->name = ummgr_reasons_keep (&manager->names, name, NULL);
  if (!*file || ummgr_account_placed ((struct ummgr_object *) object))
    return;
  const char *slash = strrchr (file, '/');
  snprintf (where, sizeof where, "%s:%u", slash ? slash + 1 : file, line);
  ummgr_account_mapped ((struct ummgr_object *) object, ummgr_reasons_keep (&manager->names, where, NULL));
}

/* Objects get the names of the variables by which regions use them.  */
static void
name_objects (struct ummgr_manager *manager,
	      const struct ummgr_region_view *region,
	      struct ummgr_object_view *const *objects, size_t count)
{
  if (!manager->explain || !region->hints)
    return;
  for (size_t i = 0; i < count; i++)
    if (!objects[i]->name && region->hints[i].name)
      objects[i]->name = ummgr_reasons_keep (&manager->names,
					     region->hints[i].name, NULL);
}

/* A region uses OBJECT as HINT says.  What it only reads, somebody has written.  */
static void
populate_written (struct ummgr_object *object, const struct ummgr_hint *hint)
{
  const size_t size = object->view.size;
  bool is_range = hint->known && hint->lo < hint->hi && hint->lo < size;
  if (!hint->known || hint->write)
    ummgr_storage_populate_used (object, is_range ? hint->lo : 0, is_range && hint->hi < size ? hint->hi : size);
}

void
ummgr_plan_region_begin (struct ummgr_manager *manager,
			 const struct ummgr_region_view *region,
			 struct ummgr_object_view *const *objects,
			 size_t count)
{
  name_objects (manager, region, objects, count);
  ummgr_execute_begin (&manager->executor, region, objects, count);
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_object *object = (struct ummgr_object *) objects[i];
      object->away = true;
      if (!object->copy.filled && object->copy.state == UMMGR_COPY_NEW)
	ummgr_storage_populate (object);
      if (manager->executor.policy->shares && region->hints)
	populate_written (object, &region->hints[i]);
    }
}

bool
ummgr_plan_remedy (struct ummgr_object *object, enum ummgr_remedy_kind kind)
{
  struct ummgr_manager *manager = object->manager;
  if (object->remedies >> kind & 1)
    return true;
  enum ummgr_status status
    = ummgr_execute_remedy (&manager->executor, &object->view, manager->device, kind);
  if (status == UMMGR_ERR_DRIVER)
    ummgr_manager_give_up (manager, "advising the driver of an object");
  if (status != UMMGR_OK)
    return false;
  object->remedies |= 1u << kind;
  return true;
}

void
ummgr_plan_over (struct ummgr_object *object)
{
  struct ummgr_executor *executor = &object->manager->executor;
  /* Under the papers' policies it is as the papers have it, and as replays, which don't know of constructs, do it.  */
  if (!object->away || !executor->policy->shares || object->view.running
      || object->view.placed->place == UMMGR_PLACE_HOST)
    return;
  /* As of a mapping that is gone: what comes next has its room.  */
  ummgr_plan_unmap (object);
  ummgr_execute_over (executor, &object->view);
}

void
ummgr_plan_host_next (struct ummgr_object *object)
{
  struct ummgr_executor *executor = &object->manager->executor;
  if (object->away && executor->policy->hints)
    ummgr_execute_host_next (executor, &object->view);
}
