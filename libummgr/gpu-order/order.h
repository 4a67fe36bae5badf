/* The order in which a GPU would make the accesses of a launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The simulator runs the threads of a launch one after another.  A GPU has
   thousands of them under way at once, and neighbours go side by side.  This
   takes down what each thread does, and tells it again in a GPU's order:

   - N teams are in flight.  They lie on the multiprocessors (SMs) in turn; when
     one ends, the next that has not begun takes its place.
   - 32 threads in a row are a warp, whose threads go in lockstep: the I-th access
     of all of them comes at once.  Threads whose next report is of another form
     (another loop, another number of references) took another path: these go one
     path after the other, and join again after the report, as a warp does after
     a branch.
   - The warps in flight take turns, one access each (loose round robin).
   - No thread of a team passes a barrier, or the end of a parallel region, before
     the others are there.
   - What a thread reports as a loop, or a nest of loops, goes iteration by
     iteration, its references in their order.

   Without a clock, time is not modelled: all accesses last equally long, and a
   fault stops nobody.  With one, whoever takes the accesses says how long each
   lasts and until when its warp waits for data: a warp that waits passes its turn,
   and if all wait, time goes on to the first that need not any more.

   Not modelled: schedulers that prefer some warps, caches, the order of the SMs beyond taking
   turns, and atomics that wait for each other.  What was reported in one piece is
   not cut by calls that report nothing.

   Memory: what the teams in flight have reported; beyond a bound they are told
   before the next is taken in (order.relieved).  One thread at a time.  Knows
   neither objects nor pages: record/interleave.c does.  */

#pragma once

#include "ummgr-trace-abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct ummgr_order;

enum
{
  UMMGR_ORDER_WARP = 32		/* Threads.  */
};

/* Accesses to all of [LO, HI) that one warp makes at once, or one thread's share
   of them where they do not lie together.  */
struct ummgr_order_touch
{
  uint64_t lo, hi;
  uint64_t turn;		/* The same for what comes at once; rises.  */
  unsigned kind;		/* enum ummgr_trace_access_kind, or-ed.  */
  unsigned sm;
  uint32_t team, thread;	/* The first thread that takes part.  */
};

/* Seconds.  */
struct ummgr_order_clock
{
  double now;			/* `touch' moves it on by what accesses last.  */
  double ready;			/* `touch' raises it to when the warp can go
				   on; at most NOW: at once.  */
};

struct ummgr_order_options
{
  unsigned teams;		/* In flight; at least 1.  */
  unsigned sms;			/* At least 1.  */
  uint64_t gap;			/* Threads whose accesses are at most so many
				   bytes apart touch all between them.  */
  uint64_t mask;		/* Of sampling, as ummgr-trace-abi.h's; 0: all.  */
  uint64_t memory;		/* Bytes of reports that may wait.  */
  void (*touch) (void *data, const struct ummgr_order_touch *touch);
  void *data;
  struct ummgr_order_clock *clock; /* NULL: none.  Outlives the order.  */
};

/* NULL without memory.  */
struct ummgr_order *ummgr_order_create (const struct ummgr_order_options *o);
void ummgr_order_destroy (struct ummgr_order *order);

/* THREAD of TEAM, which has passed STEP barriers, reports.  Teams come one after
   another, threads of a team in any order.  False without memory: then the
   report is lost.  */
bool ummgr_order_access (struct ummgr_order *order, uint32_t team,
			 uint32_t thread, uint32_t step, uint64_t address,
			 uint32_t how);
bool ummgr_order_nest (struct ummgr_order *order, uint32_t team,
		       uint32_t thread, uint32_t step,
		       const struct ummgr_trace_nest_ref *refs, uint32_t n);

/* The launch has ended: tell all that waits.  */
void ummgr_order_end (struct ummgr_order *order);

/* How often memory ran short, and teams went with fewer others than asked
   for.  */
uint64_t ummgr_order_relieved (const struct ummgr_order *order);

#pragma GCC visibility pop
