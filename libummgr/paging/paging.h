/* Replacement policies for pages and blocks.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Used by the simulated driver for 2 MiB blocks, and by trace replay for
   pages.  A policy orders units and names the next victim; it never moves
   anything and knows no addresses: a unit is an index below the CAPACITY
   given to create (grown with `grow`).  The caller serialises all calls on
   one instance.  Every call but create, grow and destroy is O(1) or
   O(log n).  */

#ifndef UMMGR_PAGING_H
#define UMMGR_PAGING_H

#include <stdbool.h>
#include <stdint.h>

#define UMMGR_PAGING_NONE UINT32_MAX

struct ummgr_paging;		/* An instance; each policy's own.  */

struct ummgr_paging_ops
{
  const char *name;
  const char *description;

  /* New instance for units 0 … UNITS-1, none resident; NULL without
     memory.  */
  struct ummgr_paging *(*create) (uint32_t units);
  void (*destroy) (struct ummgr_paging *p);
  bool (*grow) (struct ummgr_paging *p, uint32_t units);

  /* UNIT became resident because of a fault (or a prefetch).  */
  void (*insert) (struct ummgr_paging *p, uint32_t unit);

  /* UNIT, resident, was used; may be NULL where hits mean nothing.  */
  void (*touch) (struct ummgr_paging *p, uint32_t unit);

  /* UNIT left for a reason that is not the policy's: freed, prefetched
     away, migrated by a CPU fault.  */
  void (*remove) (struct ummgr_paging *p, uint32_t unit);

  /* The unit to evict next; it stays resident until remove is called for
     it.  Units for which PINNED (data, unit) holds are passed over.
     UMMGR_PAGING_NONE if there is no candidate.  */
  uint32_t (*victim) (struct ummgr_paging *p,
		      bool (*pinned) (void *data, uint32_t unit), void *data);
};

/* By name, or NULL.  */
const struct ummgr_paging_ops *ummgr_paging_find (const char *name);

/* All, ended by NULL.  */
extern const struct ummgr_paging_ops *const ummgr_paging_all[];

#endif
