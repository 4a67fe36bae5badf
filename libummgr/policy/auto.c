/* Policy `auto`: libgomp's own way while all fits, and from then on rdm with parts.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a construct maps is copied into plain device memory as long as the device has room for
   all of it and for what is there: that is what libgomp does, but for one thing: what has to
   leave later becomes managed memory then (memory/storage.c), so nobody needs to know beforehand
   whether it will.  Where a construct's data doesn't fit, it is managed memory from the start,
   of which what there is room for is sent at once, the smaller first, whatever the clauses' order, and rdm decides by
   next use, of parts of objects too (rdm.c).  When nothing is mapped any more
   all begins anew.

   An example: 64 MiB of memory; a loop maps A, 40 MiB, for one region, and A and B, 40 MiB each,
   for another.  For the first A is copied to plain memory; the second gets both as managed
   memory, 16 MiB of the second on the host.

   State, for each device: rdm's.  */

#include "config.h"
#include "policy/policies.h"
#include "policy/rdm.h"

/* Once something did not fit, plain memory would only have to be given back.  */
static void
on_construct (void *state, uint64_t bytes)
{
  struct ummgr_ranked *r = state;
  if (r->count == 0)
    r->plain = true;
  if (r->budget - r->resident < (int64_t) bytes)
    r->plain = false;
}

static enum ummgr_status
init (void *state, const struct ummgr_policy_config *config)
{
  struct ummgr_policy_config parts = *config;
  struct ummgr_ranked *r = state;
  parts.partial = UMMGR_PARTIAL_ON;
  r->sends = true;
  return ummgr_rdm_init (state, &parts);
}

const struct ummgr_policy_ops ummgr_policy_auto = {
  .name = "auto",
  .description = "plain copies while all fits, else parts of what is used again soonest on the "
		 "device",
  .source = "SC'19 section 3.4, RDM with partial mapping, and libgomp",
  .plain = true,
  .keeps = true,
  .state_size = sizeof (struct ummgr_rdm),
  .init = init,
  .fini = ummgr_rdm_fini,
  .on_construct = on_construct,
  .on_region_begin = ummgr_rdm_begin,
  UMMGR_RANKED_OPS
};
