/* Policy `glm`: the objects that the whole program accesses most stay on the
   device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   SC'19 3.3: as rlm, but ranked by global locality, GL, which is the same in
   every region: once memory is full of the highest, nothing moves.  That only
   holds if an object of the same GL doesn't make one leave either, which the
   paper leaves open.  Objects of which GL is not known rank below those of
   which it is; with nothing known the policy is lru.

   No state beyond that of ranked.c.  */

#include "config.h"
#include "policy/policies.h"
#include "policy/ranked.h"

static void
describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank,
	  const char *name, const struct ummgr_rank *own, char *buf,
	  size_t size)
{
  ummgr_ranked_describe_value (rank, name, "the program", buf, size);
}

static const struct ummgr_ranked_kind kind = {
  .density = 0.5,		/* SC'19 3.1.  */
  .weighs = true,
  .unused = { 0, -1, 0 },
  .rank = ummgr_ranked_by_global,
  .describe = describe
};

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  return ummgr_ranked_init (state, &kind, config);
}

const struct ummgr_policy_ops ummgr_policy_glm = {
  .name = "glm",
  .description = "what the program accesses most on the device",
  .source = "SC'19 section 3.3, GLM; partial mapping: section 3.4",
  .state_size = sizeof (struct ummgr_ranked),
  .init = init,
  .fini = ummgr_ranked_fini,
  .on_region_begin = ummgr_ranked_begin,
  .on_region_end = ummgr_after_region,
  UMMGR_RANKED_OPS
};
