/* OpenMP's mappings: reference counts, copies, and what libgomp is told.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A construct goes through begin, the real call, and end.  Data that
   libummgr takes over is associated with libgomp before the real call, so
   libgomp finds it present, with a reference count of infinity; the count
   that OpenMP asks for is kept here.  What a construct says beyond plain
   data (struct groups, pointers, attachments) stays libgomp's.

   libgomp/target.c of GCC 12.2 is what this must agree with; the functions
   are named where they matter.  */

#pragma once

#include "gomp/clauses.h"
#include "memory/manager.h"
#include "memory/objects.h"
#include "policy/policy.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ummgr_stats_call;

/* One clause that is in an object of ours, remembered until its end.  */
struct ummgr_entry
{
  struct ummgr_object *object;
  size_t lo, size;		/* Of the object.  */
  bool copy_out;		/* If the count gets to zero.  */
  bool always;			/* Whatever the count gets to.  */
};

enum { UMMGR_MAPPING_INLINE = 8 };

/* Also the stack of `target data' constructs of a thread.  */
struct ummgr_mapping
{
  struct ummgr_manager *manager; /* NULL: not ours.  */
  const void *site;		/* Return address of the entry point.  */
  bool region;			/* A target region.  */
  size_t count, capacity;
  struct ummgr_entry *entries;
  size_t object_count, object_capacity;
  /* What a region uses, each once; for `target data' what it holds.  */
  struct ummgr_object_view **objects;
  struct ummgr_stats_call *call; /* Of a `target data', for the statistics; or NULL.  */
  struct ummgr_mapping *previous;
  struct ummgr_entry few_entries[UMMGR_MAPPING_INLINE];
  struct ummgr_object_view *few_objects[UMMGR_MAPPING_INLINE];
};

void ummgr_mapping_init (struct ummgr_mapping *construct,
			   struct ummgr_manager *manager, const void *site,
			   bool region);
void ummgr_mapping_fini (struct ummgr_mapping *construct);

/* Could CLAUSES concern us at all?  Takes no lock; a true may be wrong.  */
bool ummgr_mapping_concerned (const struct ummgr_manager *manager,
			      const struct ummgr_clauses *clauses);

/* Does CONSTRUCT copy all of OBJECT out, if that is not mapped any more when it ends?  */
bool ummgr_mapping_goes_out (const struct ummgr_mapping *construct, const struct ummgr_object *object);

/* Of what CLAUSES map, the bytes that the device doesn't have.  A struct's members, which libgomp maps, don't count.
   With the manager's lock.  */
uint64_t ummgr_mapping_new_bytes (struct ummgr_manager *manager, const struct ummgr_clauses *clauses);

/* The mapping half of a construct.  The manager's lock is held here and
   below.  `enter data' remembers nothing: it calls ummgr_mapping_forget
   next.  */
void ummgr_mapping_begin (struct ummgr_mapping *construct,
			  const struct ummgr_clauses *clauses);
void ummgr_mapping_forget (struct ummgr_mapping *construct);

/* The region is about to run, or has run.  */
void ummgr_mapping_run (struct ummgr_mapping *construct);
void ummgr_mapping_ran (struct ummgr_mapping *construct);

/* For `target data': fill HOSTADDRS with what libgomp is to see, NULL for
   what it need not know; and take note of what it then refers to.  What it
   refers to stays present until the construct ends, even if an `exit data'
   inside deletes it; libgomp alone would forget it at once.  That is so for
   members of structs, pointers and zero-length sections.  */
void ummgr_mapping_hide (struct ummgr_mapping *construct,
			 const struct ummgr_clauses *clauses,
			 void **hostaddrs);

/* For a region that libgomp maps nothing for: copy what clauses with `always' say, now and at
   the end.  False if that can't be done for all of them; doing it again does no harm.  */
bool ummgr_mapping_always (struct ummgr_mapping *construct,
			   const struct ummgr_clauses *clauses);

/* `target update' of what is in parts on several GPUs: it is copied, and SIZES, one for each
   clause, are those of CLAUSES but 0 for it.  */
void ummgr_mapping_update (struct ummgr_manager *manager,
			   const struct ummgr_clauses *clauses, size_t *sizes);

/* The unmapping half of a region or `target data', after libgomp's.  */
void ummgr_mapping_end (struct ummgr_mapping *construct);

/* `exit data', before the real call: adjust the counts, and fill KINDS with
   what libgomp is to see: it copies out what gets to zero.  */
void ummgr_mapping_exit (struct ummgr_mapping *construct,
			 const struct ummgr_clauses *clauses,
			 unsigned short *kinds);
/* After it: what got to zero goes.  */
void ummgr_mapping_exit_end (struct ummgr_mapping *construct);

/* Is PTR the start of an object of ours that the program has mapped?  Such
   an association isn't the program's to undo.  */
bool ummgr_mapping_owns (struct ummgr_manager *manager, const void *ptr);

/* The program has asked for the device address of PTR.  */
void ummgr_mapping_pin (struct ummgr_manager *manager, const void *ptr);

/* --- between mapping.c, unmapping.c and construct.c -------------------- */

/* Remember a clause; false without memory.  */
bool ummgr_mapping_add (struct ummgr_mapping *construct,
			  struct ummgr_object *object, size_t lo, size_t size,
			  bool copy_out);

/* The region, if the construct is one, uses OBJECT; once is enough.  */
void ummgr_mapping_use (struct ummgr_mapping *construct,
			  struct ummgr_object *object);

/* libgomp refers to OBJECT's association until the end of the construct.  */
void ummgr_mapping_hold (struct ummgr_mapping *construct,
			   struct ummgr_object *object);

/* As gomp_increment_refcount and gomp_decrement_refcount with a
   refcount_set: an object counts once for each construct.  The second
   returns whether this construct has brought the count to zero.  */
void ummgr_mapping_increment (struct ummgr_object *object);
bool ummgr_mapping_decrement (struct ummgr_object *object, bool delete_p);

/* The object at clause I as gomp_map_lookup's callers would find it.  */
struct ummgr_object *ummgr_mapping_lookup (struct ummgr_manager *manager,
					   uintptr_t address, size_t size);

/* OBJECT has no mapping any more: undo the association and free the storage,
   or as soon as nothing holds it.  */
void ummgr_mapping_release (struct ummgr_object *object);
void ummgr_mapping_unhold (struct ummgr_object *object);
