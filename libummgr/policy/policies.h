/* The table of each policy, and what policies share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "policy/policy.h"

#define UMMGR_POLICY(NAME) \
  extern const struct ummgr_policy_ops ummgr_policy_##NAME;
#include "policy/policies.def"

/* on_region_end of policies that read hints (after-region.c).  */
/* The host goes over OBJECT next: send home what the device has of it.  */
void ummgr_host_next (struct ummgr_object_view *object,
		      struct ummgr_plan *plan);
void ummgr_after_region (void *state, const struct ummgr_region_view *region,
			 struct ummgr_object_view *const *objects,
			 size_t count, struct ummgr_plan *plan);

/* May a policy move OBJECT before a region begins?  The region itself does
   not count as running yet.  */
static inline bool
ummgr_object_movable (const struct ummgr_object_view *object)
{
  return !object->pinned && object->running == 0;
}
