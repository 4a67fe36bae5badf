/* What the tables say of a launch, for the trace and for the simulated driver.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_LAUNCH_TRACE_H
#define UMMGR_LAUNCH_TRACE_H

#include "memory/mapping.h"
#include "policy/policy.h"
#include "memory/regions.h"

/* Does DEVICE's driver replace pages by what the tables say?  */
bool ummgr_launch_told (int device);

/* Note for LAUNCH, the trace's number or 0, how REGION uses OBJECTS[0..COUNT), and
   tell the driver if it wants to know.
   HINTS are those that the policy got, or NULL: then they are worked out here.
   Takes MANAGER's lock.  */
void ummgr_launch_trace (uint64_t launch, struct ummgr_manager *manager,
			 const struct ummgr_region *region,
			 const struct ummgr_clauses *clauses,
			 struct ummgr_object_view *const *objects, size_t count,
			 const struct ummgr_hint *hints);

#endif
