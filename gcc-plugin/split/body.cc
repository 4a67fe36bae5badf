/* What the body of a region's loop does that a run by ranges has to know.
   SPDX-License-Identifier: GPL-3.0-or-later

   A variable that belongs to the region, and not to a thread, begins anew with
   each range.  Changes nothing.  */

#include "split/split.h"

static void
refuse (split_form *form, const char *why)
{
  if (!form->why)
    form->why = why;
}

/* Is DECL a variable that iterations share, and the region alone?  GCC's
   temporaries are set before they are used, in each iteration.  */
static bool
is_shared_own (split_form *form, tree decl)
{
  return DECL_P (decl) && !DECL_ARTIFICIAL (decl) && form->own.contains (decl)
	 && !form->privatised.contains (decl);
}

/* EXPR is written, or its address may go anywhere.  */
static void
written_look (split_form *form, tree expr)
{
  tree base = get_base_address (expr);
  if (!base)
    return;
  /* A reference, which the source doesn't show.  */
  if ((TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
      && TREE_CODE (TREE_TYPE (TREE_OPERAND (base, 0))) == REFERENCE_TYPE)
    base = TREE_OPERAND (base, 0);
  if (is_shared_own (form, base))
    refuse (form, "a variable of the region's own that its iterations write");
}

/* EXPR is written: may it be what was read before the loop?  */
static void
store_look (split_form *form, tree expr)
{
  if (DECL_P (expr) && form->own.contains (expr))
    return;
  for (unsigned i = 0; i < form->loads.length (); i++)
    {
      tree a = get_base_address (form->loads[i]), b = get_base_address (expr);
      bool apart = DECL_P (a) && b && DECL_P (b) && a != b
		   && TREE_CODE (TREE_TYPE (a)) != REFERENCE_TYPE
		   && TREE_CODE (TREE_TYPE (b)) != REFERENCE_TYPE;
      if (!apart && alias_sets_conflict_p (get_alias_set (form->loads[i]),
					   get_alias_set (expr)))
	refuse (form, "bounds that its iterations may write");
    }
}

/* What ADDRESS is that of.  */
static tree
pointed_at (tree address)
{
  return TREE_CODE (address) == ADDR_EXPR ? TREE_OPERAND (address, 0)
	 : build_simple_mem_ref (address);
}

/* Clauses of a construct in the body that write variables around it.  */
static void
clauses_look (split_form *form, tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_REDUCTION
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LASTPRIVATE
	|| OMP_CLAUSE_CODE (c) == OMP_CLAUSE_LINEAR)
      written_look (form, OMP_CLAUSE_DECL (c));
}

static void
call_look (split_form *form, gimple *stmt)
{
  tree fndecl = gimple_call_fndecl (stmt);
  if (fndecl && (fndecl_built_in_p (fndecl, BUILT_IN_GOMP_CANCEL)
		 || fndecl_built_in_p (fndecl, BUILT_IN_GOMP_CANCELLATION_POINT)))
    {
      refuse (form, "a loop that may be cancelled");
      return;
    }
  const char *name = fndecl && DECL_NAME (fndecl)
		     ? IDENTIFIER_POINTER (DECL_NAME (fndecl)) : "";
  if (startswith (name, "__atomic_") || startswith (name, "__sync_"))
    form->flags |= UMMGR_SPLIT_ATOMIC
		   | (gimple_call_lhs (stmt) ? UMMGR_SPLIT_ATOMIC_VALUE : 0);
  else if (!(gimple_call_flags (stmt) & (ECF_CONST | ECF_PURE))
	   && !(fndecl && fndecl_built_in_p (fndecl)))
    form->flags |= UMMGR_SPLIT_CALLS;
  else
    return;
  if (!form->loads.is_empty ())
    refuse (form, "bounds that its iterations may write");
}

/* walk_gimple_seq's callback.  */
static tree
statement_look (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *wi)
{
  split_form *form = (split_form *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_OMP_ATOMIC_LOAD:
      form->flags |= UMMGR_SPLIT_ATOMIC;
      store_look (form, pointed_at (gimple_omp_atomic_load_rhs
				      (as_a <gomp_atomic_load *> (stmt))));
      if (gimple_omp_atomic_need_value_p (stmt))
	form->flags |= UMMGR_SPLIT_ATOMIC_VALUE;
      break;
    case GIMPLE_OMP_ATOMIC_STORE:
      if (gimple_omp_atomic_need_value_p (stmt))
	form->flags |= UMMGR_SPLIT_ATOMIC_VALUE;
      break;
    case GIMPLE_OMP_FOR:
      clauses_look (form, gimple_omp_for_clauses (stmt));
      break;
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
      clauses_look (form, gimple_omp_taskreg_clauses (stmt));
      break;
    case GIMPLE_OMP_SECTIONS:
      clauses_look (form, gimple_omp_sections_clauses (stmt));
      break;
    case GIMPLE_OMP_SCAN:
      refuse (form, "a scan");
      break;
    case GIMPLE_OMP_ORDERED:
      refuse (form, "an ordered loop");
      break;
    case GIMPLE_CALL:
      call_look (form, stmt);
      /* Fall through.  */
    default:
      if (tree lhs = gimple_get_lhs (stmt))
	{
	  written_look (form, lhs);
	  store_look (form, lhs);
	}
    }
  return NULL_TREE;
}

/* The same, of operands.  */
static tree
operand_look (tree *tp, int *, void *data)
{
  split_form *form = (split_form *) ((walk_stmt_info *) data)->info;
  if (TREE_CODE (*tp) == ADDR_EXPR)
    written_look (form, TREE_OPERAND (*tp, 0));
  else if (VAR_P (*tp) && is_global_var (*tp)
	   && (lookup_attribute ("omp declare target", DECL_ATTRIBUTES (*tp))
	       || lookup_attribute ("omp declare target link",
				    DECL_ATTRIBUTES (*tp))))
    form->flags |= UMMGR_SPLIT_STATICS;
  return NULL_TREE;
}

void
split_body_look (split_form *form)
{
  walk_stmt_info wi = {};
  wi.info = form;
  walk_gimple_seq (form->body, statement_look, operand_look, &wi);
}
