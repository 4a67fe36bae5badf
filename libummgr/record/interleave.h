/* Recording launches in a GPU's order (--interleave): between the recorder's
   files.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   While a launch runs that the simulated driver runs for this (its threads have
   a step, device/device.h), what they report marks the shadow at once, as always, but
   goes into the trace by way of gpu-order/order.h.  A filter on each multiprocessor hides
   what hits there, as a TLB does; its size is HPE's (Table I: 128 entries a
   private L1 TLB).  */

#pragma once

#include "record/thread.h"

#pragma GCC visibility push(hidden)

/* Begin, if the options ask for it.  REPORTS: does anybody report
   accesses?  One warning if it can't be.  Before the first launch.  */
void ummgr_record_interleave_start (bool reports);

extern bool ummgr_record_interleave_on;

/* Do T's reports take the way through here?  */
static inline bool
ummgr_record_interleaved (const struct ummgr_record_thread *t)
{
  return __builtin_expect (ummgr_record_interleave_on, 0) && t->gpu
	 && t->place->step && t->stream;
}

/* The trace's part of reports of T, which is ordered.  */
void ummgr_record_interleave_access (struct ummgr_record_thread *t,
				uint64_t address, uint32_t how);
void ummgr_record_interleave_range (struct ummgr_record_thread *t,
			       uint64_t address, uint64_t size, unsigned kind);
void ummgr_record_interleave_loop (struct ummgr_record_thread *t,
			      const struct ummgr_trace_ref *refs, uint32_t n);
void ummgr_record_interleave_nest (struct ummgr_record_thread *t,
			      const struct ummgr_trace_nest_ref *refs,
			      uint32_t n);

#pragma GCC visibility pop
