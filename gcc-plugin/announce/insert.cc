/* The calls that announce what comes next.
   SPDX-License-Identifier: GPL-3.0-or-later

     if (&__ummgr_host_next)
       __ummgr_host_next (value);

   The reference is weak: without libummgr nothing is called.  Calls in one place have one test, as each takes GCC some
   millions of instructions.  Holds no state.  */

#include "announce/announce.h"

tree
announce_decl (tree *decl, const char *name, tree type, tree more)
{
  if (!*decl)
    *decl = ummgr_weak_function (name, build_function_type_list (void_type_node, type, more, NULL_TREE));
  return *decl;
}

/* Add STMT before GSI, which may be at the end of its block.  */
static void
add (gimple_stmt_iterator *gsi, gimple *stmt, location_t location)
{
  gimple_set_location (stmt, location);
  gsi_insert_before (gsi, stmt, GSI_SAME_STMT);
}

/* Put the test before GSI, in BLOCK.  Returns the block that is for calls.  */
static basic_block
test_insert (tree decl, basic_block block, gimple_stmt_iterator gsi, location_t location)
{
  tree function = make_ssa_name (ptr_type_node);
  gimple *test = gimple_build_assign (function,
				      build_fold_addr_expr (decl));
  add (&gsi, test, location);
  basic_block rest = split_block (block, test)->dest;
  basic_block yes = ummgr_branch (block, function, rest, location);
  make_edge (yes, rest, EDGE_FALLTHRU)->probability
    = profile_probability::always ();
  return yes;
}

/* Put the call of DECL to the end of BLOCK.  */
static void
call_insert (tree decl, basic_block block, const announce_place &place)
{
  gimple_stmt_iterator gsi = gsi_last_bb (block);
  tree value = place.value;
  if (!is_gimple_val (value))
    {
      tree name = make_ssa_name (TREE_TYPE (value));
      gimple *load = gimple_build_assign (name, unshare_expr (value));
      gimple_set_location (load, place.location);
      gsi_insert_after (&gsi, load, GSI_NEW_STMT);
      value = name;
    }
  tree more = place.more;
  if (more && !is_gimple_val (more))
    {
      gimple_seq computed = NULL;
      more = force_gimple_operand (unshare_expr (more), &computed, true, NULL_TREE);
      gsi_insert_seq_after (&gsi, computed, GSI_CONTINUE_LINKING);
    }
  gcall *call = more ? gimple_build_call (decl, 2, value, more) : gimple_build_call (decl, 1, value);
  gimple_set_location (call, place.location);
  gsi_insert_after (&gsi, call, GSI_NEW_STMT);
}

/* Are A and B the same place?  */
static bool
is_together (const announce_place &a, const announce_place &b)
{
  return a.on == b.on && a.before == b.before;
}

/* Has one before the I-th of PLACES the same place?  */
static bool
is_done (const vec<announce_place> &places, unsigned i)
{
  for (unsigned k = 0; k < i; k++)
    if (is_together (places[k], places[i]))
      return true;
  return false;
}

void
announce_insert (tree decl, const vec<announce_place> &places)
{
  if (!places.length ())
    return;
  for (unsigned i = 0; i < places.length (); i++)
    {
      const announce_place &place = places[i];
      gimple_stmt_iterator gsi;
      basic_block block;
      if (is_done (places, i))
	continue;
      if (place.on)
	{
	  block = split_edge (place.on);
	  gsi = gsi_start_bb (block);
	}
      else
	{
	  gsi = gsi_for_stmt (place.before);
	  block = gimple_bb (place.before);
	}
      block = test_insert (decl, block, gsi, place.location);
      for (unsigned k = i; k < places.length (); k++)
	if (is_together (places[k], place))
	  call_insert (decl, block, places[k]);
    }
  ummgr_function_changed ();
}
