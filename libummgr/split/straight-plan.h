/* What goes in slices, between straight-find.c, which looks for it and says which these are, and straight.c, which
   weighs it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include "split/straight.h"

/* Bytes that a launch uses over the link, whatever goes in slices; and those that each piece uses, as far as is
   known: a table that is looked up anywhere comes once for a launch that has it in its cache, and once for each
   piece.  */
struct ummgr_straight_rest
{
  double read, sent;
  double read_each, sent_each;
};

/* How what is mapped is asked for: where its places are to be foreseen, the device has FIRST bytes of OBJECT, if there
   is one, and SHARE of each other; else all are as they are now.  MOST as for ummgr_straight_wants, and what comes.  */
struct ummgr_straight_asked
{
  bool foresees;
  const struct ummgr_object *object;
  uint64_t first;
  double share;
  uint64_t most;
  const struct ummgr_arrivals *arrivals;
};

/* Does any of what O has its place for still come there?  */
static inline bool
ummgr_straight_comes_any (const struct ummgr_straight_object *o)
{
  return ummgr_interval_length (o->comes) > 0;
}

/* Why there is nothing where memory is short.  */
#define UMMGR_STRAIGHT_NO_MEMORY "there is no memory"

/* To S's objects: what could go so of what CLAUSES of KNOWN map, as far as that can be told without any slices; or of
   what was mapped before, and is asked for so: REST gets what sends its data over the link otherwise.  */
void ummgr_straight_find (struct ummgr_manager *manager, const struct ummgr_table_region *known,
			  const struct ummgr_clauses *clauses, struct ummgr_straight *s);
void ummgr_straight_find_mapped (struct ummgr_manager *manager, const struct ummgr_table_region *known,
				 const struct ummgr_clauses *clauses, const struct ummgr_straight_asked *asked,
				 struct ummgr_straight *s, struct ummgr_straight_rest *rest);

/* The object that was mapped before and clause I of CLAUSES is about; NULL: none.  */
struct ummgr_object *ummgr_straight_mapped (struct ummgr_manager *manager, const struct ummgr_clauses *clauses,
					    size_t i);

/* What of [OFFSET, +SIZE) of OBJECT has its place on the device.  */
struct ummgr_interval ummgr_straight_kept (const struct ummgr_object *object, uint64_t offset, size_t size,
					   const struct ummgr_straight_asked *asked);

/* Leave out what isn't known of all iterations, or is no slice: in a few pieces, look at what they use.  VALUES is
   scratch, as many as CLAUSES.  Returns why nothing is left, or NULL.  */
const char *ummgr_straight_check (struct ummgr_straight *s, const struct ummgr_table_region *known,
				  const struct ummgr_clauses *clauses, void **values,
				  struct ummgr_straight_rest *rest);

/* All of S's slices, in as many pieces as it has, and what its objects have of them; VALUES is scratch.  False: one
   isn't known, or without memory.  */
bool ummgr_straight_slices (struct ummgr_straight *s, const struct ummgr_table_region *known,
			    const struct ummgr_clauses *clauses, void **values);

/* Does each piece write to OBJECT N, or, if it is to be ALL, use of it, what is behind all that pieces before it do, or
   each what is before that?  */
bool ummgr_straight_is_apart (const struct ummgr_straight *s, size_t n, bool all);

/* To REST: what OBJECT uses over the link if it stays where it is, of EACH piece as much.  */
void ummgr_straight_rest_add (struct ummgr_straight_rest *rest, const struct ummgr_straight_object *object, bool each);

/* Object N is mapped as ever; EACH piece uses all of it, or it is used where it is, and its parts come before their
   pieces, and leave behind them.  */
void ummgr_straight_leave_out (struct ummgr_straight *s, size_t n, bool each, struct ummgr_straight_rest *rest);
