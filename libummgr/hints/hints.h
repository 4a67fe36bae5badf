/* What the compiler's tables say of one launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Evaluates a region's expressions with the arguments of a launch.  The answers
   for a launch's values are kept, so that the same launch again costs a look-up.
   Any thread; takes a lock of its own only.  */

#pragma once

#include "policy/policy.h"
#include "tables/decode.h"

/* Where an argument lies in its object.  */
struct ummgr_hint_extent
{
  uint64_t offset;		/* Bytes from the object's start.  */
  uint64_t size;		/* Of the object; 0: not known.  */
  /* How launches get at it from elsewhere.  A GRAIN of 0: by the host's pages, which is rather too
     much.  */
  struct ummgr_remote remote;
};

/* Fill OUT, one for each argument of REGION, for a launch with these arguments
   of GOMP_target_ext.  EXTENTS, one for each argument too, or NULL: objects are
   what is mapped.  False if nothing is known of the region.  */
bool ummgr_hints_evaluate (const struct ummgr_table_region *region,
			   void *const *hostaddrs, const size_t *sizes,
			   const struct ummgr_hint_extent *extents,
			   struct ummgr_hint *out);

/* Are the pointers that REGION follows in memory all among its members?  */
bool ummgr_hints_can_follow (const struct ummgr_table_region *region);

/* How REGION uses argument I, or behind these the member I less as many; where it can be followed,
   less what it may do there by those pointers.  */
struct ummgr_table_use ummgr_hints_use (const struct ummgr_table_region *region, size_t i);

/* What the source calls REGION's member K, or "".  */
const char *ummgr_hints_member_name (const struct ummgr_table_region *region, unsigned k);

/* It can: correct OUT, what ummgr_hints_evaluate says of the same launch, and fill MEMBERS_OUT, one
   for each member, of which MEMBERS say where they lead.  Nothing of that is exact, for pointers
   may lead elsewhere by now.  */
void ummgr_hints_follow (const struct ummgr_table_region *region, void *const *hostaddrs,
			 const size_t *sizes, const struct ummgr_hint_extent *extents,
			 const struct ummgr_hint_extent *members, struct ummgr_hint *out,
			 struct ummgr_hint *members_out);

/* The iterations of REGION's work-shared loops; false where not known.  */
bool ummgr_hints_trip (const struct ummgr_table_region *region,
		       void *const *hostaddrs, const size_t *sizes,
		       uint64_t *trip);

/* Bytes from what one iteration accesses of argument ARG to what the next does,
   the same for all its affine references and iterations; false where there is
   no such number.  What replacement goes by (paging/); hints/exclusive.h says more.  */
bool ummgr_hints_stride (const struct ummgr_table_region *region,
			 unsigned arg, const struct ummgr_code_inputs *inputs,
			 int64_t *stride);

/* Two uses of one object in one launch as one, in TO.  */
void ummgr_hint_merge (struct ummgr_hint *to, const struct ummgr_hint *from);
