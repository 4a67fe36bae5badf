/* Start and end of the library.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "report/stats.h"

/* The target region FUNCTION runs on the host, though not because the program asked
   for it: that is said once.  */
void ummgr_lifecycle_host_region (const void *function,
				  enum ummgr_stats_host why);
