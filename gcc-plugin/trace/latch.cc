/* Collapsed loops, made nests again.
   SPDX-License-Identifier: GPL-3.0-or-later

   GCC makes of "collapse(2)" one loop that ends

     if (++j < m) goto latch; else { i++; j = 0; goto latch; }
     latch: i = PHI, j = PHI; goto header;

   in which neither i nor j is affine.  Without the latch, which holds nothing
   but the phis, the loop has two back edges, of which the first leaves i alone;
   GCC then sees an inner loop over j, if no variable has one value on both
   (find_subloop_latch_edge_by_ivs in gcc/cfgloop.cc of GCC 12).  Those that have,
   such as the count of both loops together, are copied on the second edge.
   Holds no state.  */

#include "trace/trace.h"

#define LATCHES_MAX 3

/* What PHI, in LOOP's header, gets if the latch is entered by EDGE.  */
static tree
argument_through (gphi *phi, edge to_header, edge entry)
{
  tree arg = PHI_ARG_DEF_FROM_EDGE (phi, to_header);
  if (TREE_CODE (arg) != SSA_NAME)
    return arg;
  gphi *inner = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (arg));
  return inner && gimple_bb (inner) == entry->dest
	 ? PHI_ARG_DEF_FROM_EDGE (inner, entry) : arg;
}

/* Are the results of the latch's phis used in the header's phis only?  */
static bool
phis_are_only_passed_on (basic_block latch, basic_block header)
{
  for (gphi_iterator gsi = gsi_start_phis (latch); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      imm_use_iterator iter;
      use_operand_p use;
      FOR_EACH_IMM_USE_FAST (use, iter, gimple_phi_result (gsi.phi ()))
	if (!is_gimple_debug (USE_STMT (use))
	    && (gimple_code (USE_STMT (use)) != GIMPLE_PHI
		|| gimple_bb (USE_STMT (use)) != header))
	  return false;
    }
  return true;
}

/* Does an entry of LOOP's latch leave a variable alone that another changes?  */
static bool
entries_differ (class loop *loop)
{
  edge to_header = single_succ_edge (loop->latch);
  for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gphi *phi = gsi.phi ();
      unsigned same = 0;
      edge e;
      edge_iterator ei;
      if (virtual_operand_p (gimple_phi_result (phi)))
	continue;
      FOR_EACH_EDGE (e, ei, loop->latch->preds)
	same += argument_through (phi, to_header, e)
		== gimple_phi_result (phi);
      if (same > 0 && same < EDGE_COUNT (loop->latch->preds))
	return true;
    }
  return false;
}

static bool
latch_is_divisible (class loop *loop)
{
  basic_block latch = loop->latch;
  if (!latch || latch == loop->header || !single_succ_p (latch)
      || EDGE_COUNT (latch->preds) < 2
      || EDGE_COUNT (latch->preds) > LATCHES_MAX
      || !gsi_end_p (gsi_start_nondebug_bb (latch)))
    return false;
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, latch->preds)
    if (e->flags & EDGE_COMPLEX || find_edge (e->src, loop->header))
      return false;
  return phis_are_only_passed_on (latch, loop->header)
	 && entries_differ (loop);
}

/* A copy of VALUE at the end of E's source, which E alone leaves.  */
static tree
value_copy (edge e, tree value)
{
  tree copy = copy_ssa_name (value);
  gimple_stmt_iterator gsi = gsi_last_bb (e->src);
  gsi_insert_after (&gsi, gimple_build_assign (copy, value), GSI_NEW_STMT);
  return copy;
}

/* Virtual operands are renamed later, and their phi, which can't have copies,
   goes meanwhile.  */
static void
virtual_phi_remove (basic_block bb)
{
  if (gphi *phi = get_virtual_phi (bb))
    {
      gimple_stmt_iterator gsi = gsi_for_stmt (phi);
      mark_virtual_phi_result_for_renaming (phi);
      remove_phi_node (&gsi, true);
    }
}

/* Lead the latch's entries straight to the header.  */
static void
latch_divide (class loop *loop)
{
  basic_block latch = loop->latch;
  edge to_header = single_succ_edge (latch);
  hash_set<tree> passed;
  virtual_phi_remove (loop->header);
  virtual_phi_remove (latch);
  while (EDGE_COUNT (latch->preds))
    {
      /* The edge that a test leaves by is the inner loop's.  */
      edge e = EDGE_PRED (latch, 0), other;
      edge_iterator ei;
      FOR_EACH_EDGE (other, ei, latch->preds)
	if (!single_succ_p (other->src))
	  e = other;
      auto_vec<tree> args;
      for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	args.safe_push (argument_through (gsi.phi (), to_header, e));
      e = redirect_edge_and_branch (e, loop->header);
      redirect_edge_var_map_clear (e);
      for (unsigned k = 0; k < args.length (); k++)
	if (TREE_CODE (args[k]) == SSA_NAME && passed.add (args[k])
	    && single_succ_p (e->src))
	  args[k] = value_copy (e, args[k]);
      unsigned i = 0;
      for (gphi_iterator gsi = gsi_start_phis (loop->header); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	add_phi_arg (gsi.phi (), args[i++], e, UNKNOWN_LOCATION);
    }
  loop->latch = NULL;
  delete_basic_block (latch);
}

void
trace_latches_divide (void)
{
  bool divided = false;
  if (!current_loops)
    return;
  for (unsigned i = 1; i < number_of_loops (cfun); i++)
    {
      class loop *loop = get_loop (cfun, i);
      if (loop && latch_is_divisible (loop))
	{
	  latch_divide (loop);
	  divided = true;
	}
    }
  if (!divided)
    return;
  free_dominance_info (CDI_DOMINATORS);
  free_dominance_info (CDI_POST_DOMINATORS);
  loops_state_set (LOOPS_NEED_FIXUP | LOOPS_MAY_HAVE_MULTIPLE_LATCHES);
}
