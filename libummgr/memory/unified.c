/* Managed memory that host code and regions share by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the table of such memory.  An object belongs to one device's manager
   at a time, the last that used it; what it is to libgomp is noted for each
   device.  Moves nothing: plan.c does.  */

#include "config.h"
#include "memory/unified.h"
#include "ummgr.h"
#include "memory/account.h"
#include "memory/holdings.h"
#include "device/device.h"
#include "gomp/abi.h"
#include "gomp/real.h"
#include "base/process.h"
#include "base/log.h"
#include "memory/plan.h"
#include "memory/storage.h"
#include "record/record.h"

#include <errno.h>
#include <stdlib.h>

static struct ummgr_objects table = { .lock = PTHREAD_RWLOCK_INITIALIZER };

bool
ummgr_unified_any (void)
{
  return ummgr_objects_count (&table) != 0;
}

size_t
ummgr_unified_count (void)
{
  return ummgr_objects_count (&table);
}

struct ummgr_object *
ummgr_unified_next (uintptr_t address)
{
  return ummgr_objects_next (&table, address);
}

bool
ummgr_unified_owns (const void *ptr)
{
  struct ummgr_object *object = ummgr_objects_find (&table, (uintptr_t) ptr);
  return object && object->view.base == (uintptr_t) ptr && object->associated;
}

void *
ummgr_unified_alloc (struct ummgr_manager *manager, size_t size,
		     bool target_alloc, const void *caller, uint64_t site)
{
  struct ummgr_object *object
    = ummgr_object_new (0, size, manager->device, UMMGR_PATH_UNIFIED);
  if (!object)
    return NULL;
  object->target_alloc = object->view.devices = target_alloc;
  object->manager = manager;
  if (ummgr_storage_managed (object) != UMMGR_OK)
    {
      ummgr_object_drop (object);
      return NULL;
    }
  uintptr_t base = object->view.base;
  ummgr_record_managed ((void *) base, size);
  pthread_mutex_lock (&manager->lock);
  ummgr_plan_unified (object);
  ummgr_account_open (object, caller);
  ummgr_account_site (object, site);
  bool ok = ummgr_objects_insert (&table, base, object);
  if (!ok)
    {
      ummgr_plan_unmap (object);
      ummgr_account_close (object);
      ummgr_storage_destroy (object);
      ummgr_object_drop (object);
    }
  pthread_mutex_unlock (&manager->lock);
  return ok ? (void *) base : NULL;
}

static void
disassociate (struct ummgr_object *object)
{
  for (int device = 0; object->associated; device++)
    if (object->associated >> device & 1)
      {
	object->associated &= ~((uint64_t) 1 << device);
	ummgr_record_absent (object->view.base, object->view.size, device);
	struct ummgr_manager *manager = ummgr_manager_existing (device);
	if (manager && !manager->gone)
	  ummgr_real (omp_target_disassociate_ptr)
	    ((const void *) object->view.base, device);
      }
}

bool
ummgr_unified_free (void *ptr, bool target_alloc)
{
  struct ummgr_object *object = ummgr_objects_find (&table, (uintptr_t) ptr);
  if (!object || object->view.base != (uintptr_t) ptr
      || object->target_alloc != target_alloc)
    return false;
  /* In the child of a fork the memory is the parent's.  */
  if (!ummgr_is_active ())
    return true;
  struct ummgr_manager *manager = object->manager;
  pthread_mutex_lock (&manager->lock);
  ummgr_objects_remove (&table, object->view.base);
  disassociate (object);
  ummgr_record_managed_free (ptr);
  ummgr_plan_unmap (object);
  ummgr_account_close (object);
  ummgr_storage_destroy (object);
  ummgr_object_drop (object);
  pthread_mutex_unlock (&manager->lock);
  return true;
}

/* OBJECT is used on MANAGER's device, but belongs to another's.  */
static bool
rehome (struct ummgr_manager *manager, struct ummgr_object *object)
{
  struct ummgr_manager *old = object->manager;
  /* Against the lock order between managers: hence try.  */
  if (pthread_mutex_trylock (&old->lock) != 0)
    return false;
  bool free = !object->view.running && !object->holders;
  if (free)
    {
      ummgr_plan_unmap (object);
      object->manager = manager;
      object->view.device = manager->device;
      object->copy.device = ummgr_device_of (manager->device);
      /* Advice stays with the memory; that on the new device is its own.  */
      object->copy.settled = false;
      object->remedies = 0;
      object->remedies_sought = false;
      object->counted = object->zeroed = object->listed = 0;
    }
  pthread_mutex_unlock (&old->lock);
  if (free)
    ummgr_plan_unified (object);
  return free;
}

struct ummgr_object *
ummgr_unified_use (struct ummgr_manager *manager, uintptr_t address,
		   bool associate)
{
  struct ummgr_object *object = ummgr_objects_find (&table, address);
  if (!object)
    return NULL;
  if (associate && !object->opaque
      && !(object->associated >> manager->device & 1)
      && ummgr_real (omp_target_associate_ptr)
      ((const void *) object->view.base, (const void *) object->view.base,
       object->view.size, 0, manager->device) == 0)
    {
      object->associated |= (uint64_t) 1 << manager->device;
      ummgr_record_present ((const void *) object->view.base, object->view.base,
			    object->view.size, manager->device, false);
    }
  if (object->manager != manager && !rehome (manager, object))
    return NULL;
  return object;
}

struct ummgr_object *
ummgr_unified_find (struct ummgr_manager *manager, uintptr_t address)
{
  struct ummgr_object *object
    = ummgr_unified_any () ? ummgr_objects_find (&table, address) : NULL;
  return object && object->manager == manager ? object : NULL;
}

bool
ummgr_unified_within (uintptr_t address, size_t size)
{
  return ummgr_unified_any () && ummgr_objects_overlap (&table, address, size);
}

void
ummgr_unified_close (struct ummgr_manager *manager)
{
  uintptr_t address = 0;
  struct ummgr_object *object;
  while ((object = ummgr_objects_next (&table, address)))
    {
      address = object->view.base + 1;
      if (object->manager == manager)
	{
	  ummgr_account_held (object, ummgr_holdings_of (object, manager->device));
	  ummgr_account_close (object);
	}
      if (address == 0)
	break;
    }
}

void
ummgr_unified_host_next (const void *ptr)
{
  /* Another thread may free what is found, but not under its manager's lock.  */
  if (!ummgr_objects_find (&table, (uintptr_t) ptr))
    return;
  for (int i = 0; i < UMMGR_DEVICES_MAX; i++)
    {
      struct ummgr_manager *manager = ummgr_manager_existing (i);
      if (!manager || !manager->executor.policy->hints)
	continue;
      pthread_mutex_lock (&manager->lock);
      struct ummgr_object *object
	= manager->gone ? NULL : ummgr_objects_find (&table, (uintptr_t) ptr);
      bool found = object && object->manager == manager;
      if (found)
	ummgr_plan_host_next (object);
      pthread_mutex_unlock (&manager->lock);
      if (found)
	return;
    }
}

/* Public.  */

__attribute__ ((visibility ("default"))) void
__ummgr_host_next (const void *ptr)
{
  if (ptr && ummgr_unified_any () && ummgr_is_active ())
    ummgr_unified_host_next (ptr);
}

__attribute__ ((visibility ("default"))) void *
ummgr_malloc (size_t size)
{
  struct ummgr_manager *manager
    = ummgr_is_active () && ummgr_real_load ()
    ? ummgr_manager_for (UMMGR_DEVICE_ICV) : NULL;
  void *ptr = NULL;
  if (manager && ummgr_manager_prepare (manager))
    ptr = ummgr_unified_alloc (manager, size ? size : 1, false,
			       __builtin_return_address (0), 0);
  if (!ptr)
    ptr = malloc (size ? size : 1);
  if (!ptr)
    errno = ENOMEM;
  return ptr;
}

__attribute__ ((visibility ("default"))) void
ummgr_free (void *ptr)
{
  if (ptr && !ummgr_unified_free (ptr, false))
    free (ptr);
}
