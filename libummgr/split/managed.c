/* Objects in managed memory, by what a launch is given.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "split/managed.h"

#include "memory/unified.h"

struct ummgr_object *
ummgr_managed_at (struct ummgr_manager *manager, uintptr_t address, size_t size)
{
  struct ummgr_object *object = ummgr_unified_any ()
    ? ummgr_unified_use (manager, address, false) : NULL;
  if (!object || object->opaque)
    object = ummgr_objects_find (&manager->mapped, address);
  if (!object || !ummgr_copy_is_managed (&object->copy)
      || address - object->view.base > object->view.size
      || size > object->view.size - (address - object->view.base))
    return NULL;
  return object;
}

struct ummgr_object *
ummgr_managed_by_value (struct ummgr_manager *manager, uintptr_t value)
{
  struct ummgr_object *object = NULL;
  if (ummgr_unified_any () && value)
    object = ummgr_unified_use (manager, value, false);
  if (!object && value)
    object = ummgr_objects_find (&manager->placed, value);
  return object && ummgr_copy_is_managed (&object->copy) ? object : NULL;
}

struct ummgr_interval
ummgr_managed_kept (const struct ummgr_object *object)
{
  const struct ummgr_placed *placed = &object->copy.placed;
  int64_t size = (int64_t) object->view.size;
  return placed->place == UMMGR_PLACE_HOST ? (struct ummgr_interval) { 0, 0 }
    : placed->place == UMMGR_PLACE_DEVICE
      ? (struct ummgr_interval) { (int64_t) placed->lo, (int64_t) placed->hi }
    : (struct ummgr_interval) { 0, size };
}
