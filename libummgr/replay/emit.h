/* Inside pages.c and reach.c: page events on their way to the sink.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An emitter looks in the TLBs for the GPU's accesses, counts, and hands events on
   in batches.  Not thread-safe.  */

#pragma once

#include "replay/replay.h"
#include "replay/tlb.h"
#include "trace/limit.h"

enum { UMMGR_EMIT_BATCH = 4096 };

enum ummgr_emit_seen
{
  UMMGR_EMIT_USED = 1,		/* The GPU accessed it.  */
  UMMGR_EMIT_HOME = 2		/* Since then the CPU did: no memory has it.  */
};

struct ummgr_emitter
{
  const struct ummgr_page_sink *sink;
  struct ummgr_trace_limit *limit; /* The reader's.  */
  struct ummgr_tlbs *tlb;	/* Or NULL.  */
  size_t tlb_bytes;		/* Of it, for a unit.  */
  uint32_t sms;			/* At least 1.  */
  uint32_t sm;			/* That makes the accesses from now on.  */
  bool footprint_only;		/* The sink wants no events: an access more to a
				   page may be left out.  */
  bool failed;			/* For want of memory, here or in the sink, or at
				   the limit.  */
  uint64_t device_events, host_events, filtered; /* As of pages.h's totals. */
  uint32_t footprint;
  uint32_t units;		/* There is room for.  */
  uint8_t *seen;		/* Of each unit, enum ummgr_emit_seen.  */
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
      if (e->tlb && ummgr_tlbs_use (e->tlb, e->sm, unit))
	{
	  e->filtered++;
	  if (!e->sink->served)
	    return;
	  kind += UMMGR_PAGE_SERVED_READ - UMMGR_PAGE_READ;
	}
      else
	{
	  e->device_events++;
	  e->footprint += !(e->seen[unit] & UMMGR_EMIT_USED);
	  e->seen[unit] = UMMGR_EMIT_USED;
	}
    }
  else if (kind < UMMGR_PAGE_REGION_BEGIN)
    {
      bool host = kind <= UMMGR_PAGE_HOST_WRITE;
      e->host_events += host;
      /* To go home again says nothing to memories.  */
      if (host && e->sink->served && e->seen[unit] & UMMGR_EMIT_HOME)
	return;
      if (host)
	e->seen[unit] |= UMMGR_EMIT_HOME;
      else
	e->seen[unit] &= ~UMMGR_EMIT_HOME;
      /* The page goes home.  */
      if (e->tlb && kind != UMMGR_PAGE_PREFETCH_IN)
	ummgr_tlbs_forget (e->tlb, unit, unit + 1);
    }
  e->batch[e->count++] = (struct ummgr_page_event) { unit, kind, e->sm };
  if (e->count == UMMGR_EMIT_BATCH)
    ummgr_emitter_flush (e);
}
