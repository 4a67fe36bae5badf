/* Replay: what a recorded run would have cost with other settings.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A trace becomes a stream of page events (pages.h), once, whatever the number
   of memories that are tried on it.  Each memory (memory.h) has a capacity and a
   replacement policy of paging/, and counts what a GPU with demand paging would
   count.  Belady's MIN needs no second pass (ideal.h).  Memory is bounded by the
   footprint, not by the trace.

   Unified memory as the simulated driver has it, under any of policy/, is
   machine.h's and policies.h's.

   Not thread-safe; no globals.  The command (cli/replay*.c) prints.  */

#pragma once

#include "paging/paging.h"
#include "base/status.h"
#include "trace/format.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- page events --------------------------------------------------------- */

enum ummgr_page_event_kind
{
  UMMGR_PAGE_READ,		/* By the GPU, with a walk to the page table.  */
  UMMGR_PAGE_WRITE,
  /* By the GPU, and if its memory had room for all, a TLB would have the page: no
     walk.  Only where the sink asks for them.  */
  UMMGR_PAGE_SERVED_READ,
  UMMGR_PAGE_SERVED_WRITE,
  UMMGR_PAGE_HOST_READ,		/* By the CPU: a resident page migrates home. */
  UMMGR_PAGE_HOST_WRITE,
  UMMGR_PAGE_PREFETCH_IN,	/* To the GPU, without a fault.  */
  UMMGR_PAGE_PREFETCH_OUT,
  UMMGR_PAGE_FREE,		/* The page is no more.  */
  UMMGR_PAGE_REGION_BEGIN,	/* UNIT is the launch's index from 0, and
				   struct ummgr_page_region tells of it.  */
  UMMGR_PAGE_REGION_END
};

/* A page is a unit: pages of one object are consecutive, in the order of
   addresses, and the unit of a page is its page number modulo 512 (so that page
   sets of up to 512 pages are those of the address space).  */
struct ummgr_page_event
{
  uint32_t unit;
  uint16_t kind;		/* enum ummgr_page_event_kind.  */
  uint16_t sm;			/* The GPU's multiprocessor, from 0.  */
};

/* Is KIND a use by the GPU; and one that writes, if so?  */
static inline bool
ummgr_page_is_use (unsigned kind)
{
  return kind <= UMMGR_PAGE_SERVED_WRITE;
}

static inline bool
ummgr_page_writes (unsigned kind)
{
  return kind & 1;
}

/* What the compiler said of one object in one launch (trace record USE), in
   units.  */
struct ummgr_page_use
{
  uint32_t lo, hi;		/* Units that the launch may access.  */
  uint64_t object, region;	/* As in the trace.  */
  uint32_t object_lo, object_hi; /* The object's units.  */
  struct ummgr_hint hint;	/* Its name holds until all is read.  */
};

struct ummgr_page_region
{
  uint64_t launch, region;	/* As in the trace.  */
  uint64_t invocation;		/* Of the region, from 1.  */
  const char *name, *file;
  uint32_t line;
  const struct ummgr_page_use *uses;
  size_t use_count;
};

/* A use as replacement policies are told of it.  */
struct ummgr_paging_use ummgr_page_use_paging (const struct ummgr_page_use *u);

/* An object that has pages now; or, once more, one whose name is known only now.
   Its strings hold until the call returns.  */
struct ummgr_page_object
{
  uint64_t object;		/* As in the trace.  */
  const char *name, *file;	/* "" if not known.  */
  uint32_t line;
  uint32_t first, units;
  uint64_t base, size;		/* Address and bytes.  */
  uint32_t start;		/* Bytes before it in its first unit.  */
  bool unified;			/* It is managed memory of the program's own.  */
};

struct ummgr_gpu_steps;
struct ummgr_areas;

/* What a stream calls.  Events come some thousands at a time; a region's begin
   is always the last of its batch, and REGION is called right after it.  Units
   are announced by GROW before they occur.  REGION and OBJECT may be NULL.  A
   call that returns false ends the reading, for want of memory.  */
struct ummgr_page_sink
{
  void *data;
  /* Of memory for each unit, for each that an object has (there are others between
     objects), and for each object with some, at most: what the reading's limit has
     to allow.  */
  size_t unit_bytes, own_bytes, object_bytes;
  bool served;			/* It wants what a TLB serves, too.  */
  bool (*grow) (void *data, uint32_t units);
  bool (*object) (void *data, const struct ummgr_page_object *object);
  bool (*events) (void *data, const struct ummgr_page_event *events,
		  size_t count);
  bool (*region) (void *data, const struct ummgr_page_region *region);
  /* What else is on the device from now on; may be NULL.  */
  void (*taken) (void *data, const struct ummgr_trace_taken *taken);
  /* How the launch that ends next went on DEVICE; may be NULL.  */
  void (*ran) (void *data, const struct ummgr_trace_ran *ran,
	       const struct ummgr_trace_device *device);
  /* What the GPU does in the launch that has begun comes as STEPS (below): its events are
     of the order that was recorded.  May be NULL, with STEPS.  */
  void (*told) (void *data);
  /* And so it goes, or a part of it: STEPS has what its warps do, AREAS what they find.  */
  bool (*steps) (void *data, struct ummgr_gpu_steps *steps, const struct ummgr_areas *areas);
};
