/* Asking the policy, and doing what it says.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The manager's plan is scratch memory of this file.  Storage is moved by
   storage.c; nothing else moves data for a policy.  */

#include "config.h"
#include "memory/plan.h"
#include "base/log.h"
#include "policy/policies.h"
#include "report/stats.h"
#include "memory/storage.h"

#include <stdio.h>
#include <time.h>

static uint64_t
now_ns (void)
{
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return (uint64_t) t.tv_sec * 1000000000 + t.tv_nsec;
}

static void
account (const struct ummgr_plan *plan, uint64_t started)
{
  /* To find that nothing is to be done takes time as well.  */
  ummgr_stats_decisions (plan->count, now_ns () - started);
}

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

/* Do what the manager's plan says, in order.  What can't move now stays; a
   policy goes by what the views say, not by what it asked for.  */
static void
apply (struct ummgr_manager *manager)
{
  for (size_t i = 0; i < manager->plan.count; i++)
    {
      const struct ummgr_decision *d = &manager->plan.decisions[i];
      struct ummgr_object *object = (struct ummgr_object *) d->object;
      enum ummgr_status status
	= ummgr_storage_place (object, d->lo, d->hi, d->place, d->transfer);
      explain (object, d, status == UMMGR_OK);
      if (status == UMMGR_OK)
	note_side (object, d);
      if (status == UMMGR_ERR_DRIVER)
	ummgr_manager_give_up (manager, "moving an object");
    }
}

/* A policy that names nothing leaves the object to the driver.  */
static struct ummgr_decision
first_decision (const struct ummgr_manager *manager,
		struct ummgr_object *object)
{
  if (manager->plan.count && manager->plan.decisions[0].object
      == &object->view)
    return manager->plan.decisions[0];
  return (struct ummgr_decision) {
    .object = &object->view, .hi = object->view.size,
    .place = UMMGR_PLACE_ANY, .transfer = UMMGR_TRANSFER_IMPLICIT,
    .reason = "the policy leaves it to the driver"
  };
}

static struct ummgr_decision
ask_on_map (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  uint64_t started = now_ns ();
  manager->plan.count = 0;
  manager->policy->on_map (manager->state, &object->view, &manager->plan);
  account (&manager->plan, started);
  return first_decision (manager, object);
}

static void
make_room (struct ummgr_manager *manager, size_t bytes)
{
  if (!manager->policy->on_pressure)
    return;
  uint64_t started = now_ns ();
  manager->plan.count = 0;
  manager->policy->on_pressure (manager->state, bytes, &manager->plan);
  account (&manager->plan, started);
  apply (manager);
}

bool
ummgr_plan_map (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  struct ummgr_decision decision = ask_on_map (object);
  enum ummgr_status status = UMMGR_ERR_UNSUPPORTED;
  if (decision.place != UMMGR_PLACE_LIBGOMP)
    {
      status = ummgr_storage_create (object, &decision);
      if (status == UMMGR_ERR_DEVMEM)
	{
	  make_room (manager, object->view.size);
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
  struct ummgr_decision decision = ask_on_map (object);
  if (object->chunk)
    decision.reason = "smaller than a page";
  if (object->chunk || decision.place == UMMGR_PLACE_LIBGOMP)
    decision.place = UMMGR_PLACE_ANY;
  object->view.place = UMMGR_PLACE_ANY;
  object->view.placed_lo = 0;
  object->view.placed_hi = object->view.size;
  explain (object, &decision, true);
  /* Nothing is in it yet that would have to be sent.  */
  ummgr_storage_place (object, decision.lo, decision.hi, decision.place,
		       decision.transfer == UMMGR_TRANSFER_EXPLICIT
		       ? UMMGR_TRANSFER_NONE : decision.transfer);
  if (decision.hi < object->view.size)
    ummgr_storage_place (object, decision.hi, object->view.size,
			 UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE);
}

void
ummgr_plan_budget (struct ummgr_manager *manager, uint64_t budget)
{
  manager->budget = budget;
  ummgr_debug ("device %d: budget %llu bytes", manager->device,
	       (unsigned long long) budget);
  if (!manager->policy->on_budget)
    return;
  uint64_t started = now_ns ();
  manager->plan.count = 0;
  manager->policy->on_budget (manager->state, budget, &manager->plan);
  account (&manager->plan, started);
  apply (manager);
}

void
ummgr_plan_unmap (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  if (manager->policy->on_unmap)
    manager->policy->on_unmap (manager->state, &object->view);
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

void
ummgr_plan_region_begin (struct ummgr_manager *manager,
			 const struct ummgr_region_view *region,
			 struct ummgr_object_view *const *objects,
			 size_t count)
{
  name_objects (manager, region, objects, count);
  uint64_t started = now_ns ();
  manager->plan.count = 0;
  manager->policy->on_region_begin (manager->state, region, objects, count,
				    &manager->plan);
  account (&manager->plan, started);
  apply (manager);
  for (size_t i = 0; i < count; i++)
    {
      struct ummgr_object *object = (struct ummgr_object *) objects[i];
      object->away = true;
      if (!object->filled && !object->launched)
	ummgr_storage_populate (object);
    }
}

void
ummgr_plan_host_next (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  if (!object->away || !manager->policy->hints)
    return;
  uint64_t started = now_ns ();
  manager->plan.count = 0;
  ummgr_host_next (&object->view, &manager->plan);
  account (&manager->plan, started);
  apply (manager);
}

void
ummgr_plan_region_end (struct ummgr_manager *manager,
		       const struct ummgr_region_view *region,
		       struct ummgr_object_view *const *objects, size_t count)
{
  if (!manager->policy->on_region_end)
    return;
  uint64_t started = now_ns ();
  manager->plan.count = 0;
  manager->policy->on_region_end (manager->state, region, objects, count,
				  &manager->plan);
  account (&manager->plan, started);
  apply (manager);
}
