/* What the flow between regions says of one object: when it is used next, and
   its locality in the whole program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The compiler does not follow objects through a program.  The regions that use
   one are those that were seen to, and those with an argument of the same
   declaration as one that was it, so that most users of an array are known from
   its first launch on.  An object is known by its address and size: a mapped
   one comes and goes with each construct.  The manager's lock is held.  */

#pragma once

#include "policy/policy.h"
#include "tables/decode.h"

/* A launch of REGION uses OBJECT as ARG.  */
void ummgr_reuse_note (const struct ummgr_object_view *object,
		       const struct ummgr_table_region *region,
		       const struct ummgr_table_arg *arg);

/* Fill global_locality, reuse_static and reuse_likely of HINT, whose locality is
   that of OBJECT in this launch of REGION, which was noted.  */
void ummgr_reuse_fill (const struct ummgr_object_view *object,
		       const struct ummgr_table_region *region,
		       struct ummgr_hint *hint);

/* Are A and B one declaration?  */
bool ummgr_reuse_same_variable (const struct ummgr_table_arg *a, const struct ummgr_table_arg *b);

/* Call FUNCTION for each region that uses OBJECT, most likely, by ARG, and hasn't been launched with it; FREQUENCY:
   launches in a run.  */
typedef void ummgr_reuse_other (const struct ummgr_table_region *region, const struct ummgr_table_arg *arg,
				double frequency, void *data);
void ummgr_reuse_others (const struct ummgr_object_view *object, ummgr_reuse_other *function, void *data);
