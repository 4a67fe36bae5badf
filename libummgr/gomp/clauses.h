/* The clauses of a construct, as the compiler passes them to libgomp.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "gomp/abi.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the compiler passes of a construct's data.  */
struct ummgr_clauses
{
  size_t count;
  void **hostaddrs;
  size_t *sizes;
  unsigned short *kinds;	/* With the alignment, as libgomp's.  */
};

/* The kind of clause I without the bit for implicit maps, and that bit.  A struct is one, whether its members
   are in order or not: of the latter libgomp 14 takes only members that are all at one address, 16 those that are
   in order after all.  */
static inline int
ummgr_clause_kind (const struct ummgr_clauses *clauses, size_t i,
		   bool *implicit_p)
{
  int kind = clauses->kinds[i] & UMMGR_MAP_KIND_MASK;
  if (kind == UMMGR_MAP_STRUCT_UNORD)
    kind = UMMGR_MAP_STRUCT;
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

static inline bool
ummgr_kind_is_attach (int kind)
{
  return kind == UMMGR_MAP_ATTACH
    || kind == UMMGR_MAP_ATTACH_ZERO_LENGTH_ARRAY_SECTION;
}

/* Does another clause name memory of clause I's?  A value that is passed counts as an address, too.  */
static inline bool
ummgr_clause_shares (const struct ummgr_clauses *clauses, size_t i)
{
  uintptr_t lo = (uintptr_t) clauses->hostaddrs[i];
  uintptr_t hi = lo + clauses->sizes[i];
  for (size_t j = 0; j < clauses->count; j++)
    {
      uintptr_t at = (uintptr_t) clauses->hostaddrs[j];
      size_t size = clauses->sizes[j] ? clauses->sizes[j] : 1;
      if (j != i && at < hi && lo < at + size)
	return true;
    }
  return false;
}
