/* A device's fault buffer and the driver's loop over it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A micro TLB has a request for each page that faults and that it has none for; warps wait
   for requests.  Each request is an entry of the buffer, again after each replay.  As the
   driver's (uvm_gpu_service_replayable_faults, replay policy BATCH_FLUSH):

   - It wakes at the first entry, and takes up to fault_batch of those there, in their
     order: first what was left in the buffer, then one of each micro TLB in turn, which
     send their misses side by side, beginning behind the last that a batch was taken from.
   - It serves them (uvm_serve).  What arrives meanwhile stays.
   - It flushes the buffer: all that was there when it read how far the buffer is filled;
     if more than half of the batch's entries were duplicates, all that is there now.
   - It replays: what can go on does; all other requests come again.

   Access counters' notifications (uvm/counters.c) it takes as well, one batch of these and
   one of faults in turn where both wait: both are served by one thread
   (kernel-open/nvidia-uvm/uvm_gpu_isr.c, bottom_half_q).  The GPU goes on meanwhile; an
   access to a page that is on its way faults.

   Half of gpu_fault_cost passes before the entries are taken (interrupt, scheduling,
   reading the buffer), half behind (flush, replay): an estimate.  */

#pragma once

#include "gpu/gpu.h"

#pragma GCC visibility push(hidden)

struct ummgr_gpu_buffer;

/* NULL without memory.  DONE hears, at a replay, that the warp has its page, with what it
   said of it.  */
struct ummgr_gpu_buffer *
ummgr_gpu_buffer_create (struct uvm *u, int device, unsigned utlbs,
			 void (*done) (void *data, unsigned warp, uint64_t what),
			 void *data);
void ummgr_gpu_buffer_destroy (struct ummgr_gpu_buffer *b);

/* WARP, behind UTLB, needs PAGE of BLOCK at NOW; WHAT is for DONE.  False without
   memory.  */
bool ummgr_gpu_buffer_fault (struct ummgr_gpu_buffer *b, unsigned utlb,
			     struct uvm_block *block, unsigned page, bool write,
			     unsigned warp, uint64_t what, double now);

/* Is PAGE on its way, so that an access faults though the books have it?  */
bool ummgr_gpu_buffer_coming (const struct ummgr_gpu_buffer *b,
			      const struct uvm_block *block, unsigned page);

/* Has UTLB a fault outstanding?  */
bool ummgr_gpu_buffer_blocked (const struct ummgr_gpu_buffer *b, unsigned utlb);

/* An access counter has notified the driver (uvm_used_remotely), at NOW.  */
void ummgr_gpu_buffer_notified (struct ummgr_gpu_buffer *b, double now);

/* When the driver does something next; infinity: nothing.  And that: true if it was a
   replay.  */
double ummgr_gpu_buffer_when (const struct ummgr_gpu_buffer *b);
bool ummgr_gpu_buffer_go (struct ummgr_gpu_buffer *b, struct ummgr_gpu_result *result);

#pragma GCC visibility pop
