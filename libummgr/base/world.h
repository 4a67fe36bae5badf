/* Which rank of an MPI program this process is, by what the launcher's variables say.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Its number among all of them; that on its node, and which GPUs that means, is topology/ranks.h's.
   Nothing is said where a variable makes no sense: no process shall fail for it.  */

#pragma once

#include <stdbool.h>

struct ummgr_world
{
  unsigned number, count;	/* From 0 on; of so many, or 0 where that isn't said.  */
  char job[128];		/* What all its ranks have in common, and no others have; "": not said.  */
};

/* False: it was started by no launcher that is known.  Any thread.  */
bool ummgr_world_find (struct ummgr_world *out);
