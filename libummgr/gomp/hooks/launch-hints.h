/* Hints for the objects of a launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_LAUNCH_HINTS_H
#define UMMGR_LAUNCH_HINTS_H

#include "gomp/hooks/launch-data.h"
#include "memory/mapping.h"
#include "policy/policy.h"
#include "tables/decode.h"

/* Fill OUT, one for each of OBJECTS, for a launch of REGION with CLAUSES, and
   DATA with what is to be watched of it.  False where nothing is known.  The
   manager's lock is held.  */
bool ummgr_launch_hints (const struct ummgr_table_region *region,
			 const struct ummgr_clauses *clauses,
			 struct ummgr_object_view *const *objects,
			 size_t count, struct ummgr_hint *out,
			 struct ummgr_launch_data *data);

#endif
