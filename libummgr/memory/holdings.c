/* What a device holds of the program's objects, for the statistics.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  Objects in shared pages, variables of images, and what libgomp allocates
   besides data are in what is used, and no object's.  */

#include "config.h"
#include "memory/holdings.h"
#include "memory/account.h"
#include "memory/unified.h"
#include "device/device.h"
#include "report/stats.h"

uint64_t
ummgr_holdings_of (const struct ummgr_object *object, int device)
{
  const struct ummgr_copy *copy = &object->copy;
  struct ummgr_device *on = ummgr_device_of (device);
  if (copy->chunk)
    return 0;
  switch (copy->storage)
    {
    case UMMGR_STORAGE_LIBGOMP:
      return object->view.path == UMMGR_PATH_MAPPED ? object->view.size : 0;
    case UMMGR_STORAGE_PLAIN:
      return object->view.size;
    case UMMGR_STORAGE_PINNED:
      return 0;
    default:
      return on->ops->range_held ? on->ops->range_held (on, copy->address) : 0;
    }
}

static void
add (const struct ummgr_object *object, int device, struct ummgr_stats_holdings *out)
{
  uint64_t bytes = ummgr_holdings_of (object, device);
  out->used += bytes;
  if (bytes)
    ummgr_stats_holdings_add (out, ummgr_account_number (object), bytes);
}

static void
look (const struct ummgr_manager *manager, bool during)
{
  struct ummgr_stats_holdings holdings = { .used = 0 };
  int device = manager->device;
  struct ummgr_device *d = ummgr_device_of (device);
  struct ummgr_object *object;
  uintptr_t address = 0;
  uint64_t free, total;
  while ((object = ummgr_objects_next ((struct ummgr_objects *) &manager->mapped, address)))
    {
      add (object, device, &holdings);
      address = object->view.base + 1;
    }
  address = 0;
  while ((object = ummgr_unified_next (address)))
    {
      uintptr_t next = object->view.base + 1;
      if (object->manager == manager)
	add (object, device, &holdings);
      /* Another manager's may be gone by now, and be something else.  */
      if (next <= address)
	break;
      address = next;
    }
  /* A device that doesn't tell what managed memory takes doesn't tell this process's share
     either.  */
  if (d->ops->range_held && d->ops->memory (d, &free, &total) == UMMGR_OK
      && total - free > holdings.used)
    holdings.used = total - free;
  ummgr_stats_memory_note (device, &holdings, during);
}

void
ummgr_holdings_last (struct ummgr_manager *manager)
{
  if (!manager->gone && ummgr_stats_memory_wanted ())
    look (manager, false);
}

void
ummgr_holdings_note (struct ummgr_manager *manager, bool during)
{
  size_t count = ummgr_objects_count (&manager->mapped) + ummgr_unified_count ();
  if (!manager->gone && ummgr_stats_memory_due (manager->device, count))
    look (manager, during);
}
