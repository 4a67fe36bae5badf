/* Replay of a trace under the policies of objects (policy/).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   "Would this run on a 40 GB card, and under which policy?", from one recorded
   run: the policies decide as in a live run, from what the trace says the
   compiler said, and machine.h's model of the simulated driver carries it out.
   All that a device uses counts as unified memory (pages.h): what is mapped, as
   storage of its own, which begins with a block.  What a live run learns from its own
   accesses (densities of data-dependent references) is as it was recorded.

   `best' is no policy, but what none can beat (bound.h): of its counters there is
   model_seconds alone.  */

#pragma once

#include "base/counters.h"
#include "base/remedy.h"
#include "policy/policy.h"
#include "replay/pages.h"
#include "device/figures.h"

#include <string.h>

/* A policy on a machine, and what came of it.  */
struct ummgr_replay_run
{
  const char *policy;		/* Of policy/policy.h, but `explicit'; or `best'.  */
  const char *evict;		/* Of paging/paging.h.  */
  const char *transfer;		/* "hybrid", "explicit", "implicit".  */
  const char *partial;		/* "off", "on", "paper"; NULL or "policy": the policy's.  */
  struct ummgr_figures device; /* Adjusted: memory, scale.  */
  /* Given to the objects that they are for, of managed memory of the program's own, as these
     come to be known.  */
  const struct ummgr_remedy *remedies;
  size_t remedy_count;

  struct ummgr_counters counters;	/* Filled in.  */
  uint64_t decisions;
};

static inline bool
ummgr_replay_is_best (const struct ummgr_replay_run *run)
{
  return strcmp (run->policy, "best") == 0;
}

/* Replay PATH for RUNS[0..COUNT), in one pass.  Errors are logged:
   UMMGR_ERR_INVALID also where a name is not known, pages are not of 4 KiB, or the
   GPU accesses nothing.  */
enum ummgr_status
ummgr_replay_policies (const char *path,
		       const struct ummgr_page_options *options,
		       struct ummgr_replay_run *runs, size_t count,
		       struct ummgr_page_totals *totals);
