/* Objects in managed memory, by what a launch is given.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   With the manager's lock; NULL where there is none.  */

#pragma once

#include "hints/footprint.h"
#include "memory/manager.h"

#include <stddef.h>
#include <stdint.h>

/* The object of ours that has all of [ADDRESS, +SIZE), as the host has it.  */
struct ummgr_object *ummgr_managed_at (struct ummgr_manager *manager, uintptr_t address,
				       size_t size);

/* What stays of OBJECT on the device; all, where nobody gave it a place.  */
struct ummgr_interval ummgr_managed_kept (const struct ummgr_object *object);

/* The one that VALUE is an address of on the device.  */
struct ummgr_object *ummgr_managed_by_value (struct ummgr_manager *manager, uintptr_t value);
