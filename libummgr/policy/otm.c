/* Policy `otm`: objects get the device in the order of their global access
   frequency, as long as there is room, and keep it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   IWOMP'18 4.3: before a region its objects are taken in the order of their
   data reuse, the rank by global access frequency (what SC'19 calls GL); each
   is mapped to the device if there is room, else pinned to the host.
   Nothing is ever replaced.  Mapped objects are sent explicitly from a density
   of 0.6 on, and by demand below.  The paper keeps a counter each of what was
   sent explicitly and implicitly to know the room; one of both does as well.

   An object that no region has used has no place in the paper; here it may
   have one already, and gives way.  One pinned to the host is asked about
   again at its next region, since others may have been unmapped.  Objects of
   which the frequency is not known come after those of which it is.

   No state beyond that of ranked.c.  */

#include "config.h"
#include "policy/policies.h"
#include "policy/ranked.h"

#include <math.h>
#include <stdio.h>

static void
describe (const struct ummgr_ranked *ranked, const struct ummgr_rank *rank,
	  const char *name, const struct ummgr_rank *own, char *buf,
	  size_t size)
{
  if (rank->distance > 0 && name)
    snprintf (buf, size, "%s is not used yet", name);
  else if (rank->distance > 0)
    snprintf (buf, size, "not used by a region yet");
  else
    ummgr_ranked_describe_value (rank, name, "the program", buf, size);
}

static const struct ummgr_ranked_kind kind = {
  .density = 0.6,
  .keeps = true,
  .unused = { INFINITY, 0, 0 },
  .rank = ummgr_ranked_by_global,
  .describe = describe
};

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  return ummgr_ranked_init (state, &kind, config);
}

const struct ummgr_policy_ops ummgr_policy_otm = {
  .name = "otm",
  .description = "what the program accesses most on the device, for good",
  .source = "IWOMP'18 section 4.3; partial mapping: SC'19 section 3.4",
  .state_size = sizeof (struct ummgr_ranked),
  .init = init,
  .fini = ummgr_ranked_fini,
  .on_region_begin = ummgr_ranked_begin,
  .on_region_end = ummgr_after_region,
  UMMGR_RANKED_OPS
};
