/* Between reports.c, which keeps reports and teams, and lockstep.c, which goes through a
   warp's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A report is some words.  One access, of no loop, is one:
     bits 0 to 47	its address
     bits 48 to 53	its size
     bit 54		it joins the one before
     bits 55 to 60	instructions that come before it
     bits 61 to 63	its kind, enum ummgr_trace_access_kind, or-ed
   All else is the number of references, below 2^32, and then these.  Where more comes
   before it, or anything before references, a word stands there with the number of
   instructions in bits 32 to 60 and 0 in the others.  */

#pragma once

#include "gpu/reports.h"

#pragma GCC visibility push(hidden)

enum
{
  UMMGR_GPU_REF_WORDS = sizeof (struct ummgr_trace_nest_ref) / sizeof (uint64_t),
  UMMGR_GPU_LOG = 2 * UMMGR_GPU_LANES, /* Accesses of a warp that wait to be asked for.  */
  UMMGR_GPU_FAST = 16		/* References of a report that are gone through for all
				   threads at once.  */
};

#define UMMGR_GPU_NO_SEGMENT SIZE_MAX

/* Of words.  */
#define UMMGR_GPU_WORD_ADDRESS ((UINT64_C (1) << 48) - 1)
#define UMMGR_GPU_WORD_SIZE(WORD) ((WORD) >> 48 & 0x3f)
#define UMMGR_GPU_WORD_JOINS (UINT64_C (1) << 54)
#define UMMGR_GPU_WORD_WORK(WORD) ((WORD) >> 55 & 0x3f)
#define UMMGR_GPU_WORD_KIND(WORD) ((WORD) >> 61)
#define UMMGR_GPU_WORD_MOST 0x3f	/* Of size and work.  */
#define UMMGR_GPU_ALONE_MOST 0x1fffffff	/* Of work that has a word.  */

/* What a thread has reported in a row.  */
struct ummgr_gpu_segment
{
  uint64_t at, end;		/* Words; AT: of the first that is still to be done.  */
  uint32_t thread, step;
  size_t next;			/* Of the same thread.  */
};

/* One reference of a path whose threads are equally far apart.  */
struct ummgr_gpu_fast
{
  bool valid;
  uint64_t address;		/* The first thread's.  */
  int64_t stride;		/* From each to the next one.  */
};

/* The report that some threads of a warp are in.  */
struct ummgr_gpu_path
{
  uint32_t live;		/* Threads, a bit each; 0: none.  */
  uint32_t n;			/* References.  */
  bool single, joins;
  bool same;			/* Counts and strides are all threads'.  */
  uint64_t i, j;		/* Turns of the loops.  */
  uint64_t most[2];		/* Of the outer loop; of the inner one under way.  */
  uint32_t first, end, ref;	/* The inner loop's references; the next.  */
  uint32_t part;		/* Instructions of that so far.  */
  struct ummgr_gpu_fast fast[UMMGR_GPU_FAST];
};

struct ummgr_gpu_lockstep
{
  const uint64_t *words;	/* Of all reports.  */
  struct ummgr_gpu_segment *segments;
  size_t *lane;			/* Of each thread, its segment that is not done.  */
  uint32_t lanes;
  uint32_t issued;		/* Instructions, but for those that went out as work.  */
  uint32_t told;		/* Of these, what the log has had.  */
  uint32_t before[UMMGR_GPU_LANES]; /* Of each thread, that its next report comes behind. */
  bool waits;			/* At a barrier.  */
  /* Of the last instruction: it was a store; it is of the same turn of a loop as the next
     one.  Reads of a turn are taken to need nothing of each other, a store all of them;
     outside of loops reports say it.  */
  bool wrote, turns;
  struct ummgr_gpu_path path;
  unsigned made;		/* Of LOG.  */
  struct ummgr_gpu_access log[UMMGR_GPU_LOG];
};

/* Log the next instruction of W that belongs to STEP; there is room for UMMGR_GPU_LANES
   accesses.  False: there is none.  */
bool ummgr_gpu_lockstep_go (struct ummgr_gpu_lockstep *w, uint32_t step);

#pragma GCC visibility pop
