/* Where the host tells that it is about to read.
   SPDX-License-Identifier: GPL-3.0-or-later

   What a region wrote can stay on the device until the host reads it, if the host says so before.  It can of memory of
   its own, that nobody else gets at: all that reads it is then in this function, or in calls from it, before which it
   tells.  In

     double *x = calloc (n, sizeof *x);		// x_5
     for (int t = 0; t < turns; t++)
       #pragma omp target map(tofrom: x[0:n])
       ...
     for (int i = 0; i < n; i++)		// tells of x_5 on the way to this loop
       sum += x[i];

   x comes back once.  The place is before each statement that live/effects.cc has for one that reads, or before the
   outermost loop around it without a launch.  The pointer is what the allocation gave, so it must be known there.
   Reads of a callee's that come behind its own launches are those launches' matter, and not told.  Holds whether
   anything is to be told.  */

#include "live/live.h"

static bool tells;

void
live_will_tell (bool will)
{
  tells = will;
}

/* F's roots that STMT reads.  */
static live_set
reads (live_function *f, gimple *stmt)
{
  live_values values = {}, exit = {};
  live_set set = 0;
  live_statement (f, stmt, values, exit);
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (values[i].may & LIVE_READ)
      set |= live_bit_of (i);
  return set;
}

/* Is the statement A of BLOCK before its statement B?  */
static bool
is_before (basic_block block, const gimple *a, const gimple *b)
{
  for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi) && gsi_stmt (gsi) != b; gsi_next (&gsi))
    if (gsi_stmt (gsi) == a)
      return true;
  return false;
}

edge
live_entry_edge (const class loop *l)
{
  edge e, found = NULL;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, l->header->preds)
    if (!flow_bb_inside_loop_p (l, e->src))
      {
	if (found)
	  return NULL;
	found = e;
      }
  return found && !(found->flags & EDGE_COMPLEX) ? found : NULL;
}

/* Where F is to tell of root I before STMT reads it.  False: nowhere.  */
static bool
place_find (const live_function *f, unsigned i, gimple *stmt, live_telling *out)
{
  gimple *def = SSA_NAME_DEF_STMT (f->roots[i].t);
  basic_block from = gimple_bb (def), block = gimple_bb (stmt);
  class loop *l = live_quiet_loop (block);
  edge on = l ? live_entry_edge (l) : NULL;
  if (on && dominated_by_p (CDI_DOMINATORS, on->src, from))
    {
      *out = { on, NULL, i };
      return true;
    }
  *out = { NULL, stmt, i };
  return block == from ? is_before (block, def, stmt) : dominated_by_p (CDI_DOMINATORS, block, from);
}

/* The places of F's roots SET, but those of which one isn't there, which *LACKING becomes.  */
static void
places_find (live_function *f, live_set set, vec<live_telling> *out, live_set *lacking)
{
  basic_block block;
  calculate_dominance_info (CDI_DOMINATORS);
  *lacking = 0;
  FOR_EACH_BB_FN (block, f->fun)
    {
      /* Told in this block, and nothing that may launch since.  */
      live_set said = 0;
      for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi); gsi_next (&gsi))
	{
	  gimple *stmt = gsi_stmt (gsi);
	  live_set read = is_gimple_debug (stmt) ? 0 : reads (f, stmt) & set & ~said;
	  for (unsigned i = 1; i < f->roots.length (); i++)
	    if (read >> i & 1)
	      {
		live_telling place;
		bool known = false;
		if (!place_find (f, i, stmt, &place))
		  *lacking |= live_bit_of (i);
		for (const live_telling &p : *out)
		  known |= p.on && p.on == place.on && p.root == i;
		if (!known)
		  out->safe_push (place);
	      }
	  said = is_gimple_call (stmt) ? 0 : said | read;
	}
    }
}

void
live_told_find (live_function *f)
{
  live_set set = 0;
  if (!tells || !live_takes_calls (f))
    return;
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (f->roots[i].kind == LIVE_ALLOC && live_root_is_steady (f, i) && TREE_CODE (f->roots[i].t) == SSA_NAME
	&& !f->roots[i].returned && !live_origin (f, i, f->roots[i].t))
      set |= live_bit_of (i);
  if (!set)
    return;
  auto_vec<live_telling> places;
  live_set lacking;
  places_find (f, set, &places, &lacking);
  f->told = set & ~lacking;
}

void
live_tellings (live_function *f, vec<live_telling> *out)
{
  live_set lacking;
  if (f->told)
    places_find (f, f->told, out, &lacking);
}
