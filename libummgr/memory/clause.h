/* Between mapping.c, unmapping.c and construct.c.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "gomp/abi.h"
#include "memory/mapping.h"

#include <stdint.h>

/* The kind of clause I without the bit for implicit maps, and that bit.  */
static inline int
ummgr_clause_kind (const struct ummgr_clauses *clauses, size_t i,
		   bool *implicit_p)
{
  int kind = clauses->kinds[i] & UMMGR_MAP_KIND_MASK;
  *implicit_p = (kind & UMMGR_MAP_SPECIAL_BITS) == UMMGR_MAP_IMPLICIT;
  return *implicit_p ? kind & ~UMMGR_MAP_IMPLICIT : kind;
}

/* map(alloc, to, from, tofrom), with `always' or not.  */
static inline bool
ummgr_kind_is_data (int kind)
{
  return (kind & ~3) == 0 || (kind >= UMMGR_MAP_ALWAYS_TO
			      && kind <= UMMGR_MAP_ALWAYS_TOFROM);
}

static inline bool
ummgr_kind_is_always (int kind)
{
  return kind >= UMMGR_MAP_ALWAYS_TO && kind <= UMMGR_MAP_ALWAYS_TOFROM;
}

/* GOMP_MAP_POINTER_P.  */
static inline bool
ummgr_kind_is_pointer (int kind)
{
  return kind == UMMGR_MAP_POINTER
    || kind == UMMGR_MAP_POINTER_TO_ZERO_LENGTH_ARRAY_SECTION;
}

static inline bool
ummgr_kind_is_attach (int kind)
{
  return kind == UMMGR_MAP_ATTACH
    || kind == UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION;
}

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
