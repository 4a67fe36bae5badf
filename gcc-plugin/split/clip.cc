/* Clipping a loop to a range of its iterations.
   SPDX-License-Identifier: GPL-3.0-or-later

   All of it is worked out in 64 bits: signed where that holds what the loop's type
   holds, else unsigned.  No state.  */

#include "split/split.h"

/* The type to work in for an index of TYPE.  */
static tree
wide_type (tree type)
{
  return TYPE_UNSIGNED (type) && TYPE_PRECISION (type) == 64
	 ? long_long_unsigned_type_node : long_long_integer_type_node;
}

/* Does LOOP run up?  */
static bool
runs_up (gomp_for *loop)
{
  tree step = omp_get_for_step_from_incr (gimple_location (loop),
					  gimple_omp_for_incr (loop, 0));
  switch (gimple_omp_for_cond (loop, 0))
    {
    case LT_EXPR:
    case LE_EXPR:
      return true;
    case NE_EXPR:
      return integer_onep (step);
    default:
      return false;
    }
}

/* How far one step of LOOP goes, in WIDE.  */
static tree
step_size (gomp_for *loop, tree wide)
{
  tree type = TREE_TYPE (gimple_omp_for_index (loop, 0));
  tree incr = gimple_omp_for_incr (loop, 0);
  tree step = unshare_expr (TREE_OPERAND (incr, 1));
  bool negate = (TREE_CODE (incr) == MINUS_EXPR) == runs_up (loop);
  /* An unsigned step down is one up that wraps, in the loop's own type.  */
  if (negate && TYPE_UNSIGNED (type))
    step = fold_build1 (NEGATE_EXPR, type, fold_convert (type, step));
  step = fold_convert (wide, step);
  return negate && !TYPE_UNSIGNED (type)
	 ? fold_build1 (NEGATE_EXPR, wide, step) : step;
}

/* A step of 64 bits that is greater could get, in few iterations, beyond what
   split_all allows for.  */
#define STEP_MAX (HOST_WIDE_INT_1U << 20)

bool
split_step_is_good (gomp_for *loop)
{
  tree type = TREE_TYPE (gimple_omp_for_index (loop, 0));
  if (TYPE_PRECISION (type) <= 32)
    return true;
  tree size = step_size (loop, wide_type (type));
  return TREE_CODE (size) == INTEGER_CST
	 && wi::gtu_p (wi::to_wide (size), 0)
	 && wi::leu_p (wi::to_wide (size), STEP_MAX);
}

tree
split_all (gomp_for *loop)
{
  tree type = TREE_TYPE (gimple_omp_for_index (loop, 0));
  HOST_WIDE_INT all = HOST_WIDE_INT_C (0xffffffff);
  if (TYPE_PRECISION (type) > 32)
    all = (HOST_WIDE_INT_1 << 62)
	  / tree_to_shwi (fold_convert (long_long_integer_type_node,
					step_size (loop, wide_type (type))));
  return build_int_cst (long_long_integer_type_node, all);
}

tree
split_variable (const char *name, tree type)
{
  tree v = build_decl (UNKNOWN_LOCATION, VAR_DECL, get_identifier (name), type);
  TREE_USED (v) = 1;
  DECL_ARTIFICIAL (v) = 1;
  DECL_IGNORED_P (v) = 1;
  DECL_CONTEXT (v) = current_function_decl;
  DECL_SEEN_IN_BIND_EXPR_P (v) = 1;
  return v;
}

/* The last index of the loop in WIDE, and one more in the direction that it runs,
   UP or down.  */
static tree
loop_end (gomp_for *loop, tree wide, bool up)
{
  tree end = fold_convert (wide, unshare_expr (gimple_omp_for_final (loop, 0)));
  tree_code cond = gimple_omp_for_cond (loop, 0);
  return cond == LE_EXPR || cond == GE_EXPR
	 ? fold_build2 (up ? PLUS_EXPR : MINUS_EXPR, wide, end,
			build_one_cst (wide)) : end;
}

/* How far it is from BEGIN to the end of LOOP; 0 or less, but in unsigned numbers 0,
   where it doesn't run.  */
static tree
loop_span (gomp_for *loop, tree wide, bool up, tree begin)
{
  tree end = loop_end (loop, wide, up);
  if (TYPE_UNSIGNED (wide))
    end = fold_build2 (up ? MAX_EXPR : MIN_EXPR, wide, end, unshare_expr (begin));
  return up ? fold_build2 (MINUS_EXPR, wide, end, unshare_expr (begin))
	    : fold_build2 (MINUS_EXPR, wide, unshare_expr (begin), end);
}

/* Let LOOP go from FIRST to LAST.  */
static void
bounds_set (gomp_for *loop, bool up, tree first, tree last)
{
  gimple_omp_for_set_cond (loop, 0, up ? LT_EXPR : GT_EXPR);
  gimple_omp_for_set_initial (loop, 0, first);
  gimple_omp_for_set_final (loop, 0, last);
}

void
split_clip (gimple_stmt_iterator *gsi, tree lo, tree hi)
{
  gomp_for *loop = as_a <gomp_for *> (gsi_stmt (*gsi));
  tree type = TREE_TYPE (gimple_omp_for_index (loop, 0));
  tree wide = wide_type (type);
  bool up = runs_up (loop);
  tree_code away = up ? PLUS_EXPR : MINUS_EXPR;
  tree begin = fold_convert (wide,
			     unshare_expr (gimple_omp_for_initial (loop, 0)));
  tree size = step_size (loop, wide);
  tree to_lo = fold_build2 (MULT_EXPR, wide, fold_convert (wide, lo), size);
  tree to_hi = fold_build2 (MULT_EXPR, wide, fold_convert (wide, hi),
			    unshare_expr (size));
  tree span = loop_span (loop, wide, up, begin);
  tree first = split_variable ("split_first", type);
  tree last = split_variable ("split_last", type);
  DECL_CHAIN (first) = last;

  gbind *bind = gimple_build_bind (first, NULL, NULL_TREE);
  gimple_seq seq = gimple_omp_for_pre_body (loop);
  gimple_omp_for_set_pre_body (loop, NULL);
  gsi_replace (gsi, bind, false);
  push_gimplify_context ();
  gimplify_assign (first, fold_convert (type, fold_build2 (away, wide,
							   unshare_expr (begin),
							   to_lo)), &seq);
  tree most = fold_build2 (MIN_EXPR, wide, span, to_hi);
  gimplify_assign (last, fold_convert (type, fold_build2 (away, wide, begin,
							  most)), &seq);
  pop_gimplify_context (bind);
  bounds_set (loop, up, first, last);
  gimple_seq_add_stmt (&seq, loop);
  gimple_bind_set_body (bind, seq);
}
