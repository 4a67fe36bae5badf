/* Reuse distances learned from the regions of this run.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The distance is that of SC'19 section 3.4: 1 if the object is used by the
   next region.  Knows no object but by a number.  Constant time for each
   region and for each object of it; bounded memory.  No locks.  */

#pragma once

#include <stdbool.h>
#include <stdint.h>

struct ummgr_seen;

struct ummgr_seen *ummgr_seen_new (void);
void ummgr_seen_free (struct ummgr_seen *seen);

/* The number of the object at BASE: the same for one that comes back there.
   0, of which nothing is ever known, for more objects than can be kept.  */
uint32_t ummgr_seen_object (struct ummgr_seen *seen, uint64_t base);

/* REGION, by its number, begins; SEQUENCE, which grows, counts regions.  */
void ummgr_seen_begin (struct ummgr_seen *seen, uint64_t region,
		       uint64_t sequence);

struct ummgr_seen_distance
{
  double regions;		/* Until the next use; -1: not known.  */
  bool proved;			/* It was right here before.  */
};

/* It uses OBJECT.  */
struct ummgr_seen_distance ummgr_seen_use (struct ummgr_seen *seen,
					   uint32_t object);
