/* What a fault brings along, for the simulated driver and for models of it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_SIMCUDA_TREE_H
#define UMMGR_SIMCUDA_TREE_H

#include "simcuda/memory/mask.h"

/* The pages to bring along when PAGE, not in RESIDENT, comes: its granule,
   or the greatest aligned part of the block that is then dense enough.  */
struct sim_mask sim_tree_region (const struct sim_mask *resident,
				 unsigned page, unsigned pages,
				 unsigned granule_pages, int threshold);

#endif
