/* Which regions can be run by ranges.
   SPDX-License-Identifier: GPL-3.0-or-later

   All of a region but its one loop runs once for each range; so nothing may be
   there that shows it.  What only works out values that each range finds alike
   does not.  Changes nothing.  */

#include "split/split.h"

static void
refuse (split_form *form, const char *why)
{
  if (!form->why)
    form->why = why;
}

/* Has each range the same value of OP, an operand beside the loop?  What is loaded
   from memory is left to split_body_look.  */
static bool
operand_is_constant (split_form *form, tree op)
{
  if (is_gimple_min_invariant (op) || TREE_CODE (op) == CONSTRUCTOR)
    return true;
  tree base = get_base_address (op);
  if (!base || TREE_THIS_VOLATILE (op))
    return false;
  if (form->own.contains (base))
    return true;
  /* A reference to a variable of the region's own.  */
  if ((TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
      && TREE_CODE (TREE_TYPE (TREE_OPERAND (base, 0))) == REFERENCE_TYPE
      && form->own.contains (TREE_OPERAND (base, 0)))
    return true;
  form->loads.safe_push (op);
  return true;
}

/* Does STMT only work out a value of the region's own, from such values?  */
static bool
assignment_is_harmless (split_form *form, gimple *stmt)
{
  if (gimple_clobber_p (stmt))
    return true;
  tree base = get_base_address (gimple_assign_lhs (stmt));
  if (gimple_has_volatile_ops (stmt) || !base || !form->own.contains (base))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    if (gimple_op (stmt, i) && !operand_is_constant (form, gimple_op (stmt, i)))
      return false;
  return true;
}

static void sequence_look (split_form *form, gimple_seq seq, bool combined);

/* Statement STMT stands beside the loop.  */
static void
beside_look (split_form *form, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_NOP:
    case GIMPLE_LABEL:
    case GIMPLE_PREDICT:
    case GIMPLE_DEBUG:
      break;
    case GIMPLE_ASSIGN:
      if (assignment_is_harmless (form, stmt))
	break;
      /* Fall through.  */
    default:
      refuse (form, "statements beside its loop");
    }
}

static void
reduction_look (split_form *form, tree c)
{
  if (OMP_CLAUSE_REDUCTION_INSCAN (c))
    refuse (form, "a scan");
  else if (OMP_CLAUSE_REDUCTION_TASK (c))
    refuse (form, "a reduction of tasks");
  else if (OMP_CLAUSE_REDUCTION_OMP_ORIG_REF (c))
    refuse (form, "a reduction that begins with the variable's value");
}

static void
loop_clauses_look (split_form *form, gomp_for *loop)
{
  for (tree c = gimple_omp_for_clauses (loop); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_LASTPRIVATE:
	if (!OMP_CLAUSE_LASTPRIVATE_LOOP_IV (c))
	  form->lasts.safe_push (c);
	break;
      case OMP_CLAUSE_LINEAR:
	form->lasts.safe_push (c);
	break;
      case OMP_CLAUSE_ORDERED:
	refuse (form, "an ordered loop");
	break;
      case OMP_CLAUSE_REDUCTION:
	reduction_look (form, c);
	break;
      default:
	break;
      }
}

/* The last iteration's value is right if the last range runs last and has one: the
   indices, which each construct of a combined loop may name, may be so.  Of other
   variables a range that doesn't set them would leave nothing.  */
static void
lasts_look (split_form *form)
{
  for (unsigned i = 0; i < form->lasts.length (); i++)
    if (!form->indices.contains (OMP_CLAUSE_DECL (form->lasts[i])))
      refuse (form, OMP_CLAUSE_CODE (form->lasts[i]) == OMP_CLAUSE_LASTPRIVATE
		    ? "lastprivate" : "a linear variable beside its index");
}

/* The variables that each thread of a construct with CLAUSES has for itself, but
   those that begin with a value: what a thread's iterations make of that is lost
   with each range.  */
static void
privatised_add (split_form *form, tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_LASTPRIVATE:
      case OMP_CLAUSE_LINEAR:
      case OMP_CLAUSE_REDUCTION:
	form->privatised.add (OMP_CLAUSE_DECL (c));
	break;
      default:
	break;
      }
}

/* Can LOOP be clipped?  */
static void
loop_shape_look (split_form *form, gomp_for *loop)
{
  tree type = TREE_TYPE (gimple_omp_for_index (loop, 0));
  switch (gimple_omp_for_kind (loop))
    {
    case GF_OMP_FOR_KIND_FOR:
    case GF_OMP_FOR_KIND_DISTRIBUTE:
    case GF_OMP_FOR_KIND_SIMD:
      break;
    default:
      refuse (form, "a loop of tasks");
      return;
    }
  if (!INTEGRAL_TYPE_P (type))
    refuse (form, "a loop whose index is a pointer");
  else if (TYPE_PRECISION (type) > 64)
    refuse (form, "a loop whose index has more than 64 bits");
  else if (!split_step_is_good (loop))
    refuse (form, "a loop in 64 bits whose step is no constant up to 2^20");
  for (unsigned i = 1; i < gimple_omp_for_collapse (loop); i++)
    if (TREE_CODE (gimple_omp_for_initial (loop, i)) == TREE_VEC
	|| TREE_CODE (gimple_omp_for_final (loop, i)) == TREE_VEC)
      refuse (form, "collapsed loops whose bounds depend on each other");
}

static void
loop_look (split_form *form, gomp_for *loop, bool combined)
{
  if (!form->loops.is_empty () && !combined)
    {
      refuse (form, "more than one work-shared loop");
      return;
    }
  loop_shape_look (form, loop);
  sequence_look (form, gimple_omp_for_pre_body (loop), false);
  loop_clauses_look (form, loop);
  privatised_add (form, gimple_omp_for_clauses (loop));
  for (unsigned i = 0; i < gimple_omp_for_collapse (loop); i++)
    {
      form->indices.add (gimple_omp_for_index (loop, i));
      form->privatised.add (gimple_omp_for_index (loop, i));
    }
  if (!combined || gimple_omp_for_collapse (loop) > 1)
    form->loops.safe_push (loop);
  form->body = gimple_omp_body (loop);
  if (gimple_omp_for_combined_p (loop))
    sequence_look (form, gimple_omp_body (loop), true);
}

static void
taskreg_look (split_form *form, gimple *stmt, bool combined)
{
  tree clauses = gimple_omp_taskreg_clauses (stmt);
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION)
      reduction_look (form, c);
  privatised_add (form, clauses);
  /* Those combined into a loop get their bounds from it, but the indices of a
     collapsed nest, which each works out from its own.  */
  if (!combined || gimple_omp_for_collapse (form->loops[0]) > 1)
    form->taskregs.safe_push (stmt);
  sequence_look (form, gimple_omp_body (stmt), combined);
}

/* SEQ is in the region, outside its loop's body; COMBINED: within a construct that
   its loop combines.  */
static void
sequence_look (split_form *form, gimple_seq seq, bool combined)
{
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      switch (gimple_code (stmt))
	{
	case GIMPLE_BIND:
	  for (tree v = gimple_bind_vars (as_a <gbind *> (stmt)); v;
	       v = DECL_CHAIN (v))
	    if (VAR_P (v) && !is_global_var (v))
	      form->own.add (v);
	  sequence_look (form, gimple_bind_body (as_a <gbind *> (stmt)), combined);
	  break;
	case GIMPLE_TRY:
	  sequence_look (form, gimple_try_eval (stmt), combined);
	  sequence_look (form, gimple_try_cleanup (stmt), combined);
	  break;
	case GIMPLE_OMP_TEAMS:
	case GIMPLE_OMP_PARALLEL:
	  taskreg_look (form, stmt, combined);
	  break;
	case GIMPLE_OMP_FOR:
	  loop_look (form, as_a <gomp_for *> (stmt), combined);
	  break;
	default:
	  beside_look (form, stmt);
	}
    }
}

/* What the clauses of the construct itself say.  */
static void
target_clauses_look (split_form *form, gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_IN_REDUCTION:
	refuse (form, "a reduction of tasks");
	break;
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_FIRSTPRIVATE:
	/* What is written there is written through pointers.  */
	if (!TYPE_SIZE (TREE_TYPE (OMP_CLAUSE_DECL (c)))
	    || TREE_CODE (TYPE_SIZE (TREE_TYPE (OMP_CLAUSE_DECL (c))))
	       != INTEGER_CST)
	  refuse (form, "an array of the region's own whose size is no constant");
	form->own.add (OMP_CLAUSE_DECL (c));
	break;
      default:
	break;
      }
}

void
split_form_find (split_form *form, gomp_target *stmt)
{
  form->why = NULL;
  form->flags = 0;
  target_clauses_look (form, stmt);
  sequence_look (form, gimple_omp_body (stmt), false);
  if (form->loops.is_empty ())
    form->why = "no work-shared loop";
  else
    {
      lasts_look (form);
      split_body_look (form);
    }
}
