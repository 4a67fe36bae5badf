/* References of an inner loop, hoisted out of the loop around it.
   SPDX-License-Identifier: GPL-3.0-or-later

   An innermost loop that each iteration of the loop around it runs, equally
   often, makes the accesses

     address + i * stride + j * inner_stride

   of each reference that can be hoisted out of it, if its address before the
   inner loop is affine in the outer one.  One report of all of them does for
   what would be one for each run of the inner loop, which often is a short
   one.

   Holds no state.  */

#include "trace/trace.h"

/* EXPR, an invariant of an inner loop, as *BASE + i * *STEP in the I-th
   iteration of H's, both invariants of that; false if it is not affine.  */
static bool
affine_find (const trace_hoister *h, tree expr, tree *base, tree *step)
{
  *base = expr;
  *step = ssize_int (0);
  if (trace_invariant_p (h, expr))
    return true;
  tree chrec = instantiate_parameters (h->loop, expr);
  if (!chrec || chrec_contains_undetermined (chrec))
    return false;
  if (TREE_CODE (chrec) == POLYNOMIAL_CHREC)
    {
      if (CHREC_VARIABLE (chrec) != (unsigned) h->loop->num)
	return false;
      *step = CHREC_RIGHT (chrec);
      chrec = CHREC_LEFT (chrec);
    }
  *base = chrec;
  return !tree_contains_chrecs (*base, NULL)
	 && !tree_contains_chrecs (*step, NULL)
	 && trace_invariant_p (h, *base) && trace_invariant_p (h, *step);
}

/* What EXPR amounts to, if it does not vary in H->loop, or NULL_TREE.  */
static tree
invariant_find (const trace_hoister *h, tree expr)
{
  tree base, step;
  return affine_find (h, expr, &base, &step) && integer_zerop (step)
	 ? base : NULL_TREE;
}

/* Add C, a candidate of an inner loop that H's runs COUNT times, to H's.  */
static void
candidate_add (trace_hoister *h, const trace_candidate *c, tree count)
{
  tree base_step, offset_step;
  trace_candidate outer = *c;
  outer.inner = h->inner_loops;
  outer.inner_stride = invariant_find (h, c->stride);
  outer.inner_count = invariant_find (h, c->count);
  outer.count = count;
  if (!outer.inner_stride || !outer.inner_count
      || !affine_find (h, c->base, &outer.base, &base_step)
      || !affine_find (h, c->offset, &outer.offset, &offset_step))
    return;
  outer.stride = fold_build2 (PLUS_EXPR, ssizetype,
			      fold_convert (ssizetype, base_step),
			      fold_convert (ssizetype, offset_step));
  h->candidates.safe_push (outer);
}

void
trace_nest_candidates_find (trace_hoister *h, class loop *inner)
{
  trace_hoister x;
  x.context = h->context;
  x.refs = h->refs;
  x.loop = inner;
  x.inner_loops = 0;
  basic_block before = loop_preheader_edge (inner)->src;
  if (inner->inner || before->loop_father != h->loop || !trace_exits_find (&x))
    return;
  trace_candidates_find (&x);
  tree count = trace_block_count (h, before);
  h->inner_loops++;
  for (unsigned i = 0; i < x.candidates.length (); i++)
    candidate_add (h, &x.candidates[i], count);
}
