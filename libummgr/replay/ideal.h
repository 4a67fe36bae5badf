/* Belady's MIN in one pass: how few faults any policy could have had.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   paging/ideal.c plays MIN, and must be given the future.  This one counts: it
   decides at a page's next use whether MIN would have kept it since the last,
   which by then is known.  To keep it takes a frame of memory for that time: it
   is an interval, and CAPACITY machines are to do as many intervals as can be.
   Asked in the order of the next uses, that is MIN (intervals by their ends,
   greedily; Jain and Lin, "Back to the future", ISCA 2016, section IV, ask the
   same of a cache's last accesses).  Times between two pages' last uses are one
   to all questions, so memory is bounded by the number of pages.  A use takes
   some steps in a bitmap with summaries, whatever the capacity.

   Not thread-safe.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ummgr_ideal;

struct ummgr_ideal_counts
{
  uint64_t uses, faults;	/* No policy has fewer faults, */
  uint64_t evictions;		/* or evictions; where pages leave by themselves,
				   the two need not go together.  */
};

/* CAPACITY in pages, at least 1.  NULL without memory.  */
struct ummgr_ideal *ummgr_ideal_create (uint32_t capacity);
void ummgr_ideal_destroy (struct ummgr_ideal *ideal);

/* Pages [0, PAGES) may be used from now on; false without memory.  */
bool ummgr_ideal_grow (struct ummgr_ideal *ideal, uint32_t pages);

/* PAGE is used.  FAULT: a fault would bring it; else it comes by itself, and is
   not counted.  */
void ummgr_ideal_use (struct ummgr_ideal *ideal, uint32_t page, bool fault);

/* PAGE leaves, if it is there: it is freed, or the CPU takes it.  */
void ummgr_ideal_gone (struct ummgr_ideal *ideal, uint32_t page);

struct ummgr_ideal_counts ummgr_ideal_counts (const struct ummgr_ideal *ideal);
