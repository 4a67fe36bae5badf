/* Variables that are declared with `declare target link'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The device's code has a pointer to such a variable, which libgomp sets as it maps the variable;
   it takes no association instead.  So libgomp maps it, in memory of ours, and counts that mapping
   as one; that its code has the address, no program tells.  With the manager's lock.  */

#pragma once

#include "memory/objects.h"

/* Is what is mapped from ADDRESS on, SIZE bytes, such a one from its beginning?  Whether libgomp
   has mapped it already shows in ummgr_linked_map.  */
bool ummgr_linked_is (uintptr_t address, size_t size);

/* Have libgomp map OBJECT, which has storage and stays where that is; false: it does not.  And
   unmap it, if it has not done so; false: it still refers to the storage.  */
bool ummgr_linked_map (struct ummgr_object *object);
bool ummgr_linked_unmap (struct ummgr_object *object);
