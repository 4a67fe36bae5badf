/* Copies that a launch can go without.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_GOMP_LAUNCH_LIVE_H
#define UMMGR_GOMP_LAUNCH_LIVE_H

#include "memory/mapping.h"
#include "tables/decode.h"

/* Fill KINDS, of UMMGR_LAUNCH_HINTS_MAX, with those of the launch of REGION with
   CLAUSES, less the copies in of what the region overwrites, and less the copies
   back of what nobody reads after it.  False if that is none.  */
bool ummgr_launch_drop (const struct ummgr_table_region *region,
			const struct ummgr_clauses *clauses,
			unsigned short *kinds);

#endif
