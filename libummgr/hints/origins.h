/* Arguments of regions whose data is allocated in the same place.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "tables/decode.h"

/* Call FUNCTION for ARG and for each other argument of a region whose data comes, as the tables have it, from the one
   allocation in the source that ARG's comes from, and from nowhere else; for none if there is no such place.  That
   place may have allocated other objects, too.  The manager's lock is held; FUNCTION must not come back here.  */
void ummgr_origins_each (const struct ummgr_table_arg *arg,
			 void (*function) (const struct ummgr_table_region *region, const struct ummgr_table_arg *arg,
					   void *data),
			 void *data);
