/* What the threads of a launch report, as the source of a GPU's steps.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Instrumented host versions run one thread after another, each as far as the next
   barrier, and say what they access.  This takes it down, and a GPU (gpu.h) then has it
   in its own order:

   - Some threads in a row are a warp: one, as in GCC's code for nvptx; or 32, as in
     CUDA's, which go in lockstep: the I-th access of all of them is one instruction.
     Threads whose next report is of another form (another loop, another number of
     references) took another path: these go one path after the other, and join again
     after the report, as a warp does after a branch.
   - No warp of a team passes a barrier, or the end of a parallel region, before the
     others are there.
   - What a thread reports as a loop, or a nest of loops, goes iteration by iteration, its
     references in their order.
   - An instruction reads or writes 16 bytes for each thread, at most: what is larger
     takes several, and an update takes one for each.
   - Instructions that access no memory come with the access behind them: as many as the
   - Instructions that access no memory come with the access behind them, as many as the
     plugin counts there (gcc-plugin/ops/ops.h): in a loop those of the first thread on the
     path, before a report the most of any.  A report of no accesses tells those behind the
     last one.

   One thread at a time.  */

#pragma once

#include "gpu/gpu.h"
#include "ummgr-trace-abi.h"

#pragma GCC visibility push(hidden)

struct ummgr_gpu_reports;

/* LANES threads in a row, up to UMMGR_GPU_LANES, are a warp.  WHERE says where the device
   has what is reported at an address; NULL: there.  NULL without memory.  */
struct ummgr_gpu_reports *ummgr_gpu_reports_create (unsigned lanes,
						    uint64_t (*where) (uint64_t address));
unsigned ummgr_gpu_reports_lanes (const struct ummgr_gpu_reports *r);
void ummgr_gpu_reports_destroy (struct ummgr_gpu_reports *r);

/* THREAD of TEAM, which has passed STEP barriers, does WORK instructions that access no
   memory, and then what the N references of a nest say; or what one says that is of no
   loop: INNER and strides are 0, counts 1.  Teams come one after another, threads of a team
   in any order.  False without memory: then this is not taken down.  */
bool ummgr_gpu_reports_add (struct ummgr_gpu_reports *r, uint32_t team, uint32_t thread,
			    uint32_t step, const struct ummgr_trace_nest_ref *refs, uint32_t n,
			    uint64_t work);

/* Bytes that what was taken down takes; 0: nothing was.  */
uint64_t ummgr_gpu_reports_bytes (const struct ummgr_gpu_reports *r);

/* Say in O how many teams of how many warps these are, and what they do next.  Of each
   access O's `made' hears the kind that was reported, enum ummgr_trace_access_kind, as its
   site; its data is R.  */
void ummgr_gpu_reports_source (struct ummgr_gpu_reports *r, struct ummgr_gpu_options *o);

/* Then: the team, and the first thread, of WARP.  */
void ummgr_gpu_reports_who (const struct ummgr_gpu_reports *r, unsigned warp,
			    uint32_t *team_p, uint32_t *thread_p);

/* Forget all.  */
void ummgr_gpu_reports_clear (struct ummgr_gpu_reports *r);

#pragma GCC visibility pop
