/* What a manager's policy is asked, and what comes of its answers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All calls need the manager's lock.  Decisions and the time they took are
   accounted here.  */

#pragma once

#include "memory/manager.h"
#include "memory/objects.h"
#include "base/status.h"

/* Of each manager's executor.  */
extern const struct ummgr_executor_ops ummgr_plan_ops;

/* Ask where new OBJECT starts and give it storage; with device memory short,
   let the policy make room once, and then fall back to host memory.  False:
   leave it to libgomp.  */
bool ummgr_plan_map (struct ummgr_object *object);

/* The same question for a unified object that has its memory.  */
void ummgr_plan_unified (struct ummgr_object *object);

/* The device has BUDGET bytes for objects from now on.  */
void ummgr_plan_budget (struct ummgr_manager *manager, uint64_t budget);

/* Of its room SLICES bytes are for slices of data (split/) from now on, and objects have the rest.  */
void ummgr_plan_slices (struct ummgr_manager *manager, uint64_t slices);

/* OBJECT goes.  */
void ummgr_plan_unmap (struct ummgr_object *object);

void ummgr_plan_region_begin (struct ummgr_manager *manager,
			      const struct ummgr_region_view *region,
			      struct ummgr_object_view *const *objects,
			      size_t count);

/* OBJECT is called NAME by a region at LINE of FILE, which counts if it is the first.  */
void ummgr_plan_name (struct ummgr_manager *manager, struct ummgr_object_view *object,
		      const char *name, const char *file, unsigned line);

/* Give OBJECT the remedy KIND, unless it has it, on its manager's device.  False, without
   a message, where it can have none: it is in no managed memory of its own.  */
bool ummgr_plan_remedy (struct ummgr_object *object, enum ummgr_remedy_kind kind);

/* No `target data' maps OBJECT any more, a unified one that it brings back.  */
void ummgr_plan_over (struct ummgr_object *object);

/* The program says that the host goes over OBJECT next, a unified one.  */
void ummgr_plan_host_next (struct ummgr_object *object);
