/* What record/loop.c and record/nest.c share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "record/thread.h"

enum
{
  /* References; more are done in turn.  */
  UMMGR_RECORD_LOOP_MANY = 32
};

static inline uint64_t
ummgr_record_distance (int64_t stride)
{
  return stride < 0 ? -(uint64_t) stride : (uint64_t) stride;
}

/* Do accesses of SIZE_A bytes at A and of SIZE_B bytes at B never touch the same
   word, as both only move by multiples of STEP (or, if that is 0, not at
   all)?  */
static inline bool
ummgr_record_apart (uint64_t a, uint32_t size_a, uint64_t b, uint32_t size_b,
		    uint64_t step)
{
  uint64_t lo_a = a & -(uint64_t) 4, hi_a = (a + size_a + 3) & -(uint64_t) 4;
  uint64_t lo_b = b & -(uint64_t) 4, hi_b = (b + size_b + 3) & -(uint64_t) 4;
  if (!step || (step & 3))
    return false;
  uint64_t after = lo_b >= lo_a ? (lo_b - lo_a) % step
    : step - 1 - (lo_a - lo_b - 1) % step;
  return after >= hi_a - lo_a && step - after >= hi_b - lo_b;
}

/* Does sampling by MASK leave out all of [LO, HI), of which there are but a few blocks?  */
static inline bool
ummgr_record_left_out (uint64_t lo, uint64_t hi, uint64_t mask)
{
  enum { FEW = 16 };
  uint64_t block = lo >> UMMGR_TRACE_SAMPLE_SHIFT;
  uint64_t last = (hi - 1) >> UMMGR_TRACE_SAMPLE_SHIFT;
  if (last - block >= FEW)
    return false;
  for (; block <= last; block++)
    if (ummgr_trace_sampled (block << UMMGR_TRACE_SAMPLE_SHIFT, mask))
      return false;
  return true;
}

static inline uint64_t
ummgr_record_gcd (uint64_t a, uint64_t b)
{
  while (b)
    {
      uint64_t rest = a % b;
      a = b;
      b = rest;
    }
  return a;
}

/* The shadow's part of a loop; the trace's; and that with sampling, of one
   reference that is not empty.  The I-th bit of *TAKEN, unless that is NULL: the trace's part
   of REFS[I] is done, too.  */
void ummgr_record_loop_mark (struct ummgr_record_thread *t,
			     const struct ummgr_trace_ref *refs, uint32_t n, uint32_t *taken);
void ummgr_record_loop_touch (struct ummgr_record_thread *t,
			      const struct ummgr_trace_ref *refs, uint32_t n);
void ummgr_record_loop_touch_sampled (struct ummgr_record_thread *t,
				      const struct ummgr_trace_ref *ref);
