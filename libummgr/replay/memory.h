/* A GPU's memory with demand paging, of some capacity and under some policy.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What the simulated driver counts with a granule and a block of one page and no
   prefetcher (profile fermi-hpe; HPE, TCAD 2020, section III): a GPU's access to
   a page that is not there is a fault, for which, once memory is full, a page
   leaves first; a CPU's access to one that is there takes it home.

   Not thread-safe.  */

#pragma once

#include "replay/replay.h"
#include "replay/tlb.h"

/* What a policy gets to see of accesses to resident pages.  */
enum ummgr_replay_hits
{
  UMMGR_REPLAY_HITS_NONE,	/* Nothing: today's drivers.  */
  UMMGR_REPLAY_HITS_WALKS	/* All that no TLB serves, in order: HPE's
				   "ideal model" for its rivals, and what fills
				   its own hit record cache.  */
};

struct ummgr_replay_counts
{
  uint64_t touches;		/* By the GPU, but for what a TLB would serve
				   that no page had to leave.  */
  uint64_t faults, cpu_faults;
  uint64_t evictions;
  uint64_t pages_in, pages_out;	/* All ways; evictions are among those out.  */
  uint64_t written_out;		/* Of those out: written since they came.  */
};

struct ummgr_replay_memory;

/* CAPACITY in pages, at least 1.  INSTANCE is of OPS, for no units yet (or
   NULL: OPS->create makes it); destroyed with the memory, or at failure, which
   is NULL for want of memory.  TLB: of the GPU; a page that leaves leaves them.  NULL:
   what they would serve if all fitted is taken for served, if the page is there.  */
struct ummgr_replay_memory *
ummgr_replay_memory_create (const struct ummgr_paging_ops *ops,
			    struct ummgr_paging *instance, uint32_t capacity,
			    enum ummgr_replay_hits hits,
			    const struct ummgr_tlbs_shape *tlb);
void ummgr_replay_memory_destroy (struct ummgr_replay_memory *memory);

bool ummgr_replay_memory_grow (struct ummgr_replay_memory *memory,
			       uint32_t units);
void ummgr_replay_memory_events (struct ummgr_replay_memory *memory,
				 const struct ummgr_page_event *events,
				 size_t count);
void ummgr_replay_memory_region (struct ummgr_replay_memory *memory,
				 const struct ummgr_page_region *region);

struct ummgr_replay_counts
ummgr_replay_memory_counts (const struct ummgr_replay_memory *memory);

/* The policy's own state, for reports.  */
struct ummgr_paging *
ummgr_replay_memory_paging (const struct ummgr_replay_memory *memory);

/* Pages that are there, and whether memory was ever full.  */
uint32_t ummgr_replay_memory_used (const struct ummgr_replay_memory *memory);
bool ummgr_replay_memory_was_full (const struct ummgr_replay_memory *memory);
