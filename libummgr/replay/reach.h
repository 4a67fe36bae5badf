/* Inside pages.c: accesses of a trace, as units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a slot of the trace says of an access (which object, how many bytes, how
   far on) is worked out once, into pages of that object; an access then costs a
   shift or two.  Not thread-safe.  */

#pragma once

#include "replay/emit.h"
#include "trace/read.h"

/* Where an object is.  */
struct ummgr_extent
{
  uint32_t first;		/* Unit.  */
  uint64_t start;		/* Bytes before it, in its first page.  */
  uint64_t size;		/* Bytes; 0: there is no such object.  */
  /* NULL, or it has no units, and these are marks of its pages.  */
  bool *touched;
};

struct ummgr_reach
{
  uint64_t meaning;		/* When this was worked out.  */
  /* A single access at an offset below PLAIN is inside the object; BASE is where
     that begins, in bytes from unit 0.  Others take more thought.  */
  uint64_t plain, base;
  uint32_t bytes;
  bool write;
  struct ummgr_extent extent;
  uint64_t count;
  int64_t stride;
};

struct ummgr_reaches
{
  struct ummgr_emitter *emitter;
  unsigned shift;		/* Of a byte, to its page.  */
  uint64_t strange;		/* Accesses outside every object.  */
  /* The extent of an object that a launch (ON_DEVICE) or the host uses.  False, and
     the emitter has failed, without memory.  */
  bool (*find) (void *data, uint64_t object, bool on_device,
		struct ummgr_extent *out);
  void *data;
  uint64_t epoch, meaning;	/* Of the last batch; what is older is void.  */
  bool on_device;		/* That one was a launch's.  */
  struct ummgr_reach of_slot[UMMGR_TRACE_SLOTS];
};

/* Emit all of BATCH.  */
void ummgr_reaches_take (struct ummgr_reaches *r,
			 const struct ummgr_trace_batch *batch);

/* What find said may be otherwise now.  */
void ummgr_reaches_forget (struct ummgr_reaches *r);

/* One event of KIND for each page of [OFFSET, OFFSET + SIZE) of the object at
   EXTENT, as far as that goes.  */
void ummgr_reach_range (struct ummgr_emitter *e, unsigned shift,
			const struct ummgr_extent *extent, uint64_t offset,
			uint64_t size, unsigned kind);
