/* Which parameters point to memory that a function has no other name for.
   SPDX-License-Identifier: GPL-3.0-or-later

   A function by itself has to take its parameters for one another: a write to what one
   points to may be one to what another does.  Where all its callers are known, and each
   passes memory of its own that nobody else gets at, and to no two parameters the same,
   it need not.  In

     static void add (float *sum, const float *x, long n);	// writes to sum, reads x

     float *s = malloc (size), *x = malloc (size);
     add (s, x, n);
     #pragma omp target map(to: x[0:n]) ...
     add (s, x, n);

   the call after the region writes nothing that x points to.  With `add (s, s, n)' somewhere
   else, it might.  Holds no state.  */

#include "live/live.h"

bool
live_passed (live_function *f, const gcall *call, const live_function *callee, unsigned first, unsigned i,
	     live_set *set, tree *value)
{
  const live_root &root = callee->roots[i];
  unsigned arg = first + root.index;
  *value = NULL_TREE;
  if (root.kind == LIVE_GLOBAL)
    {
      int own = live_root_of_decl (f, root.t);
      *set = own > 0 ? live_bit_of (own) : 0;
      return true;
    }
  if (arg >= gimple_call_num_args (call))
    return false;
  if (root.kind == LIVE_PARAM)
    {
      *value = gimple_call_arg (call, arg);
      *set = live_points_to (f, *value);
      return true;
    }
  if (root.kind != LIVE_FIELD || !live_is_outlined (callee))
    return false;
  *set = live_block_field (f, call, arg, root.offset);
  return true;
}

/* May root I of F, whose callers are known, be apart?  Not what a pointer in a parameter points to, but in the block
   of an outlined function.  */
static bool
may_be_apart (const live_function *f, unsigned i)
{
  const live_root &root = f->roots[i];
  return !root.escaped && (root.kind == LIVE_PARAM || (root.kind == LIVE_FIELD && live_is_outlined (f)));
}

/* Is each of F's roots SET its own, or as good as that?  */
static bool
all_own (const live_function *f, live_set set)
{
  return !(set & live_foreign (f));
}

/* CALL of F is one of CALLEE: what it passes twice, or not for itself, isn't apart there.  */
static void
call_look (live_function *f, gcall *call, live_function *callee, unsigned first)
{
  live_set once = 0, twice = 0, set;
  tree value;
  for (unsigned i = 1; i < callee->roots.length (); i++)
    if (live_passed (f, call, callee, first, i, &set, &value))
      {
	twice |= once & set;
	once |= set;
      }
  for (unsigned i = 1; i < callee->roots.length (); i++)
    {
      live_root &root = callee->roots[i];
      if (root.apart && live_passed (f, call, callee, first, i, &set, &value))
	root.apart = all_own (f, set) && !(set & twice);
    }
}

void
live_apart_find (const vec<live_function *> &functions)
{
  for (live_function *f : functions)
    {
      bool known = live_callers_are_known (f);
      for (unsigned i = 1; i < f->roots.length (); i++)
	f->roots[i].apart = known && may_be_apart (f, i);
    }
  for (unsigned i = functions.length (); i-- > 0;)
    {
      live_function *f = functions[i];
      basic_block block;
      FOR_EACH_BB_FN (block, f->fun)
	for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi); gsi_next (&gsi))
	  {
	    unsigned first;
	    gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi));
	    live_function *callee = call ? live_callee (call, &first) : NULL;
	    if (callee)
	      call_look (f, call, callee, first);
	  }
    }
}
