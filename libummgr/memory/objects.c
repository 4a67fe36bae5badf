/* Data objects, and the table that finds them by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the tables' arrays and the counter of ids.  Knows no policy and
   no libgomp.  */

#include "config.h"
#include "memory/objects.h"
#include "memory/object-pool.h"

#include <Judy.h>
#include <stdlib.h>

static uint64_t last_id;

void
ummgr_objects_init (struct ummgr_objects *table)
{
  table->by_base = NULL;
  table->count = 0;
  pthread_rwlock_init (&table->lock, NULL);
}

void
ummgr_objects_clear (struct ummgr_objects *table)
{
  pthread_rwlock_wrlock (&table->lock);
  JudyLFreeArray (&table->by_base, PJE0);
  __atomic_store_n (&table->count, 0, __ATOMIC_RELAXED);
  pthread_rwlock_unlock (&table->lock);
}

bool
ummgr_objects_insert (struct ummgr_objects *table, uintptr_t base,
		      struct ummgr_object *object)
{
  pthread_rwlock_wrlock (&table->lock);
  PPvoid_t slot = JudyLIns (&table->by_base, base, PJE0);
  bool ok = slot && slot != PPJERR;
  if (ok)
    {
      *slot = object;
      __atomic_store_n (&table->count, table->count + 1, __ATOMIC_RELAXED);
    }
  pthread_rwlock_unlock (&table->lock);
  return ok;
}

void
ummgr_objects_remove (struct ummgr_objects *table, uintptr_t base)
{
  pthread_rwlock_wrlock (&table->lock);
  if (JudyLDel (&table->by_base, base, PJE0) == 1)
    __atomic_store_n (&table->count, table->count - 1, __ATOMIC_RELAXED);
  pthread_rwlock_unlock (&table->lock);
}

/* The object with the greatest key not above ADDRESS, and its key: the range
   of a table by device address begins there, not at the object's base.  */
static struct ummgr_object *
last_below (struct ummgr_objects *table, uintptr_t address, uintptr_t *key_p)
{
  Word_t key = address;
  pthread_rwlock_rdlock (&table->lock);
  PPvoid_t slot = JudyLLast (table->by_base, &key, PJE0);
  struct ummgr_object *object = slot && slot != PPJERR ? *slot : NULL;
  pthread_rwlock_unlock (&table->lock);
  *key_p = key;
  return object;
}

struct ummgr_object *
ummgr_objects_find (struct ummgr_objects *table, uintptr_t address)
{
  uintptr_t key;
  if (!ummgr_objects_count (table))
    return NULL;
  struct ummgr_object *object = last_below (table, address, &key);
  return object && address - key < object->view.size ? object : NULL;
}

struct ummgr_object *
ummgr_objects_overlap (struct ummgr_objects *table, uintptr_t address,
		       size_t size)
{
  uintptr_t key;
  if (!ummgr_objects_count (table))
    return NULL;
  struct ummgr_object *object = last_below (table, address + size - 1, &key);
  return object && (key >= address || address - key < object->view.size)
    ? object : NULL;
}

struct ummgr_object *
ummgr_objects_next (struct ummgr_objects *table, uintptr_t address)
{
  Word_t key = address;
  pthread_rwlock_rdlock (&table->lock);
  PPvoid_t slot = JudyLFirst (table->by_base, &key, PJE0);
  struct ummgr_object *object = slot && slot != PPJERR ? *slot : NULL;
  pthread_rwlock_unlock (&table->lock);
  return object;
}

uint64_t
ummgr_object_number (void)
{
  return __atomic_add_fetch (&last_id, 1, __ATOMIC_RELAXED);
}

struct ummgr_object *
ummgr_object_new (uintptr_t base, size_t size, int device,
		  enum ummgr_data_path path)
{
  struct ummgr_object *object = ummgr_object_pool_take ();
  if (!object)
    return NULL;
  object->view.id = ummgr_object_number ();
  object->view.base = base;
  object->view.size = size;
  object->view.device = device;
  object->view.path = path;
  object->view.copies = &object->copy;
  object->view.placed = &object->copy.placed;
  object->copy.device = ummgr_device_of (device);
  return object;
}

void
ummgr_object_drop (struct ummgr_object *object)
{
  free (object->glimpses);
  object->glimpses = NULL;
  free (object->laid);
  object->laid = NULL;
  object->life = UMMGR_OBJECT_DEAD;
  if (!object->references)
    ummgr_object_pool_give (object);
}

void
ummgr_object_unreference (struct ummgr_object *object)
{
  if (--object->references == 0 && object->life == UMMGR_OBJECT_DEAD)
    ummgr_object_pool_give (object);
}
