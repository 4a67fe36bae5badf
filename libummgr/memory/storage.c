/* The memory that stands for an object on its device.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns no state beyond the objects it is handed.  Decides nothing: plan.c
   does what policies say, mapping.c what OpenMP says.  */

#include "config.h"
#include "memory/storage.h"
#include "device/device.h"
#include "gomp/real.h"
#include "base/glimpse.h"
#include "base/log.h"
#include "memory/kept.h"
#include "memory/manager.h"
#include "memory/parts.h"
#include "memory/small.h"
#include "memory/staging.h"
#include "record/record.h"
#include "topology/near.h"
#include "trace/format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define LEAST_GLIMPSED 65536	/* Bytes of an object.  */

static enum ummgr_device_memory
memory_kind (enum ummgr_storage storage)
{
  return storage == UMMGR_STORAGE_PLAIN ? UMMGR_DEVICE_PLAIN
    : storage == UMMGR_STORAGE_PINNED ? UMMGR_DEVICE_PINNED
    : UMMGR_DEVICE_MANAGED;
}

static enum ummgr_storage
storage_for (const struct ummgr_object *object,
	     const struct ummgr_decision *decision)
{
  const struct ummgr_manager *manager = object->manager;
  bool whole = decision->lo == 0 && decision->hi >= object->view.size;
  /* What has to stay where it is can become managed memory no more.  */
  bool plain = manager->plain_copies
	       || (manager->plain_first && decision->plain && !object->linked);
  if (manager->executor.paged && (!plain || !whole || decision->place == UMMGR_PLACE_ANY))
    return UMMGR_STORAGE_MANAGED;
  return decision->place == UMMGR_PLACE_HOST ? UMMGR_STORAGE_PINNED
    : UMMGR_STORAGE_PLAIN;
}

/* No eviction helps: it is the host's memory, or address space.  */
static void
no_managed (int device, size_t size)
{
  ummgr_warn_once ("device %d: no managed memory for %zu bytes: such data is"
		   " handled as without ummgr (is there a limit, ulimit -v?)",
		   device, size);
}

/* What is to be on the device is sent there: less than a page takes less time than
   a fault.  */
static enum ummgr_small_kind
small_kind (enum ummgr_place place)
{
  return place == UMMGR_PLACE_HOST ? UMMGR_SMALL_HOST
    : place == UMMGR_PLACE_DEVICE ? UMMGR_SMALL_COPIED : UMMGR_SMALL_DEMAND;
}

/* Have OBJECT's memory from where many share pages, as its neighbours in KIND.  */
static enum ummgr_status
share (struct ummgr_object *object, enum ummgr_small_kind kind)
{
  struct ummgr_object_view *view = &object->view;
  enum ummgr_status status
    = ummgr_small_alloc (view->device, kind, view->size, &object->copy.address,
			 &object->copy.chunk);
  object->copy.host = object->copy.address;
  view->pinned = status == UMMGR_OK;
  return status;
}

/* Does OBJECT share pages in STORAGE, but for a few that have their own?  */
static bool
is_small (const struct ummgr_object *object, enum ummgr_storage storage)
{
  return memory_kind (storage) == UMMGR_DEVICE_MANAGED
	 && object->manager->executor.paged
	 && object->view.size <= UMMGR_SMALL_MOST;
}

static void
storage_is (struct ummgr_object *object, enum ummgr_storage storage)
{
  object->copy.storage = storage;
  object->view.plain = storage == UMMGR_STORAGE_PLAIN;
}

static enum ummgr_status
allocate (struct ummgr_object *object, enum ummgr_storage storage,
	  enum ummgr_small_kind kind)
{
  struct ummgr_object_view *view = &object->view;
  struct ummgr_copy *copy = &object->copy;
  bool small = is_small (object, storage);
  bool own = small && ummgr_small_own (view->device);
  bool near = memory_kind (storage) == UMMGR_DEVICE_PINNED
    && ummgr_near_memory_begin (view->device);
  enum ummgr_status status = UMMGR_OK;
  if (small && !own)
    status = share (object, kind);
  else if (storage != UMMGR_STORAGE_PLAIN || !ummgr_kept_take (object))
    do
      status = copy->device->ops->alloc (copy->device, memory_kind (storage), view->size,
					 &copy->host, &copy->address);
    while (status == UMMGR_ERR_DEVMEM && ummgr_kept_drop (object->manager, false));
  ummgr_near_memory_end (near);
  if (status == UMMGR_ERR_DEVMEM
      && memory_kind (storage) == UMMGR_DEVICE_MANAGED)
    no_managed (view->device, view->size);
  if (status == UMMGR_OK)
    {
      storage_is (object, storage);
      object->manager->taken += view->size;
    }
  else if (own)
    ummgr_small_own_end (view->device);
  return status;
}

static void
place_all (struct ummgr_object *object, enum ummgr_place place)
{
  size_t size = object->view.size;
  ummgr_placed_change (&object->copy.placed, size, 0, size, place);
}

/* New OBJECT in shared pages is in PLACE, and stays there.  */
static void
note_shared (struct ummgr_object *object, enum ummgr_place place)
{
  struct ummgr_object_view *view = &object->view;
  if (place == UMMGR_PLACE_HOST)
    ummgr_record_advice (object->copy.address, view->size, UMMGR_TRACE_HOST,
			 UMMGR_TRACE_PREFERRED);
  if (place == UMMGR_PLACE_ANY)
    object->copy.transfer = UMMGR_TRANSFER_IMPLICIT;
  place_all (object, place);
}

enum ummgr_status
ummgr_storage_create (struct ummgr_object *object,
		      const struct ummgr_decision *decision)
{
  const struct ummgr_executor *executor = &object->manager->executor;
  struct ummgr_object_view *view = &object->view;
  enum ummgr_storage storage = storage_for (object, decision);
  enum ummgr_status status
    = allocate (object, storage, small_kind (decision->place));
  if (status != UMMGR_OK)
    return status;
  ummgr_record_present ((const void *) view->base, object->copy.address,
			view->size, view->device, false);
  if (object->copy.chunk)
    {
      note_shared (object, decision->place);
      return UMMGR_OK;
    }
  if (storage != UMMGR_STORAGE_MANAGED)
    {
      place_all (object, storage == UMMGR_STORAGE_PINNED ? UMMGR_PLACE_HOST
		 : UMMGR_PLACE_DEVICE);
      return UMMGR_OK;
    }
  /* The rest of a part is on the host.  Advice must not fail the program:
     without it the pages just move by demand.  */
  object->copy.placed.place = UMMGR_PLACE_ANY;
  ummgr_execute_managed (executor, &object->copy, decision->lo, decision->hi,
			 decision->place, decision->transfer);
  if (decision->lo > 0)
    ummgr_execute_managed (executor, &object->copy, 0, decision->lo,
			   UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE);
  if (decision->hi < view->size)
    ummgr_execute_managed (executor, &object->copy, decision->hi, view->size,
			   UMMGR_PLACE_HOST, UMMGR_TRANSFER_NONE);
  object->copy.transfer = decision->transfer;
  ummgr_placed_change (&object->copy.placed, view->size, decision->lo,
		       decision->hi, decision->place);
  return UMMGR_OK;
}

enum ummgr_status
ummgr_storage_managed (struct ummgr_object *object)
{
  enum ummgr_status status
    = allocate (object, UMMGR_STORAGE_UNIFIED, UMMGR_SMALL_DEMAND);
  if (status == UMMGR_OK)
    object->view.base = object->copy.address;
  return status;
}

void
ummgr_storage_destroy (struct ummgr_object *object)
{
  struct ummgr_device *device = object->copy.device;
  enum ummgr_storage storage = object->copy.storage;
  if (storage == UMMGR_STORAGE_LIBGOMP)
    return;
  bool stays = ummgr_kept_put (object);
  storage_is (object, UMMGR_STORAGE_LIBGOMP);
  /* Unified memory has no copy: unified.c says when it goes.  */
  if (storage != UMMGR_STORAGE_UNIFIED)
    ummgr_record_absent (object->copy.address, object->view.size,
			 object->view.device);
  object->manager->taken -= object->view.size;
  if (object->copy.chunk)
    ummgr_small_free (object->copy.chunk, object->copy.address);
  else if (!stays)
    {
      device->ops->free (device, memory_kind (storage), object->copy.host,
			 object->copy.address);
      if (is_small (object, storage))
	ummgr_small_own_end (object->view.device);
    }
  object->copy.chunk = NULL;
}

/* What of [LO, HI) the driver copies: what explicit placement put on the
   device.  The host copies the rest itself, as a program does with managed
   memory: pages that demand moves shall move by demand.  */
static void
driver_part (const struct ummgr_object *object, size_t *lo_p, size_t *hi_p)
{
  const struct ummgr_placed *placed = &object->copy.placed;
  if (object->copy.storage == UMMGR_STORAGE_PLAIN || !object->copy.host)
    return;
  if (!ummgr_copy_is_managed (&object->copy)
      || placed->place != UMMGR_PLACE_DEVICE)
    {
      if (object->manager->executor.paged
	  || !ummgr_copy_is_managed (&object->copy))
	*hi_p = *lo_p;
      return;
    }
  size_t lo = *lo_p > placed->lo ? *lo_p : placed->lo;
  size_t hi = *hi_p < placed->hi ? *hi_p : placed->hi;
  if (object->copy.transfer == UMMGR_TRANSFER_IMPLICIT || lo >= hi)
    *hi_p = *lo_p;
  else
    {
      *lo_p = lo;
      *hi_p = hi;
    }
}

/* The first page in [LO, HI), multiples of the page size, that is not mapped;
   0: all are.  */
static uintptr_t
find_hole (uintptr_t lo, uintptr_t hi, size_t page)
{
  if (msync ((void *) lo, hi - lo, MS_ASYNC) == 0 || errno != ENOMEM)
    return 0;
  while (hi - lo > page)
    {
      uintptr_t middle = lo + (hi - lo) / 2 / page * page;
      if (msync ((void *) lo, middle - lo, MS_ASYNC) == 0)
	lo = middle;
      else
	hi = middle;
    }
  return lo;
}

/* Copy bytes LO to HI between the program's memory and ours on the host.  What
   is not there ends the program, if it has no handler that mends it: so which
   map that is must be said before.  */
static void
copy_on_host (const struct ummgr_object *object, size_t lo, size_t hi, bool in)
{
  if (lo >= hi)
    return;
  char *theirs = (char *) object->view.base + lo;
  char *ours = (char *) object->copy.host + lo;
  size_t page = sysconf (_SC_PAGESIZE);
  uintptr_t first = (uintptr_t) theirs & -page;
  uintptr_t hole
    = find_hole (first, ((uintptr_t) theirs + hi - lo + page - 1) & -page, page);
  if (hole)
    ummgr_error ("map of %zu bytes at %p: there is no memory at %p (does the"
		 " clause name more than is allocated?)", object->view.size,
		 (void *) object->view.base, (void *) hole);
  ummgr_staging_move (object->copy.device, in ? ours : theirs, in ? theirs : ours, hi - lo, !in);
}

/* Copy [LO, HI) where the driver copies [FROM, TO) of it; that is done.  */
static void
copy_rest (struct ummgr_object *object, size_t lo, size_t from, size_t to, size_t hi, bool in)
{
  copy_on_host (object, lo, from, in);
  copy_on_host (object, to, hi, in);
  if (lo < from || to < hi)
    ummgr_parts_moved (object);
}

/* Copy SIZE bytes between OBJECT's storage from LO on and the program's memory.  */
static enum ummgr_status
copy_by_driver (const struct ummgr_object *object, size_t lo, size_t size, bool in)
{
  struct ummgr_device *device = object->copy.device;
  uintptr_t home = object->view.base + lo, there = object->copy.address + lo;
  if (object->copy.storage == UMMGR_STORAGE_PLAIN)
    return ummgr_staging_copy (object->manager, there, home, size, !in);
  return in ? device->ops->copy_in (device, there, (const void *) home, size)
    : device->ops->copy_out (device, (void *) home, there, size);
}

/* [LO, HI) of OBJECT is as on the host: keep a little of it where the device's memory is laid
   by what iterations use, which index arrays may say.  */
static void
glimpse (struct ummgr_object *object, size_t lo, size_t hi)
{
  const struct ummgr_device_ops *ops = object->copy.device->ops;
  if (object->view.size < LEAST_GLIMPSED || !ops->lay_by || !ops->lay_by (NULL))
    return;
  if (!object->glimpses && (object->glimpses = calloc (1, sizeof *object->glimpses)))
    object->glimpses->size = object->view.size;
  if (object->glimpses)
    ummgr_glimpses_take (object->glimpses, (const char *) object->view.base, lo, hi);
}

/* Copy SIZE bytes of OBJECT from LO on in.  */
static enum ummgr_status
copy_part_in (struct ummgr_object *object, size_t lo, size_t size)
{
  size_t from = lo, to = lo + size;
  driver_part (object, &from, &to);
  const char *source = (const char *) object->view.base;
  object->copy.filled = object->manager->construct;
  ummgr_record_copy_in (source + lo, object->copy.address + lo, size,
			object->view.device);
  if (ummgr_parts_copy (object, lo, lo + size, true, copy_on_host))
    {
      from = lo;
      to = lo + size;
      object->copied_in += size;
    }
  else if (from < to)
    {
      enum ummgr_status status = copy_by_driver (object, from, to - from, true);
      if (status != UMMGR_OK)
	return status;
      object->copied_in += to - from;
    }
  copy_rest (object, lo, from, to, lo + size, true);
  glimpse (object, lo, lo + size);
  return UMMGR_OK;
}

enum ummgr_status
ummgr_storage_copy_in (struct ummgr_object *object, size_t lo, size_t size)
{
  object->copy.filled = object->manager->construct;
  object->copy.useless = false;
  if (size != object->view.size)
    ummgr_kept_makes_up (object);
  else
    ummgr_parts_begin (object);
  return size == object->view.size ? ummgr_kept_fill (object, copy_part_in) : copy_part_in (object, lo, size);
}

enum ummgr_status
ummgr_storage_copy_out (struct ummgr_object *object, size_t lo, size_t size)
{
  if (size != object->view.size)
    ummgr_kept_makes_up (object);
  ummgr_kept_goes_out (object);
  size_t from = lo, to = lo + size;
  driver_part (object, &from, &to);
  char *target = (char *) object->view.base;
  if (ummgr_parts_copy (object, lo, lo + size, false, copy_on_host))
    {
      from = lo;
      to = lo + size;
      object->copied_out += size;
    }
  else if (from < to)
    {
      enum ummgr_status status = copy_by_driver (object, from, to - from, false);
      if (status != UMMGR_OK)
	return status;
      object->copied_out += to - from;
    }
  copy_rest (object, lo, from, to, lo + size, false);
  ummgr_record_copy_out (target + lo, object->copy.address + lo, size,
			 object->view.device);
  ummgr_kept_went_out (object, size == object->view.size);
  return UMMGR_OK;
}

bool
ummgr_storage_update (struct ummgr_object *object, size_t lo, size_t size, bool in)
{
  if (in)
    object->copy.useless = false;
  if (in && size == object->view.size)
    ummgr_parts_begin (object);
  if (!ummgr_parts_copy (object, lo, lo + size, in, copy_on_host))
    {
      ummgr_parts_moved (object);
      return false;
    }
  const void *theirs = (const char *) object->view.base + lo;
  (in ? ummgr_record_copy_in : ummgr_record_copy_out)
    (theirs, object->copy.address + lo, size, object->view.device);
  *(in ? &object->copied_in : &object->copied_out) += size;
  return true;
}

/* Copy all of OBJECT's old storage to that at HOST/ADDRESS of kind TO.  */
static enum ummgr_status
copy_storage (struct ummgr_object *object, enum ummgr_storage to,
	      uintptr_t host, uintptr_t address)
{
  struct ummgr_device *device = object->copy.device;
  size_t size = object->view.size;
  if (to == UMMGR_STORAGE_PLAIN)
    return device->ops->copy_in (device, address, (void *) object->copy.host,
				 size);
  return device->ops->copy_out (device, (void *) host, object->copy.address,
				size);
}

/* Tell libgomp that OBJECT is at ADDRESS now instead of at OLD.  */
static bool
reassociate (const struct ummgr_object *object, uintptr_t old,
	     uintptr_t address)
{
  const void *base = (const void *) object->view.base;
  int device = object->view.device;
  if (ummgr_real (omp_target_disassociate_ptr) (base, device) != 0)
    return false;
  if (ummgr_real (omp_target_associate_ptr) (base, (void *) address,
					     object->view.size, 0, device) == 0)
    return true;
  ummgr_real (omp_target_associate_ptr) (base, (void *) old,
					 object->view.size, 0, device);
  return false;
}

enum ummgr_status
ummgr_storage_move (struct ummgr_object_view *view, struct ummgr_copy *copy,
		    enum ummgr_place place)
{
  struct ummgr_object *object = (struct ummgr_object *) view;
  struct ummgr_manager *manager = object->manager;
  enum ummgr_storage to = place != UMMGR_PLACE_HOST ? UMMGR_STORAGE_PLAIN
    : manager->plain_first ? UMMGR_STORAGE_MANAGED : UMMGR_STORAGE_PINNED;
  if (object->copy.storage == to)
    return UMMGR_OK;
  if (object->holders || object->view.running || object->view.pinned || object->linked)
    return UMMGR_ERR_UNSUPPORTED;
  uintptr_t host, address;
  struct ummgr_device *device = object->copy.device;
  enum ummgr_status status
    = device->ops->alloc (device, memory_kind (to), object->view.size, &host,
			  &address);
  if (status != UMMGR_OK)
    return status;
  /* Where it is to stay, or the copy would go to the device's memory again.  */
  if (to == UMMGR_STORAGE_MANAGED && manager->executor.paged)
    device->ops->keep_on_host (device, address, object->view.size, true);
  if (copy->useless)
    /* It isn't what the host has, either.  */
    object->same = object->equal = false;
  else
    status = copy_storage (object, to, host, address);
  if (status == UMMGR_OK && !reassociate (object, object->copy.address, address))
    status = UMMGR_ERR_UNSUPPORTED;
  if (status != UMMGR_OK)
    {
      device->ops->free (device, memory_kind (to), host, address);
      return status;
    }
  if (to == UMMGR_STORAGE_MANAGED)
    ummgr_debug ("object %llu becomes managed memory", (unsigned long long) view->id);
  uintptr_t old_host = object->copy.host, old = object->copy.address;
  enum ummgr_storage from = object->copy.storage;
  ummgr_objects_remove (&manager->placed, old);
  storage_is (object, to);
  object->again = false;
  object->copy.host = host;
  object->copy.address = address;
  ummgr_objects_insert (&manager->placed, address, object);
  ummgr_record_moved (old, address, device->number);
  device->ops->free (device, memory_kind (from), old_host, old);
  return UMMGR_OK;
}

/* What of [LO, HI) of OBJECT is to be on the host gets pages there.  */
static void
populate (const struct ummgr_object *object, size_t lo, size_t hi)
{
  const struct ummgr_executor *executor = &object->manager->executor;
  const struct ummgr_placed *placed = &object->copy.placed;
  bool device = placed->place == UMMGR_PLACE_DEVICE;
  size_t before = device && placed->lo < hi ? placed->lo : hi, behind = device && placed->hi > lo ? placed->hi : lo;
  if (!executor->paged || placed->place == UMMGR_PLACE_ANY)
    return;
  /* Advice: without it the pages come by faults.  */
  ummgr_execute_home (executor, &object->copy, lo, before);
  if (device)
    ummgr_execute_home (executor, &object->copy, behind, hi);
}

void
ummgr_storage_populate (struct ummgr_object *object)
{
  if (object->copy.storage == UMMGR_STORAGE_MANAGED)
    populate (object, 0, object->view.size);
}

void
ummgr_storage_populate_used (struct ummgr_object *object, size_t lo, size_t hi)
{
  bool first = object->used_lo == object->used_hi;
  if (object->copy.storage != UMMGR_STORAGE_UNIFIED || (!first && object->used_lo <= lo && hi <= object->used_hi))
    return;
  populate (object, lo, hi);
  object->used_lo = first || lo < object->used_lo ? lo : object->used_lo;
  object->used_hi = first || hi > object->used_hi ? hi : object->used_hi;
}

void
ummgr_storage_pin (struct ummgr_object *object)
{
  /* Managed memory never changes its address.  */
  if (object->copy.storage == UMMGR_STORAGE_PLAIN
      || object->copy.storage == UMMGR_STORAGE_PINNED)
    object->view.pinned = true;
}
