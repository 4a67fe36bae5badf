/* What rdm and policies made of it have: ranks by next use, and what says when that is.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "policy/ranked.h"
#include "policy/reuse-said.h"
#include "policy/reuse-seen.h"

/* Begins the state of each such policy.  */
struct ummgr_rdm
{
  struct ummgr_ranked ranked;	/* First.  */
  struct ummgr_seen *seen;
  uint64_t region;		/* At hand.  */
  struct ummgr_said said;
};

/* How it ranks (ranked.h), but for `rank' and `describe'.  */
#define UMMGR_RDM_KIND							\
  .density = 0.5,		/* SC'19 3.1.  */			\
  .weighs = true,							\
  .by_distance = true,							\
  .copies = true,							\
  .unused = { UMMGR_DISTANCE_UNKNOWN, -1, 0 }

/* What policies that are made of rdm have of it: the next use in RANK, and RANK in words (ranked.h), of
   which VALUE is what its value is called.  */
void ummgr_rdm_rank_distance (struct ummgr_ranked *ranked, struct ummgr_ranked_object *object,
			      const struct ummgr_hint *hint, struct ummgr_rank *rank);
void ummgr_rdm_describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank, const char *value,
			 const char *name, const struct ummgr_rank *own, char *buf, size_t size);

/* The slots of policy.h; those that are not here are ranked.h's.  */
enum ummgr_status ummgr_rdm_init (void *state, const struct ummgr_ranked_kind *as,
				  const struct ummgr_policy_config *config);
void ummgr_rdm_fini (void *state);
void ummgr_rdm_begin (void *state, const struct ummgr_region_view *region,
		      struct ummgr_object_view *const *objects, size_t count,
		      struct ummgr_plan *plan);
