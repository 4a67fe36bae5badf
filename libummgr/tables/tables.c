/* The index of the loaded program's regions, by host function.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the list of tables ever seen and the hash index; both only grow, so
   that readers need no lock and what they were given stays valid.  A table
   that is unloaded and loaded again at its old address is taken up again, not
   kept twice.  Reads the notes of objects; never calls or writes into them. */

#include "config.h"
#include "tables/tables.h"

#include "base/fork.h"
#include "base/log.h"
#include "ummgr-table.h"

#include <elf.h>
#include <link.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Open addressing with linear probing, at most half full.  A key, once there,
   stays; REGION is NULL while its object is unloaded.  */
struct slot
{
  _Atomic uintptr_t key;
  _Atomic (const struct ummgr_table_region *) region;
};

struct index
{
  size_t mask;
  size_t used;
  struct index *older;	/* Still being read, perhaps: never freed.  */
  struct slot slots[];
};

/* A table, where it was found.  COPY tells whether what lies at ADDRESS later
   is still the same.  */
struct table
{
  struct table *next;
  uintptr_t address;
  size_t size;
  void *copy;
  struct ummgr_table_unit *unit;	/* NULL: refused.  */
  bool live;
  bool seen;		/* By the scan in progress.  */
};

/* Published by the scanner, read by anyone.  */
static _Atomic (struct index *) the_index;

/* All else is guarded by LOCK, which is taken before the loader's own.  */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct table *tables;
static struct ummgr_tables_count counts;
static unsigned long long scanned_adds, scanned_subs;

static size_t
slot_first (const struct index *index, uintptr_t key)
{
  /* Functions are aligned; the multiplication spreads what is left.  */
  return (key * (uintptr_t) 0x9e3779b97f4a7c15ull >> 20) & index->mask;
}

/* KEY's slot, or the free one where it would go.  */
static struct slot *
slot_find (struct index *index, uintptr_t key)
{
  for (size_t i = slot_first (index, key);; i = (i + 1) & index->mask)
    {
      struct slot *slot = &index->slots[i];
      uintptr_t there = atomic_load_explicit (&slot->key,
					      memory_order_acquire);
      if (there == key || there == 0)
	return slot;
    }
}

static void
slot_put (struct index *index, uintptr_t key,
	  const struct ummgr_table_region *region)
{
  struct slot *slot = slot_find (index, key);
  /* The region first: whoever sees the key sees it too.  */
  atomic_store_explicit (&slot->region, region, memory_order_release);
  if (atomic_load_explicit (&slot->key, memory_order_relaxed) == 0)
    {
      atomic_store_explicit (&slot->key, key, memory_order_release);
      index->used++;
    }
}

/* The index with room for one more key, or NULL without memory.  */
static struct index *
index_room (void)
{
  struct index *old = atomic_load_explicit (&the_index, memory_order_relaxed);
  if (old && 2 * (old->used + 1) <= old->mask + 1)
    return old;
  size_t size = old ? 2 * (old->mask + 1) : 64;
  struct index *index = calloc (1, sizeof *index + size * sizeof (struct slot));
  if (!index)
    return NULL;
  index->mask = size - 1;
  index->older = old;
  for (size_t i = 0; old && i <= old->mask; i++)
    {
      const struct ummgr_table_region *region
	= atomic_load_explicit (&old->slots[i].region, memory_order_relaxed);
      if (region)
	slot_put (index, (uintptr_t) region->host_function, region);
    }
  atomic_store_explicit (&the_index, index, memory_order_release);
  return index;
}

const struct ummgr_table_region *
ummgr_tables_region (const void *host_function)
{
  struct index *index = atomic_load_explicit (&the_index,
					      memory_order_acquire);
  if (!index || !host_function)
    return NULL;
  struct slot *slot = slot_find (index, (uintptr_t) host_function);
  return atomic_load_explicit (&slot->region, memory_order_acquire);
}

/* An object being scanned.  */
struct object
{
  const struct dl_phdr_info *info;
  const char *name;
};

/* Do SIZE bytes at ADDRESS lie in a loaded segment with the FLAGS?  */
static bool
object_has (const struct object *object, uintptr_t address, size_t size,
	    unsigned flags)
{
  for (int i = 0; i < object->info->dlpi_phnum; i++)
    {
      const ElfW(Phdr) *p = &object->info->dlpi_phdr[i];
      uintptr_t start = object->info->dlpi_addr + p->p_vaddr;
      if (p->p_type == PT_LOAD && (p->p_flags & flags) == flags
	  && address >= start && size <= p->p_memsz
	  && address - start <= p->p_memsz - size)
	return true;
    }
  return false;
}

/* Enter or re-enter TABLE's regions into the index.  */
static void
table_enter (struct table *table, const struct object *object)
{
  table->live = true;
  if (!table->unit)
    return;
  for (size_t i = 0; i < table->unit->region_count; i++)
    {
      const struct ummgr_table_region *region = &table->unit->regions[i];
      uintptr_t key = (uintptr_t) region->host_function;
      if (!object_has (object, key, 1, PF_X))
	{
	  ummgr_warn_once ("tables: %s: %s has no function at the address in "
			   "its table; it is left out", object->name,
			   region->name);
	  continue;
	}
      struct index *index = index_room ();
      if (!index)
	{
	  ummgr_warn_once ("tables: no memory for the index of regions");
	  return;
	}
      slot_put (index, key, region);
    }
  counts.tables++;
  counts.regions += table->unit->region_count;
}

/* Take the regions of an unloaded TABLE out of the index, unless another
   object's took their place.  */
static void
table_leave (struct table *table)
{
  table->live = false;
  if (!table->unit)
    return;
  struct index *index = atomic_load_explicit (&the_index,
					      memory_order_relaxed);
  for (size_t i = 0; index && i < table->unit->region_count; i++)
    {
      const struct ummgr_table_region *region = &table->unit->regions[i];
      uintptr_t key = (uintptr_t) region->host_function;
      struct slot *slot = key ? slot_find (index, key) : NULL;
      if (slot
	  && atomic_load_explicit (&slot->region, memory_order_relaxed)
	     == region)
	atomic_store_explicit (&slot->region, NULL, memory_order_release);
    }
  counts.tables--;
  counts.regions -= table->unit->region_count;
}

static struct table *
table_new (const void *bytes, size_t size, const struct object *object)
{
  struct table *table = calloc (1, sizeof *table);
  void *copy = malloc (size ? size : 1);
  if (!table || !copy)
    {
      free (table);
      free (copy);
      ummgr_warn_once ("tables: no memory for the table of %s", object->name);
      return NULL;
    }
  memcpy (copy, bytes, size);
  table->address = (uintptr_t) bytes;
  table->size = size;
  table->copy = copy;
  const char *reason;
  if (ummgr_table_decode (copy, size, table->address, &table->unit, &reason))
    {
      counts.refused++;
      ummgr_warn_once ("tables: a table of %s can't be used, because %s; its "
		       "regions run as without the plugin", object->name,
		       reason);
    }
  table->next = tables;
  tables = table;
  return table;
}

/* ummgr_table_notes's callback: a table of the object DATA.  */
static void
table_found (const void *bytes, size_t size, void *data)
{
  const struct object *object = data;
  struct table *table;
  for (table = tables; table; table = table->next)
    if (table->address == (uintptr_t) bytes && table->size == size
	&& memcmp (table->copy, bytes, size) == 0)
      break;
  if (!table)
    table = table_new (bytes, size, object);
  if (!table)
    return;
  table->seen = true;
  if (!table->live)
    table_enter (table, object);
}

/* The loader counts the objects that came and went: no change, nothing to
   do.  */
static bool
scan_is_current (const struct dl_phdr_info *info, size_t size)
{
  if (size < offsetof (struct dl_phdr_info, dlpi_subs)
	     + sizeof info->dlpi_subs)
    return false;
  if (info->dlpi_adds == scanned_adds && info->dlpi_subs == scanned_subs)
    return true;
  scanned_adds = info->dlpi_adds;
  scanned_subs = info->dlpi_subs;
  return false;
}

struct scan
{
  bool started;
  bool current;
};

/* dl_iterate_phdr's callback.  The loader's lock is held, so the object stays
   while its notes are read.  */
static int
object_scan (struct dl_phdr_info *info, size_t size, void *data)
{
  struct scan *scan = data;
  if (!scan->started && scan_is_current (info, size))
    {
      scan->current = true;
      return 1;
    }
  scan->started = true;
  struct object object
    = { info, info->dlpi_name && *info->dlpi_name ? info->dlpi_name
						   : "the program" };
  for (int i = 0; i < info->dlpi_phnum; i++)
    {
      const ElfW(Phdr) *p = &info->dlpi_phdr[i];
      uintptr_t start = info->dlpi_addr + p->p_vaddr;
      if (p->p_type == PT_NOTE && object_has (&object, start, p->p_memsz, PF_R))
	ummgr_table_notes ((const void *) start, p->p_memsz, p->p_align,
			   table_found, &object);
    }
  return 0;
}

void
ummgr_tables_scan (void)
{
  struct scan scan = { false, false };
  ummgr_fork_guard (UMMGR_FORK_TABLES, &lock);
  pthread_mutex_lock (&lock);
  for (struct table *t = tables; t; t = t->next)
    t->seen = false;
  dl_iterate_phdr (object_scan, &scan);
  for (struct table *t = scan.current ? NULL : tables; t; t = t->next)
    if (t->live && !t->seen)
      table_leave (t);
  pthread_mutex_unlock (&lock);
}

struct ummgr_tables_count
ummgr_tables_count (void)
{
  pthread_mutex_lock (&lock);
  struct ummgr_tables_count now = counts;
  pthread_mutex_unlock (&lock);
  return now;
}

const struct ummgr_table_site *
ummgr_tables_site (uint64_t id)
{
  const struct ummgr_table_site *found = NULL;
  pthread_mutex_lock (&lock);
  for (const struct table *t = tables; t && !found; t = t->next)
    for (size_t i = 0; t->unit && i < t->unit->site_count && !found; i++)
      if (t->unit->sites[i].id == id)
	found = &t->unit->sites[i];
  pthread_mutex_unlock (&lock);
  return found;
}

/* The table after ADDRESS in the order of addresses, or NULL.  */
static const struct table *
table_next (uintptr_t address, bool live)
{
  const struct table *next = NULL;
  for (const struct table *t = tables; t; t = t->next)
    if (t->live == live && t->unit && t->address > address
	&& (!next || t->address < next->address))
      next = t;
  return next;
}

const struct ummgr_table_unit **
ummgr_tables_units (size_t *count_p)
{
  size_t room = 1, count = 0;
  const struct table *t;
  pthread_mutex_lock (&lock);
  for (t = tables; t; t = t->next)
    room++;
  const struct ummgr_table_unit **units = malloc (room * sizeof *units);
  for (int live = 1; units && live >= 0; live--)
    for (uintptr_t at = 0; (t = table_next (at, live)); at = t->address)
      units[count++] = t->unit;
  pthread_mutex_unlock (&lock);
  *count_p = count;
  return units;
}
