/* OpenMP's mappings: what a construct ends.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing beyond the manager it is handed, whose lock is held.  What
   makes mappings is in mapping.c.  */

#include "config.h"
#include "memory/mapping.h"
#include "memory/account.h"
#include "gomp/real.h"
#include "base/log.h"
#include "memory/kept.h"
#include "memory/linked.h"
#include "memory/plan.h"
#include "memory/storage.h"
#include "memory/unified.h"

#include <stdlib.h>

bool
ummgr_mapping_decrement (struct ummgr_object *object, bool delete_p)
{
  uint64_t id = object->manager->construct;
  if (object->counted != id)
    {
      object->counted = id;
      size_t before = object->refcount;
      object->refcount = delete_p || !before ? 0 : before - 1;
      if (before && !object->refcount)
	object->zeroed = id;
    }
  return object->zeroed == id;
}

/* Have libgomp forget OBJECT; false: it does not.  */
static bool
forget (struct ummgr_object *object)
{
  return object->linked ? ummgr_linked_unmap (object)
    : ummgr_real (omp_target_disassociate_ptr)
      ((const void *) object->view.base, object->manager->device) == 0;
}

static void
destroy (struct ummgr_object *object)
{
  struct ummgr_manager *manager = object->manager;
  if (object->copy.storage == UMMGR_STORAGE_LIBGOMP)
    ummgr_account_close (object);
  else
    {
      ummgr_objects_remove (&manager->placed, object->copy.address);
      ummgr_plan_unmap (object);
      ummgr_account_close (object);
      if (!manager->gone && !forget (object))
	/* Freeing what libgomp still refers to would be worse.  */
	ummgr_warn ("mapping: libgomp keeps [%#lx, +%zu); its device copy is "
		    "not freed", (unsigned long) object->view.base,
		    object->view.size);
      else
	ummgr_storage_destroy (object);
    }
  ummgr_object_drop (object);
}

void
ummgr_mapping_release (struct ummgr_object *object)
{
  if (object->life != UMMGR_OBJECT_LIVE)
    return;
  ummgr_objects_remove (&object->manager->mapped, object->view.base);
  if (object->holders)
    object->life = UMMGR_OBJECT_DOOMED;
  else
    destroy (object);
}

void
ummgr_mapping_unhold (struct ummgr_object *object)
{
  object->holders--;
  if (object->life == UMMGR_OBJECT_DOOMED && !object->holders)
    destroy (object);
}

void
ummgr_mapping_run (struct ummgr_mapping *construct)
{
  for (size_t i = 0; i < construct->object_count; i++)
    {
      struct ummgr_object *object
	= (struct ummgr_object *) construct->objects[i];
      object->view.running++;
      if (object->copy.state == UMMGR_COPY_NEW)
	object->copy.state = UMMGR_COPY_USED;
      object->holders++;
    }
}

void
ummgr_mapping_ran (struct ummgr_mapping *construct)
{
  for (size_t i = 0; i < construct->object_count; i++)
    construct->objects[i]->running--;
}

bool
ummgr_mapping_goes_out (const struct ummgr_mapping *construct, const struct ummgr_object *object)
{
  for (size_t i = 0; i < construct->count; i++)
    if (construct->entries[i].object == object && construct->entries[i].copy_out
	&& construct->entries[i].size == object->view.size)
      return true;
  return false;
}

/* What the program computed can't be had: end it, as libgomp does.  A wrong
   result is worse than none.  */
__attribute__ ((noreturn)) static void
end_program (const struct ummgr_object *object, const struct ummgr_entry *e)
{
  ummgr_error ("mapping: copying [%#lx, +%zu) back from device %d failed, and "
	       "the program can't go on without it; UMMGR_POLICY=explicit shows "
	       "whether libgomp alone can copy it",
	       (unsigned long) (object->view.base + e->lo), e->size,
	       object->view.device);
  exit (EXIT_FAILURE);
}

static bool
is_unified (const struct ummgr_object *object)
{
  return object->view.path == UMMGR_PATH_UNIFIED;
}

/* Nothing maps unified OBJECT any more.  If that brings it BACK, what the device has of it goes home; else others may
   have its room.  */
static void
unified_over (struct ummgr_object *object, bool back)
{
  object->view.over = true;
  if (back && object->life == UMMGR_OBJECT_LIVE)
    ummgr_plan_over (object);
}

/* A clause E of `target data' on unified memory ends.  */
static void
unmap_unified (const struct ummgr_mapping *construct, const struct ummgr_entry *e)
{
  /* Another device's manager has it now, whose lock is not held.  */
  if (e->object->manager == construct->manager && ummgr_mapping_decrement (e->object, false))
    unified_over (e->object, e->copy_out);
}

/* gomp_unmap_vars_internal: every clause of an object whose count this
   construct brings to zero is copied, then the object goes.  `always' clauses
   libgomp has copied itself, but for those that were hidden from it.  */
static void
unmap (struct ummgr_mapping *construct)
{
  construct->manager->construct++;
  for (size_t i = 0; i < construct->count; i++)
    {
      const struct ummgr_entry *e = &construct->entries[i];
      struct ummgr_object *object = e->object;
      if (is_unified (object))
	{
	  unmap_unified (construct, e);
	  continue;
	}
      bool zero = ummgr_mapping_decrement (object, false);
      if (!(e->always || (zero && e->copy_out))
	  || object->life != UMMGR_OBJECT_LIVE)
	continue;
      if (object->copy.storage == UMMGR_STORAGE_LIBGOMP)
	ummgr_account_copied (object, 0, e->size);
      else if (!e->always && e->size == object->view.size && ummgr_kept_puts_off (object))
	continue;
      else if (ummgr_storage_copy_out (object, e->lo, e->size) != UMMGR_OK
	       /* While the program exits, the device goes under other
		  threads.  */
	       && !construct->manager->gone)
	end_program (object, e);
    }
}

void
ummgr_mapping_end (struct ummgr_mapping *construct)
{
  unmap (construct);
  /* Holders first: what a construct itself holds may go with it.  */
  for (size_t i = 0; i < construct->object_count; i++)
    ummgr_mapping_unhold ((struct ummgr_object *) construct->objects[i]);
  for (size_t i = 0; i < construct->count; i++)
    {
      struct ummgr_object *object = construct->entries[i].object;
      if (object->zeroed == construct->manager->construct && !is_unified (object))
	ummgr_mapping_release (object);
    }
  ummgr_mapping_forget (construct);
}

/* Clause I of `exit data' ends a mapping of OBJECT, and copies if the count
   gets to zero.  libgomp would not copy, as it counts to infinity.  Where it
   has attached pointers it must: only it knows which.  */
static unsigned short
exit_object (struct ummgr_mapping *construct,
	     const struct ummgr_clauses *clauses, size_t i,
	     struct ummgr_object *object)
{
  unsigned short given = clauses->kinds[i];
  int kind = given & UMMGR_MAP_KIND_MASK;
  bool zero
    = ummgr_mapping_decrement (object, kind == UMMGR_MAP_DELETE
			       || kind
			       == UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION);
  if (!zero)
    return given;
  ummgr_mapping_add (construct, object, 0, 0, false);
  if (kind != UMMGR_MAP_FROM)
    return given;
  uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
  size_t size = clauses->sizes[i], lo = address - object->view.base;
  if (object->copy.storage == UMMGR_STORAGE_LIBGOMP)
    ummgr_account_copied (object, 0, size);
  else if (object->attached || address < object->view.base
	   || lo + size > object->view.size
	   || ummgr_storage_copy_out (object, lo, size) != UMMGR_OK)
    return (given & ~UMMGR_MAP_KIND_MASK) | UMMGR_MAP_ALWAYS_FROM;
  return given;
}

/* A clause of KIND of `exit data' is on unified OBJECT.  */
static void
exit_unified (struct ummgr_object *object, int kind)
{
  bool all = kind == UMMGR_MAP_DELETE || kind == UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION;
  bool counts = all || kind == UMMGR_MAP_FROM || kind == UMMGR_MAP_RELEASE;
  if (counts && ummgr_mapping_decrement (object, all))
    unified_over (object, kind == UMMGR_MAP_FROM);
}

void
ummgr_mapping_exit (struct ummgr_mapping *construct,
		    const struct ummgr_clauses *clauses,
		    unsigned short *kinds)
{
  struct ummgr_manager *manager = construct->manager;
  manager->construct++;
  for (size_t i = 0; i < clauses->count; i++)
    {
      uintptr_t address = (uintptr_t) clauses->hostaddrs[i];
      size_t size = clauses->sizes[i];
      struct ummgr_object *object = NULL;
      kinds[i] = clauses->kinds[i];
      switch (kinds[i] & UMMGR_MAP_KIND_MASK)
	{
	case UMMGR_MAP_FROM:
	case UMMGR_MAP_ALWAYS_FROM:
	case UMMGR_MAP_DELETE:
	case UMMGR_MAP_RELEASE:
	  object = ummgr_mapping_lookup (manager, address, size);
	  break;
	case UMMGR_MAP_ZERO_LEN_ARRAY_SECTION:
	case UMMGR_MAP_DELETE_ZERO_LEN_ARRAY_SECTION:
	  object = ummgr_objects_overlap (&manager->mapped, address,
					  size ? size : 1);
	  break;
	default:
	  break;
	}
      if (object)
	kinds[i] = exit_object (construct, clauses, i, object);
      else if (address && (object = ummgr_unified_find (manager, address)))
	exit_unified (object, kinds[i] & UMMGR_MAP_KIND_MASK);
    }
}

void
ummgr_mapping_exit_end (struct ummgr_mapping *construct)
{
  for (size_t i = 0; i < construct->count; i++)
    ummgr_mapping_release (construct->entries[i].object);
  ummgr_mapping_forget (construct);
}
