/* Data objects, and the table that finds them by address.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   An object is one mapping of a range of host memory to one device, or one
   allocation of managed memory.  Each device's manager has a table of its
   mappings; one more table holds managed memory.  Objects of one table never
   overlap.  */

#pragma once

#include "memory/execute.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ummgr_account;
struct ummgr_laid;
struct ummgr_manager;

enum ummgr_object_life
{
  UMMGR_OBJECT_LIVE,
  UMMGR_OBJECT_DOOMED,		/* Unmapped, but still held.  */
  UMMGR_OBJECT_DEAD		/* Gone; freed with the last reference.  */
};

/* Everything below is guarded by the manager's lock, but for what never
   changes after creation: VIEW.id, base, size and path.  */
struct ummgr_object
{
  struct ummgr_object_view view; /* First: policies hand it back.  */
  struct ummgr_manager *manager;
  struct ummgr_copy copy;	/* The first of VIEW.copies.  */
  size_t refcount;		/* OpenMP's, structured and dynamic.  */
  unsigned holders;		/* Constructs in which libgomp refers to the
				   association: it must stay as it is.  */
  unsigned references;		/* Constructs that list this object.  */
  enum ummgr_object_life life;
  bool away;			/* Regions or policies may have put something on
				   the device since it was last sent home.  */
  bool attached;		/* libgomp has attached pointers in it.  */
  bool opaque;			/* Unified: never associated, as a pointer in
				   it is attached to other memory.  */
  uint8_t remedies;		/* That it has on COPY's device: bit N for kind N.  */
  bool remedies_sought;		/* By its symbol.  */
  bool linked;			/* As linked.h says: its storage stays the same.  */
  bool target_alloc;		/* Unified: freed by omp_target_free.  */
  bool again;			/* Its storage was that of an object before it, and stayed.  */
  size_t used_lo, used_hi;	/* Unified: bytes that regions have written so far, as far as is known.  */
  /* For kept.h.  Plain: what it was filled with is what the host has, but for pages that are watched and what
     regions write;  */
  bool same;
  bool equal;			/* now it has the same, all of it,  */
  bool proved;			/* and before the next region that uses it the host doesn't write to it,  */
  bool unread;			/* nor reads it without a word.  */

  /* The construct that has adjusted REFCOUNT, set it to zero, or listed the
     object, last: OpenMP counts an object once for each construct.  */
  uint64_t counted, zeroed, listed;

  uint64_t associated;		/* Unified: bit N for device N.  */
  struct ummgr_account *account;
  const char *reason;		/* Of the last decision about it.  */
  struct ummgr_glimpses *glimpses; /* Owned; NULL where nobody wants any.  */
  struct ummgr_kept_range *kept; /* Of its manager's; or NULL.  */
  struct ummgr_laid *laid;	/* Owned, one block (parts.h); NULL: in no parts.  */
  uint64_t copied_in, copied_out;	/* Bytes, by the driver.  */
};

/* A table: a Judy array by base address.  Its lock lets look-ups from many
   threads run together.  */
struct ummgr_objects
{
  void *by_base;
  size_t count;
  pthread_rwlock_t lock;
};

void ummgr_objects_init (struct ummgr_objects *table);

/* Forget all objects without freeing them.  */
void ummgr_objects_clear (struct ummgr_objects *table);

/* False without memory.  The caller has checked that nothing overlaps.  */
bool ummgr_objects_insert (struct ummgr_objects *table, uintptr_t base,
			   struct ummgr_object *object);
void ummgr_objects_remove (struct ummgr_objects *table, uintptr_t base);

/* The object whose range holds ADDRESS, or NULL.  O(log n).  */
struct ummgr_object *ummgr_objects_find (struct ummgr_objects *table,
					 uintptr_t address);

/* An object that overlaps [ADDRESS, ADDRESS + SIZE), SIZE above 0: the last
   one by address; or NULL.  */
struct ummgr_object *ummgr_objects_overlap (struct ummgr_objects *table,
					    uintptr_t address, size_t size);

/* The object with the smallest base not below ADDRESS, or NULL.  */
struct ummgr_object *ummgr_objects_next (struct ummgr_objects *table,
					 uintptr_t address);

/* How many; readable without the lock, and then maybe out of date.  */
static inline size_t
ummgr_objects_count (const struct ummgr_objects *table)
{
  return __atomic_load_n (&table->count, __ATOMIC_RELAXED);
}

/* A new object with an id of its own, or NULL.  In no table yet.  */
struct ummgr_object *ummgr_object_new (uintptr_t base, size_t size, int device,
				       enum ummgr_data_path path);

/* Its number, or that of what is told of as one.  */
uint64_t ummgr_object_number (void);

/* Free OBJECT, or mark it dead while constructs list it.  */
void ummgr_object_drop (struct ummgr_object *object);

/* A construct that listed OBJECT is over.  */
void ummgr_object_unreference (struct ummgr_object *object);
