/* The calls that announce what comes next.
   SPDX-License-Identifier: GPL-3.0-or-later

     if (&__ummgr_host_next)
       __ummgr_host_next (value);

   The reference is weak: without libummgr nothing is called.  Holds no state.  */

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

/* Put the test and the call before GSI, in BLOCK.  */
static void
call_insert (tree decl, basic_block block, gimple_stmt_iterator gsi,
	     const announce_place &place)
{
  tree function = make_ssa_name (ptr_type_node);
  gimple *test = gimple_build_assign (function,
				      build_fold_addr_expr (decl));
  add (&gsi, test, place.location);
  basic_block rest = split_block (block, test)->dest;
  basic_block yes = ummgr_branch (block, function, rest, place.location);
  make_edge (yes, rest, EDGE_FALLTHRU)->probability
    = profile_probability::always ();

  gsi = gsi_last_bb (yes);
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
      call_insert (decl, block, gsi, place);
    }
  ummgr_function_changed ();
}
