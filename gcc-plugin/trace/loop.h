/* What trace/loop.cc and trace/nest.cc share.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#ifndef UMMGR_TRACE_LOOP_H
#define UMMGR_TRACE_LOOP_H

#include "trace/trace.h"

/* A reference to hoist out of a loop, or out of a loop around its own; what
   follows are invariants of that loop, as GENERIC.  */
struct trace_candidate
{
  unsigned ref;			/* Its index.  */
  tree base, offset;		/* Its address: a pointer, and a sizetype.  */
  tree stride, count;
  /* Of the inner loop, if INNER, which numbers it, is not 0.  */
  unsigned inner;
  tree inner_stride, inner_count;
  tree root;			/* The pointer or variable it is based on.  */
};

/* An exit of the loop, and how often its test lets the loop go on.  */
struct trace_exit
{
  basic_block test;
  tree passes;
};

struct trace_hoister
{
  const trace_context *context;
  vec<trace_ref> *refs;
  class loop *loop;
  unsigned inner_loops;		/* Hoisted from as well.  */
  auto_vec<trace_exit> exits;
  auto_vec<trace_candidate> candidates;
};

/* trace/loop.cc: fill H->exits; false if one is not known.  */
bool trace_exits_find (trace_hoister *h);
bool trace_invariant_p (const trace_hoister *h, tree expr);
/* How often BB, which dominates the latch, runs in the loop.  */
tree trace_block_count (const trace_hoister *h, basic_block bb);
/* Fill H->candidates.  */
void trace_candidates_find (trace_hoister *h);

/* trace/nest.cc: add what the loop INNER, which each iteration of H->loop runs,
   accesses.  */
void trace_nest_candidates_find (trace_hoister *h, class loop *inner);

#endif
