/* Between order.c, which keeps reports and teams, and gpu-order/warp.c, which goes
   through a warp's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A report in a thread's stream: one word, struct-like,
     bits 0 to 31   the step;
     bits 32 to 63  how many references, or 0 for a single access;
   then the references (six words each), or the address and HOW.  */

#pragma once

#include "gpu-order/order.h"

#pragma GCC visibility push(hidden)

struct ummgr_order_lane
{
  uint64_t *words;
  size_t at, used, room;	/* Words.  */
};

enum
{
  UMMGR_ORDER_FAST = 16		/* References of a report that are gone through
				   for all threads at once.  */
};

/* One reference of a path whose threads are equally far apart.  */
struct ummgr_order_fast
{
  bool valid;
  uint64_t address;		/* The first thread's.  */
  uint64_t span;		/* To the last thread's.  */
};

/* The report that some threads of a warp are in.  */
struct ummgr_order_path
{
  uint32_t live;		/* Threads, a bit each; 0: none.  */
  uint32_t n;			/* References.  */
  bool single;
  bool same;			/* Counts and strides are all threads'.  */
  uint64_t i, j;		/* Turns of the loops.  */
  uint64_t most[2];		/* Of the outer loop; of the inner one under
				   way.  */
  uint32_t first, end, ref;	/* The inner loop's references; the next.  */
  struct ummgr_order_fast fast[UMMGR_ORDER_FAST];
};

struct ummgr_order_warp
{
  struct ummgr_order_lane *lanes;
  uint32_t count;		/* Of threads.  */
  uint32_t number;		/* Of the first.  */
  double ready;			/* On the clock.  */
  struct ummgr_order_path path;
};

/* What a warp's accesses are told with.  */
struct ummgr_order_teller
{
  const struct ummgr_order_options *options;
  struct ummgr_order_touch touch;
};

static inline uint32_t
ummgr_order_step_of (uint64_t head)
{
  return (uint32_t) head;
}

static inline uint32_t
ummgr_order_refs_of (uint64_t head)
{
  return head >> 32;
}

static inline const struct ummgr_trace_nest_ref *
ummgr_order_refs_at (const struct ummgr_order_lane *lane)
{
  return (const struct ummgr_trace_nest_ref *) (lane->words + lane->at + 1);
}

static inline size_t
ummgr_order_words_of (uint64_t head)
{
  const size_t each = sizeof (struct ummgr_trace_nest_ref) / sizeof (uint64_t);
  uint32_t n = ummgr_order_refs_of (head);
  return n ? 1 + n * each : 3;
}

/* Make the next access of WARP that belongs to STEP.  False: there is none.  */
bool ummgr_order_warp_go (struct ummgr_order_warp *warp, uint32_t step,
			  struct ummgr_order_teller *teller);

#pragma GCC visibility pop
