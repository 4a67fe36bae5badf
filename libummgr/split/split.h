/* A launch in pieces: ranges of its loop's iterations, one after the other.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The plugin gives regions that can be run so two arguments, LO and HI
   (include/ummgr-table.h); libgomp gets them as values in hostaddrs[], so that a
   launch of another range is one with other values there.  On one device that keeps
   what a region does right whatever it writes: atomics and reductions go on with what
   the piece before left, and so do variables of the device's.

   What the construct maps is mapped once, around all pieces, as by a `target data'
   construct with its clauses: a piece that mapped it would copy all of it in and out,
   and what is mapped "from" would come back with what no piece has written yet.
   Each piece then finds it present.

   Any thread; no state.  Nothing of ours is locked while libgomp is called.  */

#pragma once

#include "gomp/clauses.h"
#include "tables/decode.h"

#include <stdbool.h>
#include <stdint.h>

/* Into how many ranges a launch is cut: 1, not at all.  */
struct ummgr_pieces
{
  uint64_t count;
  uint64_t trip;		/* Iterations in all.  */
  unsigned lo;			/* The argument; HI is the next.  */
};

/* How a launch of KNOWN (NULL: it has no table) on DEVICE with CLAUSES goes in WANTED
   pieces, which are not more than its iterations.  Where it can't returns why, a string
   that lives as long as the table.  Before anything is mapped for it.  */
const char *ummgr_pieces_plan (const struct ummgr_table_region *known,
			       const struct ummgr_clauses *clauses, int device,
			       uint64_t wanted, struct ummgr_pieces *out);

/* The range of piece I, from 0, of PIECES, of which the last goes to ALL.  */
void ummgr_pieces_range (const struct ummgr_pieces *pieces, uint64_t i, uint64_t all,
			 uint64_t *lo, uint64_t *hi);

/* A launch as GOMP_target_ext has it, without what it depends on.  */
struct ummgr_split_launch
{
  int device;
  void (*function) (void *);
  const struct ummgr_clauses *clauses;
  unsigned flags;
  void **args;
};

/* Is asked, with DATA, before piece I is launched.  */
typedef void ummgr_piece_next (void *data, uint64_t i);

/* Run LAUNCH in PIECES, with NEXT, which may be NULL.  False without memory: nothing has been
   run.  */
bool ummgr_pieces_run (const struct ummgr_split_launch *launch,
		       const struct ummgr_pieces *pieces, ummgr_piece_next *next,
		       void *data);
