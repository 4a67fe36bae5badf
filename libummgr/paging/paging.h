/* Replacement policies for pages and blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Used by the simulated driver for 2 MiB blocks, and by trace replay for
   pages.  A policy orders units and names the next victim; it never moves
   anything and knows no addresses: a unit is an index below the CAPACITY
   given to create (grown with `grow`).  The caller serialises all calls on
   one instance.

   Only create, own, grow, region and destroy may allocate, lock, or call anything that
   does: the simulated driver calls the others in signal handlers.  They take
   O(1) or O(log n), amortised; memory is bounded by the number of units.

   Memory is first full when `victim` is first called, and its size is then
   the number of units resident.  Policies with constants have a create of
   their own that takes them, see params.h.  */

#pragma once

#include "base/hint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that an instance keeps of a unit, at most; hint's are the most.  */
#define UMMGR_PAGING_UNIT_BYTES 64

#define UMMGR_PAGING_NONE UINT32_MAX

struct ummgr_paging;		/* An instance; each policy's own.  */

/* What is known of a range of units in the region that begins.  */
struct ummgr_paging_use
{
  uint32_t lo, hi;		/* Units [LO, HI).  */
  uint32_t object_lo, object_hi; /* Of the object that they are part of; 0, 0:
				   they are one.  */
  uint64_t region;		/* Which one begins: the same number for the
				   same code.  */
  double sweeps;		/* Times that each unit is used there, about, in
				   separate passes; at most 1: once; 0: not
				   known.  */
  double density;		/* Share of the bytes that are used; -1.  */
  double next_use;		/* Regions from this one to the next that uses
				   them; INFINITY: none; -1: not known.  */
  bool down;			/* Addresses fall from one iteration to the
				   next.  */
  bool random;			/* In no order that the compiler knows.  */
  bool read, write;
};

/* Set all of USE but its units and region from HINT, of PAGES pages of 4 KiB.  */
void ummgr_paging_use_fill (struct ummgr_paging_use *use,
			    const struct ummgr_hint *hint, double pages);

struct ummgr_paging_ops
{
  const char *name;
  const char *description;
  size_t unit_bytes;		/* Of memory for each unit, at most.  */

  /* New instance for units 0 … UNITS-1, none resident; NULL without
     memory.  */
  struct ummgr_paging *(*create) (uint32_t units);
  void (*destroy) (struct ummgr_paging *p);
  /* For ummgr_paging_copy: C, of SIZE bytes, is a copy of another instance, whose
     arrays it has: give it its own (copy.h).  False without memory; then it has NULL
     in their place.  NULL: there are no copies.  */
  size_t size;
  bool (*own) (struct ummgr_paging *c);
  bool (*grow) (struct ummgr_paging *p, uint32_t units);

  /* A fault was served: UNIT became resident, or, where a unit is more than
     a fault brings, more of it did.  Called after the victims that the fault
     needs; this is what counts faults.  */
  void (*insert) (struct ummgr_paging *p, uint32_t unit);

  /* UNIT became resident without a fault (see ummgr_paging_prefetched);
     NULL: insert serves.  */
  void (*prefetch) (struct ummgr_paging *p, uint32_t unit);

  /* UNIT, resident, was used without a fault.  No driver of today's GPUs
     sees that: then it is not called.  NULL where hits mean nothing.  */
  void (*touch) (struct ummgr_paging *p, uint32_t unit);

  /* UNIT left.  If it is the one that victim named last, it was evicted;
     else it was freed, prefetched away or migrated by a CPU fault.  */
  void (*remove) (struct ummgr_paging *p, uint32_t unit);

  /* UNIT, not resident, was freed: what it did before says nothing about its
     next life.  NULL where nothing is remembered of units that left.  */
  void (*forget) (struct ummgr_paging *p, uint32_t unit);

  /* A region begins that uses these ranges, as far as the compiler's tables
     tell.  The array does not outlive the call.  NULL where it means nothing.
     May allocate.  */
  void (*region) (struct ummgr_paging *p, const struct ummgr_paging_use *uses,
		  size_t count);

  /* The unit to evict next; it stays resident until remove is called for
     it.  Units for which PINNED (data, unit) holds are passed over; there are
     few.  UMMGR_PAGING_NONE if there is no candidate.  May change the order
     (hands move, units age): call it only to evict.  */
  uint32_t (*victim) (struct ummgr_paging *p,
		      bool (*pinned) (void *data, uint32_t unit), void *data);
};

static inline void
ummgr_paging_prefetched (const struct ummgr_paging_ops *ops,
			 struct ummgr_paging *p, uint32_t unit)
{
  (ops->prefetch ? ops->prefetch : ops->insert) (p, unit);
}

/* UNIT was freed, resident or not.  */
static inline void
ummgr_paging_freed (const struct ummgr_paging_ops *ops, struct ummgr_paging *p,
		    uint32_t unit)
{
  ops->remove (p, unit);
  if (ops->forget)
    ops->forget (p, unit);
}

/* An instance of its own with the same past; NULL without memory, or where there are
   no copies.  */
struct ummgr_paging *ummgr_paging_copy (const struct ummgr_paging_ops *ops,
					const struct ummgr_paging *p);

/* By name, or NULL.  */
const struct ummgr_paging_ops *ummgr_paging_find (const char *name);

/* All that need no knowledge of the future, ended by NULL.  */
extern const struct ummgr_paging_ops *const ummgr_paging_all[];
