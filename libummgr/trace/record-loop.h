/* What record-loop.c and record-nest.c share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_RECORD_LOOP_H
#define UMMGR_RECORD_LOOP_H

#include "record-thread.h"

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

/* The shadow's part of a loop; the trace's; and that with sampling, of one
   reference that is not empty.  */
void ummgr_record_loop_mark (const struct ummgr_record_thread *t,
			     const struct ummgr_trace_ref *refs, uint32_t n);
void ummgr_record_loop_touch (struct ummgr_record_thread *t,
			      const struct ummgr_trace_ref *refs, uint32_t n);
void ummgr_record_loop_touch_sampled (struct ummgr_record_thread *t,
				      const struct ummgr_trace_ref *ref);

#endif
