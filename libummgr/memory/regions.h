/* Target regions: found by the address of their host function.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Known from the offload images that the program registers, which also give
   the kernels' names.  */

#pragma once

#include "report/stats.h"

#include <stdbool.h>
#include <stdint.h>

struct ummgr_static;

/* Never freed: threads may hold it while its image goes.  */
struct ummgr_region
{
  const void *function;		/* Set to NULL when its image is unloaded.  */
  char *name;
  struct ummgr_stats_region *stats; /* Filled at the first launch.  */
  uint64_t invocations;		/* Atomic.  */
  uint64_t number;		/* From ummgr_region_number; 0: none yet.  */
  struct ummgr_static **statics; /* That it uses (statics.h); filled behind its first launch.  */
  struct ummgr_region *next;	/* In its hash chain.  */
};

/* An offload image for nvptx comes or goes; arguments as those of
   GOMP_offload_register_ver.  */
void ummgr_regions_register (unsigned version, const void *host_table,
			     const void *target_data);
void ummgr_regions_unregister (const void *host_table);

/* Does an image have regions that call the host (requires reverse_offload)?  libgomp then looks up the host's data by
   the device's addresses, and finds what it has mapped itself (gomp_map_rev_lookup in libgomp/target.c), not what was
   associated.  */
bool ummgr_regions_ask_host (void);

/* The region of FUNCTION, or NULL if no image has it: libgomp then runs it
   on the host.  Takes no lock.  */
struct ummgr_region *ummgr_regions_find (const void *function);

/* Its number, from 1, in the order in which they were asked for theirs.  */
uint64_t ummgr_region_number (struct ummgr_region *region);

/* Its entry in the statistics.  */
struct ummgr_stats_region *ummgr_region_stats (struct ummgr_region *region);

/* All regions of the loaded program that have tables, for the statistics.  */
void ummgr_regions_list (ummgr_stats_tell tell, void *data);
