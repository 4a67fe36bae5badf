/* The launches of a region's pieces.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Holds no state.  libgomp/target.c of GCC 12.2 is what this relies on: hostaddrs[]
   of no address are not mapped, and kinds without `always' copy nothing that is
   present.  Since GCC 13 it leaves the device's addresses in the hostaddrs[] of what is
   firstprivate.  */

#include "config.h"
#include "split/split.h"

#include "gomp/real.h"

#include <stdlib.h>
#include <string.h>

/* What libgomp is told, in one block.  */
struct told
{
  void **around;		/* By the construct around the pieces, NULL for what
				   each piece has to itself.  */
  void **hostaddrs;		/* By a piece.  */
  unsigned short *kinds;	/* The same.  */
  bool any;			/* There is something to map.  */
};

/* Of a piece: `always' was done for all of them.  */
static unsigned short
kind_of_piece (const struct ummgr_clauses *clauses, size_t i)
{
  unsigned short kind = clauses->kinds[i];
  int low = kind & UMMGR_MAP_KIND_MASK;
  return ummgr_kind_is_always (low)
	 ? (kind & ~UMMGR_MAP_KIND_MASK) | (low & UMMGR_MAP_TOFROM) : kind;
}

static bool
is_own (const struct ummgr_clauses *clauses, size_t i)
{
  bool implicit;
  int kind = ummgr_clause_kind (clauses, i, &implicit);
  return kind == UMMGR_MAP_FIRSTPRIVATE || kind == UMMGR_MAP_FIRSTPRIVATE_INT
	 || kind == UMMGR_MAP_ZERO_LEN_ARRAY_SECTION;
}

static bool
told_fill (struct told *told, const struct ummgr_clauses *clauses)
{
  size_t n = clauses->count, pointers = n * sizeof (void *);
  char *block = malloc (2 * pointers + n * sizeof *told->kinds);
  if (!block)
    return false;
  told->around = (void **) block;
  told->hostaddrs = (void **) (block + pointers);
  told->kinds = (unsigned short *) (block + 2 * pointers);
  told->any = false;
  for (size_t i = 0; i < n; i++)
    {
      told->around[i] = is_own (clauses, i) ? NULL : clauses->hostaddrs[i];
      told->any |= told->around[i] != NULL;
      told->kinds[i] = kind_of_piece (clauses, i);
    }
  return true;
}

bool
ummgr_pieces_run (const struct ummgr_split_launch *launch,
		  const struct ummgr_pieces *pieces, ummgr_piece_next *next, void *data)
{
  const struct ummgr_clauses *clauses = launch->clauses;
  struct told told;
  if (!told_fill (&told, clauses))
    return false;
  if (told.any)
    ummgr_real_data (launch->device, clauses->count, told.around, clauses->sizes, clauses->kinds);
  uint64_t all = (uintptr_t) clauses->hostaddrs[pieces->lo + 1];
  for (uint64_t i = 0; i < pieces->count; i++)
    {
      uint64_t lo, hi;
      ummgr_pieces_range (pieces, i, all, &lo, &hi);
      if (next)
	next (data, i);
      memcpy (told.hostaddrs, clauses->hostaddrs, clauses->count * sizeof *told.hostaddrs);
      told.hostaddrs[pieces->lo] = (void *) (uintptr_t) lo;
      told.hostaddrs[pieces->lo + 1] = (void *) (uintptr_t) hi;
      ummgr_real (GOMP_target_ext) (launch->device, launch->function, clauses->count,
				    told.hostaddrs, clauses->sizes, told.kinds,
				    launch->flags, NULL, launch->args);
    }
  if (told.any)
    ummgr_real (GOMP_target_end_data) ();
  free (told.around);
  return true;
}
