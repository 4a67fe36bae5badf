/* What the shadow of an object says at the end of a phase.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   One thread at a time (the result is large and belongs to the caller); other
   threads may go on marking, and lose nothing.  */

#pragma once

#include "record/shadow-map.h"
#include "trace/format.h"

struct ummgr_shadow_facts
{
  /* Words in sampled blocks; the states' words add up to it.  */
  uint64_t words;
  uint32_t state_count;
  struct ummgr_trace_state states[256];
  uint64_t blocks[11];
  /* The geometry counts all words, sampled or not; a cell without a sampled
     word is empty.  */
  uint32_t cells;
  uint64_t cell_words;
  uint32_t run_count;
  struct ummgr_trace_cells runs[UMMGR_TRACE_CELLS_MAX];
};

/* ALONE: no thread marks meanwhile, which is three times as fast.  */
struct ummgr_shadow_how
{
  uint64_t block, mask;
  bool unified, alone;
};

/* Fill FACTS from [ADDRESS, ADDRESS + SIZE), with densities of blocks of
   HOW->block bytes, and leave the lasting bits only.  HOW->unified: also forget that a word was
   overwritten unread, as this phase says it.  False, with FACTS and the shadow
   as they were, if there is nothing but lasting bits.  */
bool ummgr_shadow_scan (uint64_t address, uint64_t size,
			const struct ummgr_shadow_how *how,
			struct ummgr_shadow_facts *facts);
