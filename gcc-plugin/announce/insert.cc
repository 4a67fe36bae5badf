/* The calls that announce what the host goes over next.
   SPDX-License-Identifier: GPL-3.0-or-later

     if (&__ummgr_host_next)
       __ummgr_host_next (value);

   The reference is weak: without libummgr nothing is called.  Holds its
   declaration.  */

#include "announce/announce.h"

static tree next_decl;

/* void __ummgr_host_next (const void *), which may be absent.  Not called through
   the PLT, as ummgr_unify_alloc (site/unify.cc).  */
static tree
decl_get (void)
{
  if (next_decl)
    return next_decl;
  tree type = build_function_type_list (void_type_node, const_ptr_type_node,
					NULL_TREE);
  tree decl = build_fn_decl ("__ummgr_host_next", type);
  TREE_USED (decl) = 1;
  TREE_NOTHROW (decl) = 1;
  DECL_VISIBILITY (decl) = VISIBILITY_DEFAULT;
  DECL_VISIBILITY_SPECIFIED (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("noplt"), NULL_TREE,
				      DECL_ATTRIBUTES (decl));
  declare_weak (decl);
  return next_decl = decl;
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
call_insert (basic_block block, gimple_stmt_iterator gsi,
	     const announce_place &place)
{
  tree function = make_ssa_name (ptr_type_node);
  gimple *test = gimple_build_assign (function,
				      build_fold_addr_expr (decl_get ()));
  add (&gsi, test, place.location);
  basic_block rest = split_block (block, test)->dest;
  gsi = gsi_last_bb (block);
  gcond *cond = gimple_build_cond (NE_EXPR, function, null_pointer_node,
				   NULL_TREE, NULL_TREE);
  gimple_set_location (cond, place.location);
  gsi_insert_after (&gsi, cond, GSI_NEW_STMT);

  basic_block yes = create_empty_bb (block);
  if (current_loops)
    add_bb_to_loop (yes, block->loop_father);
  edge no = find_edge (block, rest);
  no->flags = (no->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  no->probability = profile_probability::even ();
  edge to = make_edge (block, yes, EDGE_TRUE_VALUE);
  to->probability = profile_probability::even ();
  yes->count = to->count ();
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
  gcall *call = gimple_build_call (decl_get (), 1, value);
  gimple_set_location (call, place.location);
  gsi_insert_after (&gsi, call, GSI_NEW_STMT);
}

void
announce_insert (const vec<announce_place> &places)
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
      call_insert (block, gsi, place);
    }
  if (current_loops)
    loops_state_set (LOOPS_NEED_FIXUP);
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa_only_virtuals);
  cgraph_edge::rebuild_edges ();
}
