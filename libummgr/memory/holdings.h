/* What a device holds of the program's objects, for the statistics.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All with the manager's lock.  */

#pragma once

#include "memory/manager.h"

/* Something may have come to MANAGER's device or left it: note what is there, if it is time
   for that.  DURING: it was so since the call that runs on the device began.  */
void ummgr_holdings_note (struct ummgr_manager *manager, bool during);

/* The same, whether it is time for that or not: the device is about to be closed, or the run
   to end.  */
void ummgr_holdings_last (struct ummgr_manager *manager);

/* Bytes that OBJECT has on DEVICE; 0 where it shares pages with others.  */
uint64_t ummgr_holdings_of (const struct ummgr_object *object, int device);
