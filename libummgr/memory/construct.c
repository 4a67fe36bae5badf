/* The memory of a construct: its clauses and objects.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing beyond the construct it is handed.  Most constructs have few
   clauses and allocate nothing.  */

#include "config.h"
#include "memory/account.h"
#include "memory/mapping.h"

#include <stdlib.h>
#include <string.h>

void
ummgr_mapping_init (struct ummgr_mapping *construct,
		      struct ummgr_manager *manager, const void *site,
		      bool region)
{
  construct->manager = manager;
  construct->site = site;
  construct->region = region;
  construct->count = 0;
  construct->capacity = UMMGR_MAPPING_INLINE;
  construct->entries = construct->few_entries;
  construct->object_count = 0;
  construct->object_capacity = UMMGR_MAPPING_INLINE;
  construct->objects = construct->few_objects;
  construct->previous = NULL;
}

void
ummgr_mapping_fini (struct ummgr_mapping *construct)
{
  if (construct->entries != construct->few_entries)
    free (construct->entries);
  if (construct->objects != construct->few_objects)
    free (construct->objects);
}

/* Double LIST of CAPACITY elements of SIZE bytes, which is FEW at first.  */
static void *
grow (void *list, void *few, size_t *capacity, size_t size)
{
  size_t old = *capacity * size;
  void *grown = realloc (list == few ? NULL : list, 2 * old);
  if (!grown)
    return NULL;
  if (list == few)
    memcpy (grown, few, old);
  *capacity *= 2;
  return grown;
}

bool
ummgr_mapping_add (struct ummgr_mapping *construct,
		     struct ummgr_object *object, size_t lo, size_t size,
		     bool copy_out)
{
  if (construct->count == construct->capacity)
    {
      void *grown = grow (construct->entries, construct->few_entries,
			  &construct->capacity, sizeof *construct->entries);
      if (!grown)
	return false;
      construct->entries = grown;
    }
  construct->entries[construct->count++]
    = (struct ummgr_entry) { object, lo, size, copy_out, false };
  object->references++;
  return true;
}

static void
list_object (struct ummgr_mapping *construct, struct ummgr_object *object)
{
  if (construct->object_count == construct->object_capacity)
    {
      void *grown = grow (construct->objects, construct->few_objects,
			  &construct->object_capacity,
			  sizeof *construct->objects);
      /* The policy misses a use, no more.  */
      if (!grown)
	return;
      construct->objects = grown;
    }
  construct->objects[construct->object_count++] = &object->view;
  object->references++;
}

void
ummgr_mapping_use (struct ummgr_mapping *construct,
		     struct ummgr_object *object)
{
  uint64_t id = construct->manager->construct;
  object->view.over = false;
  if (!construct->region || object->listed == id)
    return;
  object->listed = id;
  ummgr_account_use (object);
  if (object->copy.storage != UMMGR_STORAGE_LIBGOMP)
    list_object (construct, object);
}

void
ummgr_mapping_hold (struct ummgr_mapping *construct,
		      struct ummgr_object *object)
{
  size_t before = construct->object_count;
  list_object (construct, object);
  object->holders += construct->object_count - before;
}

void
ummgr_mapping_forget (struct ummgr_mapping *construct)
{
  for (size_t i = 0; i < construct->count; i++)
    ummgr_object_unreference (construct->entries[i].object);
  for (size_t i = 0; i < construct->object_count; i++)
    ummgr_object_unreference ((struct ummgr_object *) construct->objects[i]);
  construct->count = construct->object_count = 0;
}
