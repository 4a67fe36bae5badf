/* Rows of collapsed nests whose innermost loop is `simd'.
   SPDX-License-Identifier: GPL-3.0-or-later

   Of such a nest GCC leaves the innermost loop a loop (expand_omp_simd and
   expand_omp_for_static_nochunk in gcc/omp-expand.cc): it goes to the end of
   its row or of the thread's share, whichever comes first.  Owns nothing.  */

#include "use/use.h"

/* The name that NAME is a copy of, through PHIs that join nothing.  */
static tree
copied_name (tree name)
{
  gphi *phi;
  while (TREE_CODE (name) == SSA_NAME
	 && (phi = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (name)))
	 && gimple_phi_num_args (phi) == 1)
    name = gimple_phi_arg_def (phi, 0);
  return name;
}

/* In the loop around, it goes on as the end less the number at which the row
   stopped.  */
bool
use_is_share_rest (tree name)
{
  gphi *phi = TREE_CODE (name) == SSA_NAME
	      ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (name)) : NULL;
  if (!phi || !use_is_header_phi (phi))
    return false;
  class loop *loop = gimple_bb (phi)->loop_father;
  for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
    {
      tree next = gimple_phi_arg_def (phi, i);
      if (!flow_bb_inside_loop_p (loop, gimple_phi_arg_edge (phi, i)->src)
	  || TREE_CODE (next) != SSA_NAME
	  || !is_gimple_assign (SSA_NAME_DEF_STMT (next))
	  || gimple_assign_rhs_code (SSA_NAME_DEF_STMT (next)) != MINUS_EXPR)
	continue;
      tree at = copied_name (gimple_assign_rhs2 (SSA_NAME_DEF_STMT (next)));
      gimple *stop = TREE_CODE (at) == SSA_NAME ? SSA_NAME_DEF_STMT (at) : NULL;
      if (stop && use_is_header_phi (stop)
	  && loop_outer (gimple_bb (stop)->loop_father) == loop)
	return true;
    }
  return false;
}

/* From START to START + min (row, rest).  */
bool
use_loop_is_row (class loop *loop)
{
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (loop->header)));
  tree name = cond ? gimple_cond_rhs (cond) : NULL_TREE;
  if (!name || TREE_CODE (name) != SSA_NAME
      || !is_gimple_assign (SSA_NAME_DEF_STMT (name))
      || gimple_assign_rhs_code (SSA_NAME_DEF_STMT (name)) != PLUS_EXPR)
    return false;
  for (unsigned i = 1; i <= 2; i++)
    {
      tree op = gimple_op (SSA_NAME_DEF_STMT (name), i);
      gimple *least = TREE_CODE (op) == SSA_NAME ? SSA_NAME_DEF_STMT (op) : NULL;
      if (least && is_gimple_assign (least)
	  && gimple_assign_rhs_code (least) == MIN_EXPR
	  && (use_is_share_rest (gimple_assign_rhs1 (least))
	      || use_is_share_rest (gimple_assign_rhs2 (least))))
	return true;
    }
  return false;
}

/* With three loops and more, that in which the next row is found lies beside the row.  */
bool
use_loop_has_rows (class loop *loop)
{
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (use_loop_is_row (inner))
      return true;
  return false;
}

/* Where an index has got to its bound, the next one goes on: if that has not got there, once more
   from the test of the first, as rows may be empty for all that GCC knows.  Nobody comes here but
   where no row is empty.  */
bool
use_loop_carries (class loop *loop, class loop *around)
{
  return loop != around && loop_outer (loop) == around && !loop->inner && !use_loop_is_row (loop)
	 && use_loop_has_rows (around);
}
