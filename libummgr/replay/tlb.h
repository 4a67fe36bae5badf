/* A set-associative TLB, each set with LRU.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_REPLAY_TLB_H
#define UMMGR_REPLAY_TLB_H

#include <stdbool.h>
#include <stdint.h>

struct ummgr_tlb;

/* NULL without memory, or if WAYS (1 to 64) does not divide ENTRIES.  */
struct ummgr_tlb *ummgr_tlb_create (uint32_t entries, uint32_t ways);
void ummgr_tlb_destroy (struct ummgr_tlb *tlb);

/* Use PAGE; was it there?  A page that is written for the first time since it
   came counts as absent, so that the write is seen.  */
bool ummgr_tlb_hit (struct ummgr_tlb *tlb, uint32_t page, bool write);

/* Pages [LO, HI) leave.  */
void ummgr_tlb_forget (struct ummgr_tlb *tlb, uint32_t lo, uint32_t hi);

#endif
