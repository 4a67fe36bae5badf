/* Managed memory that host code and regions share by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "memory/manager.h"
#include "memory/objects.h"

/* Allocate SIZE bytes for MANAGER's device, for the code at CALLER, which the tables know as SITE
   (0: they don't); NULL without memory.  The manager's lock is not held.  */
void *ummgr_unified_alloc (struct ummgr_manager *manager, size_t size,
			   bool target_alloc, const void *caller, uint64_t site);

/* Free PTR if it is the start of such memory: from omp_target_alloc if
   TARGET_ALLOC, else from ummgr_malloc.  False if it is not.  */
bool ummgr_unified_free (void *ptr, bool target_alloc);

/* The host goes over the object that holds PTR next: send home what the device
   has of it, if the policy reads hints and no region uses it.  Anything else
   does nothing.  */
void ummgr_unified_host_next (const void *ptr);

/* Is PTR the start of such memory, associated with a device by us?  */
bool ummgr_unified_owns (const void *ptr);

/* Any at all?  How many?  Takes no lock.  */
bool ummgr_unified_any (void);
size_t ummgr_unified_count (void);

/* That with the smallest base not below ADDRESS, or NULL.  */
struct ummgr_object *ummgr_unified_next (uintptr_t address);

/* Does any overlap [ADDRESS, +SIZE), SIZE above 0?  */
bool ummgr_unified_within (uintptr_t address, size_t size);

/* The object that holds ADDRESS, made MANAGER's, or NULL.  MANAGER's lock is
   held.  With ASSOCIATE, libgomp is told that the memory is its own device
   copy, as soon as a construct names it.  */
struct ummgr_object *ummgr_unified_use (struct ummgr_manager *manager,
					uintptr_t address, bool associate);

/* The object of MANAGER's, whose lock is held, that holds ADDRESS; or NULL.  */
struct ummgr_object *ummgr_unified_find (struct ummgr_manager *manager, uintptr_t address);

/* Account and forget what DEVICE's manager has, when the device goes.  */
void ummgr_unified_close (struct ummgr_manager *manager);

/* What instrumented code calls where no region uses what PTR points to before the
   host goes over it (gcc-plugin/announce/announce.cc).  Any thread; PTR may be anything.
   Exported.  */
void __ummgr_host_next (const void *ptr);
