/* Which accesses of a launch wait for their data: unified memory behind the clock
   of order.h.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What is modelled, all of it by the figures of the profile:

   - An access takes its sectors of 32 bytes from memory at memory_rate; all
     accesses share that.
   - A page that the GPU does not hold is a fault.  Faults are served in the order
     in which they happen, fault_batch at a time, each batch gpu_fault_cost long;
     those that come while one is served go into the next.  Then what a fault
     moves crosses the link, in and out, at its rates.
   - What a fault brings, and which block leaves for it, an instance of uvm/ says:
     granules, blocks, the tree prefetcher, a replacement policy that sees faults.
     Each object begins a block, as managed memory does.  Blocks leave when the
     service of the fault begins; until then they serve accesses.
   - The access that faulted is made when its page comes, and its warp waits until
     then.  So does another warp that accesses a page that is on its way; that is
     no other fault.

   Not modelled: caches; what the CPU does with the data between two launches (all
   is the CPU's until the GPU first accesses it); that objects are freed; the GPU's
   own limit of outstanding faults; memory that is not managed.

   Not thread-safe.  */

#pragma once

#include "gpu-order/order.h"

#include <stdbool.h>
#include <stdint.h>

#pragma GCC visibility push(hidden)

struct ummgr_stall;
struct uvm_config;

struct ummgr_stall_counts
{
  uint64_t faults, evictions;
};

/* Of MACHINE's one device count the memory's size and rate, the link's rates, and what
   is said of faults, granules, blocks and the prefetcher.  CLOCK is moved by
   ummgr_stall_touch.  NULL without memory.  */
struct ummgr_stall *ummgr_stall_create (const struct uvm_config *machine,
					struct ummgr_order_clock *clock);
void ummgr_stall_destroy (struct ummgr_stall *stall);

/* Other things have BYTES of the memory from now on.  */
void ummgr_stall_taken (struct ummgr_stall *stall, uint64_t bytes);

/* An access to SIZE bytes at OFFSET, in one page of the object that begins at BASE
   and has BYTES.  True: it is a fault.  *WHEN_P: when its service begins; or, of
   others, when the page is there, which may be now.  In the order of these times
   the accesses change, and find, memory as it is modelled.  Without memory for the
   model: false, and now.  */
bool ummgr_stall_touch (struct ummgr_stall *stall, uint64_t object,
			uint64_t base, uint64_t bytes, uint64_t offset,
			uint64_t size, double *when_p);

struct ummgr_stall_counts
ummgr_stall_counts (const struct ummgr_stall *stall);

#pragma GCC visibility pop
