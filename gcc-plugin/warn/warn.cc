/* Map clauses of target regions and target data constructs: which are in doubt.
   SPDX-License-Identifier: GPL-3.0-or-later

   Looks at what a clause maps as a whole: a variable, a section of an array
   variable or of what a pointer variable points to, what a reference refers to.
   Members, sections of sections, and what another clause of the construct, an
   enclosing data construct or an enter data of the function maps too, are left
   alone: what such a clause does depends on more than its region.

   Owns ummgr_warn_unit.  */

#include "warn/warn.h"

ummgr_warn_unit_facts ummgr_warn_unit;

/* A clause of a construct that maps an item.  */
struct mapping
{
  tree clause;
  ummgr_item item;
  bool section;
};

/* What the function being walked maps for longer than one construct.  */
struct walk
{
  hash_set<tree> lasting;	/* By enter data.  */
  hash_set<tree> addressed;	/* And what may be pointed to.  */
  hash_set<tree> asynchronous;	/* By regions that run on.  */
  hash_map<tree, gassign *> temporaries;	/* That are pointers.  */
  auto_vec<tree> enclosing;	/* By target data around what is walked.  */
  bool threads;			/* Another construct of the host is around it.  */
  ummgr_lexical *lexical;
};

/* Does a clause of this kind say which pointer a section belongs to?  */
static bool
kind_names_pointer (unsigned kind)
{
  return kind == GOMP_MAP_FIRSTPRIVATE_POINTER
	 || kind == GOMP_MAP_FIRSTPRIVATE_REFERENCE
	 || kind == GOMP_MAP_ATTACH || kind == GOMP_MAP_POINTER;
}

/* Does no clause of CLAUSES map the pointer variable DECL itself?  */
static bool
pointer_is_free (tree clauses, tree decl)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP && OMP_CLAUSE_DECL (c) == decl
	&& !kind_names_pointer (OMP_CLAUSE_MAP_KIND (c)))
      return false;
  return true;
}

/* The pointer variable that POINTER's value is taken from, by copies and
   offsets but not by loads, or NULL_TREE.  */
static tree
pointer_variable (walk *w, tree pointer)
{
  for (int depth = 0; depth < 16; depth++)
    {
      gassign *def = NULL;
      if (TREE_CODE (pointer) == SSA_NAME)
	def = dyn_cast <gassign *> (SSA_NAME_DEF_STMT (pointer));
      else if (gassign **known = w->temporaries.get (pointer))
	def = *known;
      else
	return DECL_P (pointer) ? pointer : NULL_TREE;
      if (!def
	  || (!gimple_assign_single_p (def) && !gimple_assign_cast_p (def)
	      && gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR))
	return NULL_TREE;
      pointer = gimple_assign_rhs1 (def);
    }
  return NULL_TREE;
}

static bool
variable_is_suitable (tree decl)
{
  return (VAR_P (decl) || TREE_CODE (decl) == PARM_DECL)
	 && DECL_NAME (decl) && !DECL_ARTIFICIAL (decl)
	 && !DECL_HAS_VALUE_EXPR_P (decl) && !TREE_THIS_VOLATILE (decl)
	 && !lookup_attribute ("omp declare target", DECL_ATTRIBUTES (decl))
	 && !lookup_attribute ("omp declare target link",
			       DECL_ATTRIBUTES (decl));
}

/* Fill M from the map clause C, one of CLAUSES.  False if what it maps is not
   of a kind that is looked at.  GCC drops the clause that names the pointer
   where the region doesn't use it.  */
static bool
mapping_fill (walk *w, mapping *m, tree c, tree clauses)
{
  tree expr = OMP_CLAUSE_DECL (c);
  bool pointed = TREE_CODE (expr) == MEM_REF || TREE_CODE (expr) == INDIRECT_REF;
  m->clause = c;
  m->section = TREE_CODE (expr) == ARRAY_REF;
  if (pointed)
    {
      if (TREE_CODE (expr) == MEM_REF && !integer_zerop (TREE_OPERAND (expr, 1)))
	return false;
      expr = pointer_variable (w, TREE_OPERAND (expr, 0));
      if (!expr || !POINTER_TYPE_P (TREE_TYPE (expr))
	  || !pointer_is_free (clauses, expr))
	return false;
      m->section = TREE_CODE (TREE_TYPE (expr)) == POINTER_TYPE;
    }
  else if (m->section)
    expr = TREE_OPERAND (expr, 0);
  m->item.decl = expr;
  m->item.pointed = pointed;
  return DECL_P (expr) && variable_is_suitable (expr);
}

/* Does C map data, with a type that is looked at?  */
static bool
clause_maps_data (tree c)
{
  if (OMP_CLAUSE_CODE (c) != OMP_CLAUSE_MAP
      || (OMP_CLAUSE_SIZE (c) && integer_zerop (OMP_CLAUSE_SIZE (c))))
    return false;
  switch (OMP_CLAUSE_MAP_KIND (c))
    {
    case GOMP_MAP_ALLOC:
    case GOMP_MAP_TO:
    case GOMP_MAP_FROM:
    case GOMP_MAP_TOFROM:
      return true;
    default:
      return false;
    }
}

/* How many clauses of CLAUSES map something based on DECL?  */
static unsigned
clauses_of_variable (tree clauses, tree decl)
{
  unsigned count = 0;
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& !kind_names_pointer (OMP_CLAUSE_MAP_KIND (c))
	&& ummgr_expr_variable (OMP_CLAUSE_DECL (c)) == decl)
      count++;
    else if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_USE_DEVICE_PTR
	     || OMP_CLAUSE_CODE (c) == OMP_CLAUSE_USE_DEVICE_ADDR)
      count += OMP_CLAUSE_DECL (c) == decl;
  return count;
}

/* The mappings of STMT that can be looked at.  */
static void
mappings_find (walk *w, gomp_target *stmt, vec<mapping> *mappings)
{
  tree clauses = gimple_omp_target_clauses (stmt);
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    {
      mapping m;
      if (clause_maps_data (c) && mapping_fill (w, &m, c, clauses)
	  && clauses_of_variable (clauses, m.item.decl) == 1
	  && mappings->length () < UMMGR_ROOTS_ITEMS)
	mappings->safe_push (m);
    }
}

/* Does the section of M, mapped by one of CLAUSES, begin where its pointer or
   array does?  */
static bool
section_starts (const mapping *m, tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP
	&& OMP_CLAUSE_DECL (c) == m->item.decl
	&& kind_names_pointer (OMP_CLAUSE_MAP_KIND (c)))
      return OMP_CLAUSE_SIZE (c) && integer_zerop (OMP_CLAUSE_SIZE (c));
  return false;
}

/* Set what is known of S's being overwritten by region STMT.  */
static void
suspect_cover (ummgr_suspect *s, gomp_target *stmt, const mapping *m,
	       hash_set<tree> *assigned)
{
  if (s->map_kind != GOMP_MAP_TO && s->map_kind != GOMP_MAP_TOFROM)
    return;
  tree type = TREE_TYPE (m->item.decl);
  if (m->section || TREE_CODE (type) == ARRAY_TYPE)
    {
      s->covered = (!m->section
		    || section_starts (m, gimple_omp_target_clauses (stmt)))
		   && ummgr_cover_section (stmt, m->clause, m->item.decl,
					   assigned);
    }
  else if (!m->item.pointed)
    s->covered = s->covered_read = ummgr_cover_variable (stmt, m->clause,
							   !s->unaliased);
}

/* Can no pointer point to the variable of M?  */
static bool
mapping_is_unaliased (walk *w, const mapping *m)
{
  tree decl = m->item.decl;
  return !m->item.pointed && !is_global_var (decl)
	 && TREE_CODE (TREE_TYPE (decl)) != REFERENCE_TYPE
	 && !w->addressed.contains (decl);
}

/* Is the variable of M so small that leaving its copy back to an implicit map is
   no matter?  A cache line travels with what the launch needs anyway.  */
static bool
mapping_is_small (const mapping *m)
{
  tree type = TREE_TYPE (m->item.decl);
  return COMPLETE_TYPE_P (type) && tree_fits_uhwi_p (TYPE_SIZE_UNIT (type))
	 && tree_to_uhwi (TYPE_SIZE_UNIT (type)) <= UMMGR_WARN_SMALL;
}

static void
suspect_add (walk *w, gomp_target *stmt, const mapping *m, unsigned item,
	     ummgr_effects *effects, hash_set<tree> *assigned)
{
  ummgr_suspect s = {};
  s.data = gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_DATA;
  s.implicit = ummgr_clause_is_implicit (m->clause, gimple_location (stmt));
  s.location = s.implicit ? gimple_location (stmt)
			  : OMP_CLAUSE_LOCATION (m->clause);
  s.section = m->section;
  s.unaliased = mapping_is_unaliased (w, m);
  s.concurrent = w->threads || w->asynchronous.contains (m->item.decl);
  s.left = ummgr_lexical_left (w->lexical, stmt);
  s.name = ummgr_expr_name (m->item.decl);
  s.map_kind = OMP_CLAUSE_MAP_KIND (m->clause);
  s.item = item;
  s.effects = effects;
  if (!s.data)
    suspect_cover (&s, stmt, m, assigned);
  if (s.name && !(s.implicit && mapping_is_small (m)))
    ummgr_warn_suspect (&s);
}

/* Is DECL mapped for longer than the construct at hand?  */
static bool
is_mapped_longer (walk *w, tree decl)
{
  return w->lasting.contains (decl) || w->enclosing.contains (decl);
}

/* Look at the clauses of STMT, a region or a data construct.  */
static void
construct_check (walk *w, gomp_target *stmt)
{
  auto_vec<mapping> mappings;
  auto_vec<ummgr_item> items;
  mappings_find (w, stmt, &mappings);
  for (unsigned i = 0; i < mappings.length (); i++)
    items.safe_push (mappings[i].item);
  if (items.is_empty ())
    return;
  bool host = gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_DATA;
  ummgr_flow_body code = { gimple_omp_body (stmt), false, host };
  ummgr_effects *effects = XCNEW (ummgr_effects);
  hash_set<tree> assigned;
  ummgr_flow_effects (&code, items, effects, &assigned);
  for (unsigned i = 0; i < mappings.length (); i++)
    if (!is_mapped_longer (w, items[i].decl))
      suspect_add (w, stmt, &mappings[i], i, effects, &assigned);
}

/* Add what the clauses of STMT map.  */
template<typename T>
static void
mapped_add (gomp_target *stmt, T add)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
      if (tree variable = ummgr_expr_variable (OMP_CLAUSE_DECL (c)))
	add (variable);
}

/* walk_gimple_seq's callback on operands: whose address is taken?  */
static tree
prepare_operand (tree *tp, int *, void *data)
{
  walk_stmt_info *wi = (walk_stmt_info *) data;
  walk *w = (walk *) wi->info;
  if (TREE_CODE (*tp) == ADDR_EXPR)
    {
      tree base = TREE_OPERAND (*tp, 0);
      while (handled_component_p (base))
	base = TREE_OPERAND (base, 0);
      w->addressed.add (base);
    }
  return NULL_TREE;
}

/* Does STMT make data present by hand?  */
static bool
calls_associate (gimple *stmt)
{
  tree fndecl = is_gimple_call (stmt) ? gimple_call_fndecl (stmt) : NULL_TREE;
  return fndecl && DECL_NAME (fndecl)
	 && id_equal (DECL_NAME (fndecl), "omp_target_associate_ptr");
}

/* walk_gimple_seq's callback in a task, which may run while a later construct waits
   for what it depends on: what it maps others may rely on.  */
static tree
prepare_task (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *wi)
{
  walk *w = (walk *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  if (gomp_target *target = dyn_cast <gomp_target *> (stmt))
    {
      ummgr_warn_unit.nowait = true;
      mapped_add (target, [w] (tree v) { w->asynchronous.add (v); });
    }
  else if (is_gimple_call (stmt) && !gimple_call_builtin_p (stmt))
    ummgr_warn_unit.nowait = true;
  return NULL_TREE;
}

/* walk_gimple_seq's callback: pointer temporaries, and enter data.  */
static tree
prepare_statement (gimple_stmt_iterator *gsi, bool *, walk_stmt_info *wi)
{
  walk *w = (walk *) wi->info;
  if (gassign *assign = dyn_cast <gassign *> (gsi_stmt (*gsi)))
    {
      tree lhs = gimple_assign_lhs (assign);
      ummgr_names_note (assign);
      if (VAR_P (lhs) && DECL_ARTIFICIAL (lhs)
	  && POINTER_TYPE_P (TREE_TYPE (lhs)))
	w->temporaries.put (lhs, assign);
    }
  if (calls_associate (gsi_stmt (*gsi)))
    ummgr_warn_unit.enter_data = true;
  if (gimple_code (gsi_stmt (*gsi)) == GIMPLE_OMP_TASK)
    {
      walk_stmt_info inner = {};
      inner.info = w;
      walk_gimple_seq (gimple_omp_body (gsi_stmt (*gsi)), prepare_task, NULL,
		       &inner);
    }
  gomp_target *stmt = dyn_cast <gomp_target *> (gsi_stmt (*gsi));
  if (!stmt)
    return NULL_TREE;
  if (gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_DATA)
    ummgr_warn_unit.data = true;
  if (omp_find_clause (gimple_omp_target_clauses (stmt), OMP_CLAUSE_NOWAIT))
    {
      ummgr_warn_unit.nowait = true;
      mapped_add (stmt, [w] (tree v) { w->asynchronous.add (v); });
    }
  if (gimple_omp_target_kind (stmt) == GF_OMP_TARGET_KIND_ENTER_DATA)
    {
      ummgr_warn_unit.enter_data = true;
      mapped_add (stmt, [w] (tree variable) { w->lasting.add (variable); });
    }
  return NULL_TREE;
}

static tree check_statement (gimple_stmt_iterator *gsi, bool *handled,
			     walk_stmt_info *wi);

static void
check_body (walk *w, gimple *stmt)
{
  walk_stmt_info inner = {};
  inner.info = w;
  walk_gimple_seq (gimple_omp_body (stmt), check_statement, NULL, &inner);
}

/* walk_gimple_seq's callback.  */
static tree
check_statement (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *wi)
{
  walk *w = (walk *) wi->info;
  gomp_target *stmt = dyn_cast <gomp_target *> (gsi_stmt (*gsi));
  if (!stmt && is_gimple_omp (gsi_stmt (*gsi))
      && gimple_has_substatements (gsi_stmt (*gsi)))
    {
      /* It would not be there if there weren't several threads.  */
      bool outer = w->threads;
      w->threads = true;
      check_body (w, gsi_stmt (*gsi));
      w->threads = outer;
      *handled = true;
    }
  if (!stmt)
    return NULL_TREE;
  int kind = gimple_omp_target_kind (stmt);
  if (kind != GF_OMP_TARGET_KIND_REGION && kind != GF_OMP_TARGET_KIND_DATA)
    return NULL_TREE;
  construct_check (w, stmt);
  unsigned outer = w->enclosing.length ();
  if (kind == GF_OMP_TARGET_KIND_DATA)
    mapped_add (stmt, [w] (tree v) { w->enclosing.safe_push (v); });
  check_body (w, stmt);
  w->enclosing.truncate (outer);
  *handled = true;
  return NULL_TREE;
}

static bool
warn_gate (void)
{
  return flag_openmp && !seen_error () && !lang_GNU_Fortran ();
}

static void
function_check (function *)
{
  walk w;
  walk_stmt_info wi = {};
  wi.info = &w;
  gimple_seq body = gimple_body (current_function_decl);
  ummgr_names_begin ();
  walk_gimple_seq (body, prepare_statement, prepare_operand, &wi);
  ummgr_summary_make ();
  wi.info = &w;
  w.threads = false;
  w.lexical = ummgr_lexical_new (body);
  walk_gimple_seq (body, check_statement, NULL, &wi);
  ummgr_lexical_free (w.lexical);
  ummgr_names_end ();
}

opt_pass *
ummgr_pass_warn_new (void)
{
  static const ummgr_pass pass = {
    GIMPLE_PASS, UMMGR_PASS_WARN, OPTGROUP_OMP, PROP_gimple_any,
    warn_gate, function_check
  };
  return ummgr_pass_new (&pass);
}
