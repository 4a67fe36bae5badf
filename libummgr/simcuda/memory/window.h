/* What a thread of a launch knows of the memory that it uses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A window is a stretch of memory that the thread has found out about: whose it
   is, and on which side of a link.  It holds as long as the epoch does, which
   changes whenever a page moves, an allocation comes or goes, and at both ends
   of a launch; so an access that finds a window takes no lock but a cache set's.
   Finding one out takes the machine's lock, and makes the fault happen that the
   access would trap for (sim_fault_access).  */

#pragma once

#include "gpu/cache.h"
#include "simcuda/memory/mem.h"

struct sim_window
{
  uintptr_t base, end;
  uint64_t epoch;
  uint64_t key;			/* Machine address less address.  */
  ummgr_gpu_cache_owner owner;	/* 0: memory of no allocation.  */
  uint32_t unit;
  bool writable;		/* No copy of it elsewhere.  */
};

/* Atomic.  0 is no epoch.  */
extern uint64_t sim_window_epoch;

/* The calling thread's window at ADDRESS, which it is about to WRITE to or not;
   NULL if the launch is over.  Valid until the thread's next call.  */
struct sim_window *sim_window_at (uintptr_t address, bool write);

/* The thread used LINES lines of W, which is managed memory and resident: tell
   the policy now and then.  */
void sim_window_hit (const struct sim_window *w, uint32_t lines);
