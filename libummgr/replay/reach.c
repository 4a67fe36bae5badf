/* Accesses of a trace, as units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing: what is worked out is the caller's.  */

#include "config.h"
#include "replay/reach.h"

#include <string.h>

/* Times that a run which stands still is followed, at most: more say nothing new,
   and a file made with intent could say any number.  */
enum { STILL_MOST = 1 << 24 };

/* Emit pages from FIRST to LAST.  */
static inline void
emit_range (struct ummgr_emitter *e, uint32_t first, uint32_t last,
	    unsigned kind)
{
  ummgr_emit (e, first, kind);
  while (first < last)
    ummgr_emit (e, ++first, kind);
}

/* Emit the pages of [OFFSET, OFFSET + BYTES), which EXTENT has, or mark them; the
   last one.  */
static inline uint32_t
touch (struct ummgr_emitter *e, unsigned shift,
       const struct ummgr_extent *extent, uint64_t offset, uint64_t bytes,
       unsigned kind)
{
  uint64_t start = extent->start + offset;
  uint32_t page = extent->first + (start >> shift);
  uint32_t last = extent->first + ((start + bytes - 1) >> shift);
  if (!ummgr_emitter_steps (e, last - page + 1))
    return last;
  if (!extent->touched)
    emit_range (e, page, last, kind);
  else
    {
      memset (extent->touched + page, true, last - page + 1);
      e->host_events += kind > UMMGR_PAGE_WRITE ? last - page + 1 : 0;
    }
  return last;
}

static inline uint64_t
lesser (uint64_t a, uint64_t b)
{
  return a < b ? a : b;
}

void
ummgr_reach_range (struct ummgr_emitter *e, unsigned shift,
		   const struct ummgr_extent *extent, uint64_t offset,
		   uint64_t size, unsigned kind)
{
  if (size && offset < extent->size)
    touch (e, shift, extent, offset, lesser (size, extent->size - offset),
	   kind);
}

/* An access at OFFSET, all of it in one page, was just emitted, so that this page
   is the one that the TLB saw last.  How many of the MOST that follow, REACH's
   stride apart, are all in that page, too?  */
static uint64_t
more_there (const struct ummgr_reach *r, unsigned shift, uint64_t offset,
	    uint64_t most)
{
  uint64_t start = r->extent.start + offset;
  uint64_t end = lesser (((start >> shift) + 1) << shift,
			 r->extent.start + r->extent.size);
  uint64_t rest = end - start - r->bytes;
  if (r->stride <= 0)
    return r->stride ? 0 : most;
  return lesser (most, rest / r->stride);
}

/* All of a run: COUNT accesses, up to the first that is outside.  */
static void
touch_run (struct ummgr_emitter *e, unsigned shift,
	   const struct ummgr_reach *r, uint64_t offset, unsigned kind)
{
  const struct ummgr_extent *extent = &r->extent;
  uint64_t count = r->stride ? r->count : lesser (r->count, STILL_MOST);
  bool skips = kind <= UMMGR_PAGE_WRITE && (e->tlb || e->footprint_only)
	       && !extent->touched;
  for (uint64_t n = 0; n < count && offset < extent->size && !e->failed;
       n++, offset += r->stride)
    {
      uint64_t bytes = lesser (r->bytes, extent->size - offset);
      uint32_t last = touch (e, shift, extent, offset, bytes, kind);
      if (!skips || bytes < r->bytes
	  || last != extent->first + ((extent->start + offset) >> shift))
	continue;
      /* They hit the TLB, or say nothing new.  */
      uint64_t more = more_there (r, shift, offset, count - n - 1);
      e->filtered += more;
      n += more;
      offset += more * r->stride;
    }
}

/* Work out what SLOT says.  */
static bool
learn (struct ummgr_reaches *r, const struct ummgr_trace_slot *slot,
       struct ummgr_reach *out)
{
  *out = (struct ummgr_reach) {
    .meaning = r->meaning, .count = slot->count, .stride = slot->stride,
    .bytes = slot->size,
    .write = slot->access & (UMMGR_TRACE_WRITE | UMMGR_TRACE_ATOMIC)
  };
  if (slot->object
      && !r->find (r->data, slot->object, r->on_device, &out->extent))
    return false;
  const struct ummgr_extent *extent = &out->extent;
  out->base = ((uint64_t) extent->first << r->shift) + extent->start;
  if (out->count == 1 && out->bytes <= extent->size && !extent->touched)
    out->plain = extent->size - out->bytes + 1;
  return true;
}

void
ummgr_reaches_forget (struct ummgr_reaches *r)
{
  r->meaning++;
}

/* An access at OFFSET that is a run, ends outside the object or is outside.  */
static void
take_other (struct ummgr_reaches *r, const struct ummgr_reach *reach,
	    uint64_t offset, unsigned kind)
{
  if (!reach->extent.size)
    r->strange++;
  else if (reach->count > 1)
    touch_run (r->emitter, r->shift, reach, offset, kind);
  else
    ummgr_reach_range (r->emitter, r->shift, &reach->extent, offset,
		       reach->bytes, kind);
}

void
ummgr_reaches_take (struct ummgr_reaches *r,
		    const struct ummgr_trace_batch *batch)
{
  struct ummgr_emitter *e = r->emitter;
  unsigned shift = r->shift;
  unsigned by = batch->launch ? UMMGR_PAGE_READ : UMMGR_PAGE_HOST_READ;
  if (batch->epoch != r->epoch || r->on_device != (batch->launch != 0))
    r->meaning++;
  r->epoch = batch->epoch;
  r->on_device = batch->launch != 0;
  uint64_t meaning = r->meaning;
  if (!ummgr_emitter_steps (e, batch->count))
    return;
  uint32_t team = 0;
  e->sm = 0;
  const struct ummgr_trace_point *end = batch->points + batch->count;
  for (const struct ummgr_trace_point *p = batch->points; p < end; p++)
    {
      struct ummgr_reach *reach = &r->of_slot[p->slot];
      uint64_t offset = p->offset;
      if (reach->meaning != meaning
	  && !learn (r, &batch->slots[p->slot], reach))
	return;
      unsigned kind = by + reach->write;
      if (p->team != team)
	{
	  team = p->team;
	  e->sm = team % e->sms;
	}
      if (offset >= reach->plain)
	{
	  take_other (r, reach, offset, kind);
	  continue;
	}
      uint64_t start = reach->base + offset;
      uint32_t page = start >> shift;
      uint32_t last = (start + reach->bytes - 1) >> shift;
      ummgr_emit_inline (e, page, kind);
      if (page < last && ummgr_emitter_steps (e, last - page))
	emit_range (e, page + 1, last, kind);
    }
}
