/* Inside pages.c and reach.c: page events on their way to the sink.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An emitter lets the GPU's accesses through the TLB, counts, and hands events
   on in batches.  Not thread-safe.  */

#pragma once

#include "replay/replay.h"
#include "replay/tlb.h"
#include "trace/limit.h"

enum { UMMGR_EMIT_BATCH = 4096 };

struct ummgr_emitter
{
  const struct ummgr_page_sink *sink;
  struct ummgr_trace_limit *limit; /* The reader's.  */
  struct ummgr_tlb *tlb;	/* Or NULL.  */
  bool footprint_only;		/* The sink wants no events: an access more to a
				   page may be left out.  */
  bool failed;			/* For want of memory, here or in the sink, or at
				   the limit.  */
  uint64_t device_events, host_events, filtered; /* As of pages.h's totals. */
  uint32_t footprint;
  uint32_t units;		/* There is room for.  */
  bool *seen;			/* Of each unit: did the GPU access it?  */
  size_t count;
  struct ummgr_page_event batch[UMMGR_EMIT_BATCH];
};

/* Units [0, UNITS) may be emitted.  Flushes, and tells the sink; false, and
   FAILED, without memory.  */
bool ummgr_emitter_grow (struct ummgr_emitter *e, uint32_t units);
/* Take from the limit; false, and FAILED, where that is exceeded.  */
bool ummgr_emitter_steps (struct ummgr_emitter *e, uint64_t steps);
bool ummgr_emitter_memory (struct ummgr_emitter *e, uint64_t bytes);
/* TEXT, malloc'ed; NULL, and FAILED, without memory.  */
char *ummgr_emitter_copy (struct ummgr_emitter *e, const char *text);
/* What FAILED came of, or what is emitted after it, goes nowhere.  */
void ummgr_emitter_flush (struct ummgr_emitter *e);
void ummgr_emitter_fini (struct ummgr_emitter *e);

void ummgr_emit (struct ummgr_emitter *e, uint32_t unit, unsigned kind);

/* The same, to be part of a loop on which replay's speed depends.  */
static inline __attribute__ ((always_inline)) void
ummgr_emit_inline (struct ummgr_emitter *e, uint32_t unit, unsigned kind)
{
  if (kind <= UMMGR_PAGE_WRITE)
    {
      enum ummgr_tlb_outcome outcome
	= e->tlb ? ummgr_tlb_use (e->tlb, unit, kind == UMMGR_PAGE_WRITE)
	  : UMMGR_TLB_MISS;
      if (outcome == UMMGR_TLB_HIT)
	{
	  e->filtered++;
	  return;
	}
      if (outcome == UMMGR_TLB_FIRST_WRITE)
	kind = UMMGR_PAGE_FIRST_WRITE;
      e->device_events++;
      e->footprint += !e->seen[unit];
      e->seen[unit] = true;
    }
  else if (kind <= UMMGR_PAGE_HOST_WRITE)
    e->host_events++;
  e->batch[e->count++] = (struct ummgr_page_event) { unit, kind };
  if (e->count == UMMGR_EMIT_BATCH)
    ummgr_emitter_flush (e);
}
