/* The pass that lets regions be run by ranges.
   SPDX-License-Identifier: GPL-3.0-or-later

   Owns what was found of the regions of the function at hand.  */

#include "split/split.h"

static hash_map<gimple *, ummgr_split> *found;

const ummgr_split *
ummgr_split_of (gomp_target *stmt)
{
  return found ? found->get (stmt) : NULL;
}

/* What clip_statement is told.  */
struct clipping
{
  split_form *form;
  tree lo, hi;
};

/* walk_gimple_seq_mod's callback within a region.  */
static tree
clip_statement (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *wi)
{
  clipping *c = (clipping *) wi->info;
  gomp_for *loop = dyn_cast <gomp_for *> (gsi_stmt (*gsi));
  if (!loop || !c->form->loops.contains (loop))
    return NULL_TREE;
  *handled = true;
  split_clip (gsi, c->lo, c->hi);
  walk_stmt_info inner = {};
  inner.info = wi->info;
  if (c->form->loops.last () != loop)
    walk_gimple_seq_mod (gimple_omp_body_ptr (loop), clip_statement, NULL, &inner);
  return NULL_TREE;
}

static tree
clause_new (omp_clause_code code, tree decl, tree chain)
{
  tree c = build_omp_clause (UNKNOWN_LOCATION, code);
  OMP_CLAUSE_DECL (c) = decl;
  OMP_CLAUSE_CHAIN (c) = chain;
  return c;
}

/* Let the constructs in the region have LO and HI: teams share the region's, each
   parallel gets its own.  */
static void
taskregs_pass (const split_form *form, tree lo, tree hi)
{
  for (unsigned i = 0; i < form->taskregs.length (); i++)
    {
      gimple *stmt = form->taskregs[i];
      omp_clause_code code = gimple_code (stmt) == GIMPLE_OMP_TEAMS
			     ? OMP_CLAUSE_SHARED : OMP_CLAUSE_FIRSTPRIVATE;
      tree chain = gimple_omp_taskreg_clauses (stmt);
      gimple_omp_taskreg_set_clauses
	(stmt, clause_new (code, lo, clause_new (code, hi, chain)));
    }
}

/* Put the region that GSI is at into a bind that declares LO and HI.  */
static void
region_wrap (gimple_stmt_iterator *gsi, tree lo, tree hi, tree all)
{
  gomp_target *stmt = as_a <gomp_target *> (gsi_stmt (*gsi));
  tree *end = gimple_omp_target_clauses_ptr (stmt);
  while (*end)
    end = &OMP_CLAUSE_CHAIN (*end);
  *end = clause_new (OMP_CLAUSE_FIRSTPRIVATE, lo,
		     clause_new (OMP_CLAUSE_FIRSTPRIVATE, hi, NULL_TREE));
  DECL_CHAIN (lo) = hi;
  gbind *bind = gimple_build_bind (lo, NULL, NULL_TREE);
  gsi_replace (gsi, bind, false);
  gimple_seq seq = NULL;
  gimple_seq_add_stmt (&seq, gimple_build_assign
			       (lo, build_zero_cst (TREE_TYPE (lo))));
  gimple_seq_add_stmt (&seq, gimple_build_assign (hi, all));
  gimple_seq_add_stmt (&seq, stmt);
  gimple_bind_set_body (bind, seq);
}

static void
region_split (gimple_stmt_iterator *gsi, split_form *form)
{
  gomp_target *stmt = as_a <gomp_target *> (gsi_stmt (*gsi));
  tree lo = split_variable (UMMGR_SPLIT_LO, long_long_integer_type_node);
  tree hi = split_variable (UMMGR_SPLIT_HI, long_long_integer_type_node);
  tree all = split_all (form->loops[0]);
  clipping c = { form, lo, hi };
  walk_stmt_info wi = {};
  wi.info = &c;
  walk_gimple_seq_mod (gimple_omp_body_ptr (stmt), clip_statement, NULL, &wi);
  taskregs_pass (form, lo, hi);
  region_wrap (gsi, lo, hi, all);
}

/* walk_gimple_seq_mod's callback on a function's body.  */
static tree
statement_look (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *)
{
  gomp_target *stmt = dyn_cast <gomp_target *> (gsi_stmt (*gsi));
  if (!stmt || gimple_omp_target_kind (stmt) != GF_OMP_TARGET_KIND_REGION)
    return NULL_TREE;
  *handled = true;
  split_form form;
  split_form_find (&form, stmt);
  ummgr_split split = { form.why, form.flags };
  if (!form.why)
    region_split (gsi, &form);
  found->put (stmt, split);
  if (dump_file)
    {
      expanded_location at = expand_location (gimple_location (stmt));
      fprintf (dump_file, ";; ummgr: split at %s:%d:%d: %s%s\n",
	       at.file ? lbasename (at.file) : "", at.line, at.column,
	       form.why ? "no: " : "by ranges", form.why ? form.why : "");
    }
  return NULL_TREE;
}

static void
function_split (function *)
{
  if (!found)
    found = new hash_map<gimple *, ummgr_split>;
  found->empty ();
  walk_stmt_info wi = {};
  gimple_seq body = gimple_body (current_function_decl);
  walk_gimple_seq_mod (&body, statement_look, NULL, &wi);
  gimple_set_body (current_function_decl, body);
}

opt_pass *
ummgr_pass_split_new (void)
{
  static const ummgr_pass pass = {
    GIMPLE_PASS, UMMGR_PASS_SPLIT, OPTGROUP_OMP, PROP_gimple_any,
    ummgr_unit_offloads, function_split
  };
  return ummgr_pass_new (&pass);
}
