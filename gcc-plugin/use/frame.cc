/* A function as one thread runs it: conditions, and what it never takes.
   SPDX-License-Identifier: GPL-3.0-or-later

   Also what derives from the numbers of threads and teams, by which work-shared
   loops are known.  Owns the frames' contents.  */

#include "use/use.h"

bool
use_edge_condition (use_region *region, use_frame *frame, edge e, use_poly *d,
		    tree_code *code)
{
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (e->src)));
  if (!cond || !(e->flags & (EDGE_TRUE_VALUE | EDGE_FALSE_VALUE)))
    return false;
  tree type = TREE_TYPE (gimple_cond_lhs (cond));
  if (!INTEGRAL_TYPE_P (type) && !POINTER_TYPE_P (type))
    return false;
  *code = gimple_cond_code (cond);
  if (e->flags & EDGE_FALSE_VALUE)
    *code = invert_tree_comparison (*code, false);
  use_poly a = use_eval (region, frame, gimple_cond_lhs (cond));
  use_poly b = use_eval (region, frame, gimple_cond_rhs (cond));
  switch (*code)
    {
    case GT_EXPR:
      *d = use_add (a, b, -1);
      return true;
    case GE_EXPR:
      *d = use_add (use_add (a, b, -1), use_const (1));
      return true;
    case LT_EXPR:
      *d = use_add (b, a, -1);
      return true;
    case LE_EXPR:
      *d = use_add (use_add (b, a, -1), use_const (1));
      return true;
    case EQ_EXPR:
    case NE_EXPR:
      *d = use_add (a, b, -1);
      return true;
    default:
      return false;
    }
}

/* Is NAME, of an unsigned type, a difference, which may wrap?  Where a range of a loop begins
   and ends (split/) is none for that: it is in the loop.  */
static bool
is_difference (tree name)
{
  while (TREE_CODE (name) == SSA_NAME)
    {
      if (use_is_named (name, "split_"))
	return false;
      gimple *def = SSA_NAME_DEF_STMT (name);
      if (!is_gimple_assign (def))
	return false;
      tree_code code = gimple_assign_rhs_code (def);
      if (code == MINUS_EXPR)
	return true;
      if (code == PLUS_EXPR)
	{
	  tree k = gimple_assign_rhs2 (def);
	  return TREE_CODE (k) == INTEGER_CST
		 && wi::neg_p (wi::to_wide (k), SIGNED);
	}
      if (code != SSA_NAME)
	return false;
      name = gimple_assign_rhs1 (def);
    }
  return false;
}

use_range
use_edge_range (use_region *region, use_frame *frame, edge e, use_poly *d)
{
  gcond *cond = as_a <gcond *> (gsi_stmt (gsi_last_bb (e->src)));
  tree less = gimple_cond_lhs (cond), more = gimple_cond_rhs (cond);
  tree_code code = gimple_cond_code (cond);
  if (!INTEGRAL_TYPE_P (TREE_TYPE (less)) || !TYPE_UNSIGNED (TREE_TYPE (less))
      || code == EQ_EXPR || code == NE_EXPR)
    return USE_RANGE_NONE;
  if (e->flags & EDGE_FALSE_VALUE)
    code = invert_tree_comparison (code, false);
  if (code == GT_EXPR || code == GE_EXPR)
    std::swap (less, more);
  if (is_difference (more))
    return USE_RANGE_OUT;
  if (!is_difference (less))
    return USE_RANGE_NONE;
  *d = use_add (use_eval (region, frame, less), use_const (1));
  return USE_RANGE_IN;
}

/* Does NAME start a loop with something that derives from them?  */
static bool
starts_shared (use_frame *frame, tree name)
{
  gphi *phi = TREE_CODE (name) == SSA_NAME
	      ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (name)) : NULL;
  if (!phi || !use_is_header_phi (phi))
    return false;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    if (TREE_CODE (gimple_phi_arg_def (phi, i)) == SSA_NAME
	&& frame->shared.contains (gimple_phi_arg_def (phi, i)))
      return true;
  return false;
}

/* Does STMT's result derive from the number of a thread, a team, or of them,
   given the operands that do?  */
static bool
stmt_is_shared (use_frame *frame, gimple *stmt)
{
  if (use_is_call (stmt, use_thread_calls)
      || use_is_call (stmt, use_count_calls))
    return true;
  if (gimple_assign_load_p (stmt))
    {
      tree base = get_base_address (gimple_assign_rhs1 (stmt));
      if (!base || !VAR_P (base) || !DECL_NAME (base))
	return false;
      const char *name = IDENTIFIER_POINTER (DECL_NAME (base));
      return startswith (name, ".istart") || startswith (name, ".iend");
    }
  if (!is_gimple_assign (stmt))
    return false;
  /* Of the nest that GCC makes of collapsed loops with simd: the end of a row,
     or of what is left of the share.  */
  if (gimple_assign_rhs_code (stmt) == MIN_EXPR
      && starts_shared (frame, gimple_assign_rhs1 (stmt))
      && starts_shared (frame, gimple_assign_rhs2 (stmt)))
    return true;
  tree name;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (name, stmt, iter, SSA_OP_USE)
    if (frame->shared.contains (name))
      return true;
  return false;
}

static void
block_share (use_frame *frame, basic_block block)
{
  for (gphi_iterator gsi = gsi_start_phis (block); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gphi *phi = gsi.phi ();
      if (use_is_header_phi (phi))
	continue;
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	{
	  tree arg = gimple_phi_arg_def (phi, i);
	  if (TREE_CODE (arg) == SSA_NAME && frame->shared.contains (arg))
	    frame->shared.add (gimple_phi_result (phi));
	}
    }
  for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      tree lhs = gimple_get_lhs (stmt);
      if (lhs && TREE_CODE (lhs) == SSA_NAME && stmt_is_shared (frame, stmt))
	frame->shared.add (lhs);
    }
}

/* Find the edges that one thread alone never takes.  */
static void
block_prune (use_region *region, use_frame *frame, basic_block block)
{
  edge e;
  edge_iterator ei;
  bool live = block == ENTRY_BLOCK_PTR_FOR_FN (frame->fun);
  /* By an edge from above; what comes back comes from here.  */
  FOR_EACH_EDGE (e, ei, block->preds)
    if (!frame->dead.contains (e) && frame->places[e->src->index]->live)
      live = true;
  frame->places[block->index]->live = live;
  FOR_EACH_EDGE (e, ei, block->succs)
    {
      use_poly d;
      tree_code code;
      HOST_WIDE_INT k;
      if (!live)
	frame->dead.add (e);
      else if (use_edge_condition (region, frame, e, &d, &code)
	       && use_is_const (d, &k)
	       && !(code == EQ_EXPR ? k == 0 : code == NE_EXPR ? k != 0
					     : k > 0))
	frame->dead.add (e);
    }
}

void
use_frame_prepare (use_region *region, use_frame *frame)
{
  unsigned blocks = last_basic_block_for_fn (frame->fun);
  for (unsigned i = 0; i < blocks; i++)
    frame->places.safe_push (new use_place ());
  for (unsigned i = 0; i < number_of_loops (frame->fun); i++)
    frame->loops.safe_push (NULL);
  auto_vec<int> order;
  order.safe_grow (n_basic_blocks_for_fn (frame->fun));
  int n = pre_and_rev_post_order_compute_fn (frame->fun, NULL,
					     order.address (), false);
  frame->places[ENTRY_BLOCK]->live = true;
  for (int i = 0; i < n; i++)
    block_share (frame, BASIC_BLOCK_FOR_FN (frame->fun, order[i]));
  for (int i = 0; i < n; i++)
    block_prune (region, frame, BASIC_BLOCK_FOR_FN (frame->fun, order[i]));
}

void
use_frame_free (use_frame *frame)
{
  for (unsigned i = 0; i < frame->places.length (); i++)
    delete frame->places[i];
  frame->places.release ();
  for (unsigned i = 0; i < frame->loops.length (); i++)
    delete frame->loops[i];
  frame->loops.release ();
  delete frame;
}
