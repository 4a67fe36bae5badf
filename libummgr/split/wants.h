/* How the objects of a launch over GPUs are to lie.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   By what each GPU uses of them (hints/footprint.h, placement/parts.h).  That is worked out
   from the region's table, its ranges, and those arguments that the table's expressions depend
   on: where all of it is as at the region's last launch, wants are as they were.  How objects
   lie is no part of it, so that nothing that moves them makes wants old.

   Owns what is kept, under the lock of the launches' manager.  */

#pragma once

#include "split/gpus.h"

/* Fill LAUNCH's wants, of which all else is known, for KNOWN with CLAUSES, as many as the table
   has.  Without memory it has none: data comes by demand.  */
void ummgr_wants_fill (const struct ummgr_table_region *known,
		       const struct ummgr_clauses *clauses, struct ummgr_gpus_launch *launch);
