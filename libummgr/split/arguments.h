/* How a launch's arguments go to other GPUs than its own (split/gpus.h), and what lies behind
   pointers that the region finds in their memory.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The lock of the launch's manager is held.  No state.  */

#pragma once

#include "split/gpus.h"

#pragma GCC visibility push(hidden)

/* Fill OUT's arguments, for a launch of KNOWN with CLAUSES, mapped for MANAGER: of each clause,
   and behind these of what each of KNOWN's members leads to.  Returns why they can't go to
   other GPUs; NULL: they can.  OUT's are then to be freed either way.  */
const char *ummgr_gpus_arguments (struct ummgr_manager *manager,
				  const struct ummgr_table_region *known,
				  const struct ummgr_clauses *clauses,
				  struct ummgr_gpus_launch *out);

#pragma GCC visibility pop
