/* The constants of the replacement policies, and creating one with others.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The instances are used and destroyed through the policy's ops.  HPE is
   "HPE: Hierarchical Page Eviction Policy for Unified Memory in GPUs", Yu
   et al., IEEE TCAD 39(10), 2020; constants without another source are
   its.  */

#pragma once

#include "paging/paging.h"

#include <stddef.h>

#define UMMGR_PAGING(NAME) \
  extern const struct ummgr_paging_ops ummgr_paging_##NAME;
#include "paging/paging.def"
extern const struct ummgr_paging_ops ummgr_paging_ideal;

/* --- random ------------------------------------------------------------- */

struct ummgr_paging *ummgr_paging_random_create (uint32_t units,
						 uint64_t seed);

/* --- rrip --------------------------------------------------------------- */

struct ummgr_rrip_params
{
  unsigned bits;		/* Of a prediction; 1 to 8.  */
  bool insert_distant;		/* At 2^BITS-1 rather than 2^BITS-2.  */
  uint32_t delay;		/* Faults before a unit may be evicted.  */
};

/* What HPE's authors compare with: THRASHING for applications of type II,
   which they knew beforehand.  */
struct ummgr_rrip_params ummgr_rrip_defaults (bool thrashing);
struct ummgr_paging *
ummgr_paging_rrip_create (uint32_t units,
			  const struct ummgr_rrip_params *params);

/* --- clockpro ----------------------------------------------------------- */

struct ummgr_clockpro_params
{
  uint32_t cold;		/* m_c: memory for cold units.  */
  bool adaptive;		/* Let m_c follow the accesses.  */
};

struct ummgr_clockpro_params ummgr_clockpro_defaults (void);
struct ummgr_paging *
ummgr_paging_clockpro_create (uint32_t units,
			      const struct ummgr_clockpro_params *params);

/* --- hpe ---------------------------------------------------------------- */

enum ummgr_hpe_hits
{
  UMMGR_HPE_HITS_NONE,		/* As on today's GPUs.  */
  UMMGR_HPE_HITS_CACHE,		/* Through the hit record cache (HIR).  */
  UMMGR_HPE_HITS_EXACT		/* At once: the paper's "ideal model".  */
};

struct ummgr_hpe_params
{
  uint32_t page_set;		/* Units of a set: a power of 2, 2 to 64.  */
  uint32_t interval;		/* Faults of an interval.  */
  uint32_t counter_most;	/* Where a set's counter saturates.  */
  double ratio1, ratio2;	/* The classification's thresholds.  */
  bool adjust;			/* Dynamic adjustment.  */
  uint32_t fifo;		/* Evictions that each strategy remembers.  */
  uint32_t wrong_most;		/* Wrong evictions that cause adjustment.  */
  uint32_t jump;		/* Of the search point, in sets.  */
  uint32_t jump_least;		/* Old sets, when full, for it to jump.  */
  bool jump_again;		/* It may jump more than once.  */
  enum ummgr_hpe_hits hits;
  uint32_t transfer;		/* Faults between transfers of the HIR.  */
  uint32_t hir_entries, hir_ways; /* Their quotient: a power of 2.  */
  uint32_t hir_most;		/* Where one of its counters saturates.  */
};

enum ummgr_hpe_category
{
  UMMGR_HPE_UNKNOWN,		/* Memory was never full.  */
  UMMGR_HPE_REGULAR,
  UMMGR_HPE_IRREGULAR1,
  UMMGR_HPE_IRREGULAR2
};

/* What an instance has found out.  The ratios are 0 where both counts are 0,
   and infinite where only the divisor is.  */
struct ummgr_hpe_state
{
  enum ummgr_hpe_category category;
  double ratio1, ratio2;
  bool mru_c;			/* The strategy now; else LRU.  */
  uint32_t search_point;	/* Sets that MRU-C's search leaves out.  */
  uint32_t switches;		/* Of the strategy.  */
  uint32_t old, middle, new;	/* Sets in each partition.  */
  uint32_t divided;		/* Page sets ever divided.  */
  uint64_t faults, hits_lost;	/* Lost for want of a way in the HIR.  */
  /* MRU-C's searches, and page sets compared in them, as the paper searches, set by
     set; only once measured.  Transfers of the HIR, and entries in use then.  */
  uint64_t searches, comparisons, transfers, entries;
};

struct ummgr_hpe_params ummgr_hpe_defaults (void);

/* NULL also for parameters out of range.  */
struct ummgr_paging *ummgr_paging_hpe_create (uint32_t units,
					      const struct ummgr_hpe_params *);
/* Count comparisons from now on, which takes as many steps.  */
void ummgr_paging_hpe_measure (struct ummgr_paging *p);
void ummgr_paging_hpe_state (const struct ummgr_paging *p,
			     struct ummgr_hpe_state *out);

/* --- hint --------------------------------------------------------------- */

struct ummgr_told_params
{
  uint32_t young;		/* Faults that a unit stays after its own.  */
  uint32_t memory;		/* Evictions after which experience counts
				   half.  */
  uint32_t explore;		/* One victim of so many is chosen another
				   way.  */
};

struct ummgr_told_params ummgr_told_defaults (void);
struct ummgr_paging *
ummgr_paging_hint_create (uint32_t units,
			  const struct ummgr_told_params *params);

/* --- ideal -------------------------------------------------------------- */

/* In a sequence: here the unit leaves, if it is resident, whatever the policy
   does: it is freed, or the CPU takes it.  */
#define UMMGR_PAGING_GONE (UINT32_C (1) << 31)

/* Belady's MIN.  SEQUENCE, of LENGTH below 2^32, has the unit of each use in
   the order in which insert and touch will be called, one element a call, and
   the departures; it must live as long as the instance.  UNITS below 2^31.
   create and grow of the ops return failure.  */
struct ummgr_paging *ummgr_paging_ideal_create (uint32_t units,
						const uint32_t *sequence,
						size_t length);
