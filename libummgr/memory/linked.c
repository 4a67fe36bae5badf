/* Variables that are declared with `declare target link'.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  gomp_map_vars_internal and gomp_exit_data of libgomp/target.c, GCC 12.2, are what
   this relies on.  */

#include "config.h"
#include "memory/linked.h"
#include "base/process.h"
#include "gomp/abi.h"
#include "gomp/real.h"
#include "gomp/shim-api.h"
#include "memory/manager.h"
#include "memory/statics.h"
#include "memory/storage.h"

bool
ummgr_linked_is (uintptr_t address, size_t size)
{
  uintptr_t base;
  size_t all;
  /* The pointer is set to where the section begins, and taken for the variable's address.  */
  return ummgr_statics_linked (address, &base, &all) && base == address && size <= all;
}

/* `enter data' or, with a KIND that only it has, `exit data'.  */
static void
construct (struct ummgr_object *object, unsigned short kind)
{
  void *host = (void *) object->view.base;
  size_t size = object->view.size;
  ummgr_real (GOMP_target_enter_exit_data)
    (object->view.device, 1, &host, &size, &kind,
     kind == UMMGR_MAP_ALLOC ? 0 : UMMGR_TARGET_FLAG_EXIT_DATA, NULL);
}

bool
ummgr_linked_map (struct ummgr_object *object)
{
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  int device = object->manager->device;
  if (!shim)
    return false;
  shim->lend (device, object->copy.address);
  construct (object, UMMGR_MAP_ALLOC);
  shim->lend (device, 0);
  bool mapped = shim->lent (device, object->copy.address);
  if (mapped)
    ummgr_storage_pin (object);
  else
    /* It was mapped, and has been counted once more.  */
    construct (object, UMMGR_MAP_RELEASE);
  return mapped;
}

bool
ummgr_linked_unmap (struct ummgr_object *object)
{
  const struct ummgr_shim_api *shim = ummgr_process.shim;
  int device = object->manager->device;
  /* What isn't mapped libgomp 12 would take for the pointer itself, and forget that.  */
  if (shim->lent (device, object->copy.address))
    construct (object, UMMGR_MAP_DELETE);
  return !shim->lent (device, object->copy.address);
}
