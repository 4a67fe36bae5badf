/* Managed memory for objects of less than a page: many share one.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An allocation of its own takes a driver call, whole pages, and on the simulated
   GPU a block of address space.  NVIDIA's driver packs small ones, too: it gave a
   hundred million of them on one V100 (github.com/kokkos/kokkos, issue 2641), and
   blocks of 2 MiB for all would be more than the addresses that a process has;
   in CUDA 7.5 and 8 each was a mapping, and 65,536 the most (issues 300, 510).

   What holds of an object in shared pages:
   - the driver is told nothing of it alone, since advice and prefetches are for
     whole pages: it stays where it was first placed (VIEW.pinned);
   - its neighbours were placed alike: all on the host, or all on the device, where
     the driver's copies go to and from, or all are wherever demand takes them;
   - the driver's counters are of all that share its chunk.

   A few have memory of their own all the same, so that they can be placed as
   policies want: it is their number that costs.

   Any thread; a lock of its own, which is taken last but for the driver's.  */

#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define UMMGR_SMALL_MOST ((size_t) 4095)

enum ummgr_small_kind
{
  UMMGR_SMALL_DEMAND,
  UMMGR_SMALL_COPIED,		/* To the device, by the driver.  */
  UMMGR_SMALL_HOST,		/* With the advice to keep it there.  */
  UMMGR_SMALL_KINDS
};

struct ummgr_small_chunk;

/* How many may have memory of their own on a device: 32; tests have none.  */
extern unsigned ummgr_small_own_most;

/* May one more on DEVICE?  Then that counts until ummgr_small_own_end.  */
bool ummgr_small_own (int device);
void ummgr_small_own_end (int device);

/* Memory for SIZE bytes, 1 to UMMGR_SMALL_MOST, on DEVICE, aligned as CUDA's is.
   UMMGR_ERR_DEVMEM without a message if there is none.  */
enum ummgr_status ummgr_small_alloc (int device, enum ummgr_small_kind kind,
				     size_t size, uintptr_t *address_p,
				     struct ummgr_small_chunk **chunk_p);
void ummgr_small_free (struct ummgr_small_chunk *chunk, uintptr_t address);
