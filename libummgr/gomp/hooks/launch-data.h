/* Hints that depend on data: what a launch may read, and what came for it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Decides from what the runtime knows of objects whether reading an array here
   moves nothing and shows what the device will see.  All under the manager's
   lock.  */

#ifndef UMMGR_LAUNCH_DATA_H
#define UMMGR_LAUNCH_DATA_H

#include "hints/data.h"
#include "memory/mapping.h"
#include "memory/objects.h"

/* Launches with more arguments, or more objects, run without hints.  */
enum { UMMGR_LAUNCH_HINTS_MAX = 48 };

struct ummgr_launch_data
{
  struct ummgr_data_launch launch;
  /* Objects of which it matters what comes by demand.  */
  unsigned count;
  struct
  {
    struct ummgr_object *object;
    unsigned arg;
    double before;		/* The share that was on the device.  */
  } watched[UMMGR_LAUNCH_HINTS_MAX];
};

/* Correct HINTS, one for each of REGION's arguments, of which argument I is in
   OBJECTS[OBJECT[I]], or in none if that is negative.  */
void ummgr_launch_data_hints (const struct ummgr_table_region *region,
			      const struct ummgr_clauses *clauses,
			      struct ummgr_object_view *const *objects,
			      const int *object,
			      const struct ummgr_hint_extent *extents,
			      struct ummgr_hint *hints,
			      struct ummgr_launch_data *data);

/* The plan has been applied and the region is about to run; it has ended.  Its
   objects count as running in both.  */
void ummgr_launch_data_begin (struct ummgr_launch_data *data);
void ummgr_launch_data_end (struct ummgr_launch_data *data);

#endif
