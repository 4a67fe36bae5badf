/* Where pointers lead that libgomp has attached: the device's copies of them, in structs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Knows only pointers to objects, and forgets none when it is detached, so what it says is a guess
   and to be looked for among the objects.  The manager's lock is held.  */

#pragma once

#include "memory/manager.h"

#pragma GCC visibility push(hidden)

/* The device's copy of the pointer at SLOT leads to that of TARGET, both on the host; TARGET 0:
   nobody knows where.  */
void ummgr_attached_note (struct ummgr_manager *manager, uintptr_t slot, uintptr_t target);

/* The host's address of what it leads to, or 0.  */
uintptr_t ummgr_attached_to (const struct ummgr_manager *manager, uintptr_t slot);

void ummgr_attached_clear (struct ummgr_manager *manager);

#pragma GCC visibility pop
