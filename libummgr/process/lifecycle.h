/* Start and end of the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#ifndef UMMGR_LIFECYCLE_H
#define UMMGR_LIFECYCLE_H

#include "base/options.h"
#include "report/stats.h"

#include <stdbool.h>

struct ummgr_shim_api;

struct ummgr_process
{
  struct ummgr_options options;
  const struct ummgr_shim_api *shim; /* NULL: libgomp gets another plugin. */
  /* Cleared in the child of a fork and at the end: everything passes through
     to libgomp then.  Atomic.  */
  bool active;
};

extern struct ummgr_process ummgr_process;

static inline bool
ummgr_is_active (void)
{
  return __builtin_expect (__atomic_load_n (&ummgr_process.active,
					    __ATOMIC_RELAXED), 1);
}

/* The target region FUNCTION runs on the host, though not because the program asked
   for it: that is said once.  */
void ummgr_lifecycle_host_region (const void *function,
				  enum ummgr_stats_host why);

/* Tell the statistics of a run on DEVICES devices; the first call counts. */
void ummgr_lifecycle_start_stats (int devices);

#endif
