/* The memory that stands for an object on its device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Only plan.c and mapping.c use it, under the manager's lock.  Views are
   updated after a success.  */

#pragma once

#include "memory/objects.h"
#include "base/status.h"

/* Give OBJECT (of path MAPPED, with its MANAGER set) storage as DECISION
   says.  UMMGR_ERR_DEVMEM without a message when memory is short.  */
enum ummgr_status ummgr_storage_create (struct ummgr_object *object,
					const struct ummgr_decision *decision);

/* Give a new unified OBJECT its memory, and with that its base.  */
enum ummgr_status ummgr_storage_managed (struct ummgr_object *object);

void ummgr_storage_destroy (struct ummgr_object *object);

/* Copy [LO, LO + SIZE) between the program's memory and the storage.  */
enum ummgr_status ummgr_storage_copy_in (struct ummgr_object *object,
					 size_t lo, size_t size);
enum ummgr_status ummgr_storage_copy_out (struct ummgr_object *object,
					  size_t lo, size_t size);

/* The same of an object in parts on several GPUs, in or out; false: it isn't, and the driver
   may copy it.  */
bool ummgr_storage_update (struct ummgr_object *object, size_t lo, size_t size, bool in);

/* Move an object between device memory and pinned host memory: new storage, copy,
   and a new association.  UMMGR_ERR_UNSUPPORTED, without a message, if it can't
   move now.  */
enum ummgr_status ummgr_storage_move (struct ummgr_object_view *view,
				      struct ummgr_copy *copy,
				      enum ummgr_place place);

/* The host has nothing in OBJECT's storage, and no region has used it: what of it
   is placed on the host gets its pages there, or each block would fault when the
   device first writes to it.  */
void ummgr_storage_populate (struct ummgr_object *object);

/* A region is about to write to [LO, HI) of OBJECT: where nobody has before, what of that is to be on the host gets its
   pages there, as faults would bring them one by one.  Of unified ones.  */
void ummgr_storage_populate_used (struct ummgr_object *object, size_t lo, size_t hi);

/* The object's device address got out of OpenMP's hands.  */
void ummgr_storage_pin (struct ummgr_object *object);
