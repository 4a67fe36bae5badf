/* `nowait' and `depend' on target constructs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Data has to be placed when a construct runs, not when it is met.  libgomp
   runs target regions on nvptx at once, `nowait' or not, after waiting for
   what they depend on (clear_unsupported_flags; the plugin has no async_run),
   so only the waiting must come before our part.  Data constructs with both
   clauses may really be put off: they become an explicit task.  */

#pragma once

#include "memory/mapping.h"

#include <stdbool.h>
#include <stddef.h>

/* The firstprivate data of a region, copied before waiting, as the tasks
   waited for may change the originals.  */
struct ummgr_private
{
  void **hostaddrs;		/* The region's, or a changed copy.  */
  void *block;
};

/* Copy what CLAUSES make firstprivate.  False without memory.  */
bool ummgr_private_copy (struct ummgr_private *copy,
			 const struct ummgr_clauses *clauses);
void ummgr_private_free (struct ummgr_private *copy);

/* A data construct: GOMP_target_enter_exit_data or GOMP_target_update_ext. */
typedef void (*ummgr_data_construct) (int device, size_t count,
				      void **hostaddrs, size_t *sizes,
				      unsigned short *kinds, unsigned flags,
				      void **depend);

/* Run CONSTRUCT, which SITE calls, without its clauses `nowait' and `depend', as a task
   that has them.  False without memory.  */
bool ummgr_defer (ummgr_data_construct construct, const void *site, int device,
		  const struct ummgr_clauses *clauses, unsigned flags,
		  void **depend);

/* A construct is called from ADDRESS: of one that was put off, from where it was met.  */
const void *ummgr_defer_site (const void *address);
