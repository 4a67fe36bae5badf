/* Policy `rlm`: the objects that a region accesses most are on the device
   while it runs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   SC'19 3.2 ranks by regional locality, RL.  It is silent on objects that the
   region at hand doesn't use; 3.3 has their RL as 0, so they leave first,
   which is also what 5.2 tells of bfs: "RLM fetches a large data object into
   the GPU memory at one target region but evicts it at the other".  Among
   them the least recently used goes first.  Objects of which RL is not known
   rank below those of which it is; with nothing known the policy is lru.

   No state beyond that of ranked.c.  */

#include "config.h"
#include "policy/policies.h"
#include "policy/ranked.h"

#include <math.h>
#include <stdio.h>

static void
rank (struct ummgr_ranked *ranked, struct ummgr_ranked_object *object,
      const struct ummgr_hint *hint, struct ummgr_rank *rank)
{
  rank->distance = 0;
  rank->value = hint->locality > 0 ? hint->locality : -1;
}

static void
describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank,
	  const char *name, const struct ummgr_rank *own, char *buf,
	  size_t size)
{
  if (rank->distance > 0 && name)
    snprintf (buf, size, "%s is not used", name);
  else if (rank->distance > 0)
    snprintf (buf, size, "not used by this region");
  else
    ummgr_ranked_describe_value (rank, name, "the region", buf, size);
}

static const struct ummgr_ranked_kind kind = {
  .density = 0.5,		/* SC'19 3.1.  */
  .weighs = true,
  .forgets = true,
  .unused = { INFINITY, 0, 0 },
  .rank = rank,
  .describe = describe
};

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  return ummgr_ranked_init (state, &kind, config);
}

const struct ummgr_policy_ops ummgr_policy_rlm = {
  .name = "rlm",
  .description = "what each region accesses most on the device",
  .source = "SC'19 section 3.2, RLM; partial mapping: section 3.4",
  .state_size = sizeof (struct ummgr_ranked),
  .init = init,
  .fini = ummgr_ranked_fini,
  .on_region_begin = ummgr_ranked_begin,
  .on_region_end = ummgr_after_region,
  UMMGR_RANKED_OPS
};
