/* What code does to items of memory: a walk that follows pointers.
   SPDX-License-Identifier: GPL-3.0-or-later

   Knows no order: a variable may point into whatever any statement assigns to
   it.  A pointer that is loaded from memory, returned by a call, made of an
   integer or brought from outside may point anywhere, so pointers that leave
   through memory need no tracking.  Clauses of nested constructs that name an
   item, other than by sharing it, count as reading and writing it.

   Owns nothing beyond a walk.  */

#include "warn/warn.h"

struct flow
{
  const ummgr_flow_body *code;
  hash_map<tree, unsigned> items;
  const vec<ummgr_item> *item_list;
  hash_map<tree, ummgr_roots> roots;	/* Of what is assigned or addressed.  */
  hash_set<tree> bound;			/* Declared within.  */
  ummgr_effects *effects;
  bool device;				/* In a region, or all the code.  */
  bool collecting;			/* What is assigned, not yet what.  */
  bool changed;
};

static tree flow_statement (gimple_stmt_iterator *gsi, bool *handled,
			    walk_stmt_info *wi);

static void
effects_note (flow *f, ummgr_roots roots, bool store)
{
  if (!f->device)
    {
      if (store)
	f->effects->host_written |= roots;
    }
  else if (store)
    f->effects->written |= roots;
  else
    f->effects->read |= roots;
}

/* The code does something that may be anything.  */
static void
effects_unknown (flow *f)
{
  f->effects->read |= UMMGR_ROOTS_ANY;
  f->effects->written |= UMMGR_ROOTS_ANY;
}

static void
roots_add (flow *f, tree variable, ummgr_roots roots)
{
  bool known;
  if (f->collecting)
    roots = 0;
  ummgr_roots &all = f->roots.get_or_insert (variable, &known);
  ummgr_roots sum = known ? all | roots : roots;
  if (!known || sum != all)
    f->changed = true;
  all = sum;
}

/* The item that VARIABLE is (or, if POINTED, points to), as a set.  */
static ummgr_roots
item_roots (flow *f, tree variable, bool pointed)
{
  unsigned *item = f->items.get (variable);
  if (!item || (*f->item_list)[*item].pointed != pointed)
    return 0;
  return (ummgr_roots) 1 << *item;
}

/* Has VARIABLE no value but those that the code assigns?  */
static bool
variable_is_local (flow *f, tree variable)
{
  if (TREE_CODE (variable) == SSA_NAME)
    return !SSA_NAME_IS_DEFAULT_DEF (variable);
  if (is_global_var (variable))
    return false;
  return f->code->function ? TREE_CODE (variable) != PARM_DECL
			   : f->bound.contains (variable);
}

static ummgr_roots
variable_roots (flow *f, tree variable)
{
  bool pointer = POINTER_TYPE_P (TREE_TYPE (variable));
  ummgr_roots roots = item_roots (f, variable, true);
  ummgr_roots *assigned = f->roots.get (variable);
  if (assigned)
    roots |= *assigned;
  /* From outside, or never assigned: then who knows.  */
  if (pointer && !item_roots (f, variable, true)
      && (!assigned || !variable_is_local (f, variable)))
    roots |= UMMGR_ROOTS_ANY;
  return roots;
}

/* What the value of the operand EXPR may point into.  */
static ummgr_roots
value_roots (flow *f, tree expr)
{
  switch (TREE_CODE (expr))
    {
    case SSA_NAME:
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      return variable_roots (f, expr);
    case ADDR_EXPR:
      {
	tree base = TREE_OPERAND (expr, 0);
	while (handled_component_p (base))
	  base = TREE_OPERAND (base, 0);
	if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == INDIRECT_REF)
	  return value_roots (f, TREE_OPERAND (base, 0));
	if (!VAR_P (base) && TREE_CODE (base) != PARM_DECL
	    && TREE_CODE (base) != RESULT_DECL)
	  return 0;
	/* Whoever has its address may assign to it.  */
	if (POINTER_TYPE_P (TREE_TYPE (base)))
	  roots_add (f, base, UMMGR_ROOTS_ANY);
	if (f->code->function && is_global_var (base))
	  return UMMGR_ROOTS_ANY;
	return item_roots (f, base, false);
      }
    case TREE_VEC:
      {
	/* A bound of a non-rectangular loop: an outer loop's index, its factor
	   and what is added.  It has no type.  */
	ummgr_roots roots = 0;
	for (int i = 0; i < TREE_VEC_LENGTH (expr); i++)
	  if (TREE_VEC_ELT (expr, i))
	    roots |= value_roots (f, TREE_VEC_ELT (expr, i));
	return roots;
      }
    default:
      if (CONSTANT_CLASS_P (expr))
	return 0;
      return POINTER_TYPE_P (TREE_TYPE (expr)) ? UMMGR_ROOTS_ANY : 0;
    }
}

/* EXPR is read or, if STORE, written.  */
static void
operand_use (flow *f, tree expr, bool store)
{
  if (!expr)
    return;
  bool address = TREE_CODE (expr) == ADDR_EXPR;
  if (address)
    expr = TREE_OPERAND (expr, 0);
  for (; handled_component_p (expr); expr = TREE_OPERAND (expr, 0))
    if (TREE_CODE (expr) == ARRAY_REF || TREE_CODE (expr) == ARRAY_RANGE_REF)
      operand_use (f, TREE_OPERAND (expr, 1), false);
  if (address)
    return;
  switch (TREE_CODE (expr))
    {
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      effects_note (f, item_roots (f, expr, false), store);
      if (f->device)
	f->effects->named |= item_roots (f, expr, true);
      /* What the host changes may be what an item's pointer points to; a
	 construct's clauses, which don't overlap, only speak for regions.  */
      if ((f->code->function && is_global_var (expr)
	   && (store || !TREE_READONLY (expr)))
	  || (!f->device && (is_global_var (expr) || TREE_ADDRESSABLE (expr))))
	effects_note (f, UMMGR_ROOTS_ANY, store);
      break;
    case MEM_REF:
    case INDIRECT_REF:
      effects_note (f, value_roots (f, TREE_OPERAND (expr, 0)), store);
      operand_use (f, TREE_OPERAND (expr, 0), false);
      break;
    case TARGET_MEM_REF:
      effects_note (f, UMMGR_ROOTS_ANY, store);
      break;
    case CONSTRUCTOR:
      {
	unsigned i;
	tree value;
	FOR_EACH_CONSTRUCTOR_VALUE (CONSTRUCTOR_ELTS (expr), i, value)
	  operand_use (f, value, false);
	break;
      }
    case TREE_VEC:
      for (int i = 0; i < TREE_VEC_LENGTH (expr); i++)
	operand_use (f, TREE_VEC_ELT (expr, i), false);
      break;
    default:
      break;
    }
}

/* The variable LHS gets a value that may point into ROOTS.  */
static void
variable_assign (flow *f, tree lhs, ummgr_roots roots)
{
  if (lhs && (TREE_CODE (lhs) == SSA_NAME || DECL_P (lhs)))
    roots_add (f, lhs, roots);
}

static void
flow_assign (flow *f, gassign *stmt)
{
  if (gimple_clobber_p (stmt))
    return;
  tree lhs = gimple_assign_lhs (stmt);
  ummgr_roots roots = 0;
  bool constant = true;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      operand_use (f, op, false);
      roots |= value_roots (f, op);
      constant &= CONSTANT_CLASS_P (op);
    }
  tree from = TREE_TYPE (gimple_assign_rhs1 (stmt));
  if (POINTER_TYPE_P (TREE_TYPE (lhs)) && !POINTER_TYPE_P (from) && !roots
      && !constant)
    roots = UMMGR_ROOTS_ANY;
  variable_assign (f, lhs, roots);
  operand_use (f, lhs, true);
}

bool
ummgr_call_queries_openmp (tree fndecl)
{
  if (!fndecl || !DECL_NAME (fndecl) || !TREE_PUBLIC (fndecl))
    return false;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (fndecl));
  return (startswith (name, "omp_get_") || startswith (name, "omp_is_")
	  || startswith (name, "omp_in_"))
	 && strcmp (name, "omp_get_mapped_ptr") != 0;
}

bool
ummgr_call_meets_threads (tree builtin)
{
  static const char *const meeting[]
    = { "GOMP_", "__builtin_GOMP", "__atomic_", "__sync_" };
  /* Stands at the end of each data construct's body.  */
  if (fndecl_built_in_p (builtin, BUILT_IN_GOMP_TARGET_END_DATA))
    return false;
  for (const char *prefix : meeting)
    if (startswith (IDENTIFIER_POINTER (DECL_NAME (builtin)), prefix))
      return true;
  return false;
}

/* A builtin other than those that GCC knows to be const.  Returns what its
   result may point into.  */
static ummgr_roots
flow_builtin (flow *f, const gcall *stmt, tree fndecl)
{
  bool normal = fndecl && fndecl_built_in_p (fndecl, BUILT_IN_NORMAL);
  int code = normal ? (int) DECL_FUNCTION_CODE (fndecl) : -1;
  bool pure = gimple_call_flags (stmt) & ECF_PURE;
  ummgr_roots all = 0;
  /* Where the host meets other threads, these may use the device.  */
  if (!f->device && fndecl && ummgr_call_meets_threads (fndecl))
    effects_unknown (f);
  for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
    {
      ummgr_roots roots = value_roots (f, gimple_call_arg (stmt, i));
      all |= roots;
      bool copies = code == BUILT_IN_MEMCPY || code == BUILT_IN_MEMMOVE
		    || code == BUILT_IN_MEMSET;
      if (!copies || i > 0)
	effects_note (f, roots, false);
      if (!pure && (!copies || i == 0))
	effects_note (f, roots, true);
    }
  if (code == BUILT_IN_MALLOC || code == BUILT_IN_CALLOC
      || code == BUILT_IN_ALLOCA || code == BUILT_IN_ALLOCA_WITH_ALIGN)
    return 0;
  return all ? all : UMMGR_ROOTS_ANY;
}

/* A call of a function that may have a body here.  */
static void
flow_call_record (flow *f, const gcall *stmt, tree fndecl)
{
  ummgr_call *call = new ummgr_call;
  call->host = !f->device;
  call->callee_uid
    = fndecl && !ummgr_decl_is_replaceable (fndecl)
      ? DECL_UID (fndecl) : 0;
  for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
    call->args.safe_push (value_roots (f, gimple_call_arg (stmt, i)));
  f->effects->calls.safe_push (call);
}

static void
flow_call (flow *f, gcall *stmt)
{
  tree fndecl = gimple_call_fndecl (stmt);
  ummgr_roots result = UMMGR_ROOTS_ANY;
  for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
    operand_use (f, gimple_call_arg (stmt, i), false);
  if (!(gimple_call_flags (stmt) & ECF_CONST)
      && !ummgr_call_queries_openmp (fndecl))
    {
      if (gimple_call_internal_p (stmt)
	  || (fndecl && fndecl_built_in_p (fndecl)))
	result = flow_builtin (f, stmt, fndecl);
      else
	flow_call_record (f, stmt, fndecl);
    }
  tree lhs = gimple_call_lhs (stmt);
  if (!lhs)
    return;
  variable_assign (f, lhs, POINTER_TYPE_P (TREE_TYPE (lhs)) ? result : 0);
  operand_use (f, lhs, true);
}

/* walk_tree's callback: what a clause mentions may be read and written.  */
static tree
clause_mention (tree *tp, int *, void *data)
{
  flow *f = (flow *) data;
  if (!SSA_VAR_P (*tp))
    return NULL_TREE;
  ummgr_roots roots = item_roots (f, *tp, false);
  if (POINTER_TYPE_P (TREE_TYPE (*tp)))
    roots |= variable_roots (f, *tp);
  f->effects->read |= roots;
  f->effects->written |= roots;
  return NULL_TREE;
}

/* All that the clause C mentions may be.  */
static void
clause_use (flow *f, tree c)
{
  for (unsigned i = 0; i < omp_clause_num_ops[OMP_CLAUSE_CODE (c)]; i++)
    walk_tree_without_duplicates (&OMP_CLAUSE_OPERAND (c, i), clause_mention,
				  f);
}

/* CLAUSES of a construct in a region, or of a device construct around one.  */
static void
flow_clauses (flow *f, tree clauses)
{
  for (tree c = clauses; c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_SHARED:
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE__LOOPTEMP_:
      case OMP_CLAUSE__REDUCTEMP_:
      case OMP_CLAUSE__CONDTEMP_:
	break;
      case OMP_CLAUSE_FIRSTPRIVATE:
	operand_use (f, OMP_CLAUSE_DECL (c), false);
	break;
      case OMP_CLAUSE_REDUCTION:
      case OMP_CLAUSE_IN_REDUCTION:
      case OMP_CLAUSE_TASK_REDUCTION:
	/* A user's own reduction has code of its own.  */
	if (OMP_CLAUSE_REDUCTION_PLACEHOLDER (c))
	  effects_unknown (f);
	/* FALLTHRU */
      default:
	clause_use (f, c);
      }
}

static void
flow_loop (flow *f, gomp_for *stmt)
{
  flow_clauses (f, gimple_omp_for_clauses (stmt));
  for (unsigned i = 0; i < gimple_omp_for_collapse (stmt); i++)
    {
      tree values[] = { gimple_omp_for_initial (stmt, i),
			gimple_omp_for_final (stmt, i) };
      ummgr_roots roots = 0;
      for (unsigned k = 0; k < ARRAY_SIZE (values); k++)
	if (values[k])
	  {
	    operand_use (f, values[k], false);
	    roots |= value_roots (f, values[k]);
	  }
      tree index = gimple_omp_for_index (stmt, i);
      tree incr = gimple_omp_for_incr (stmt, i);
      if (incr && BINARY_CLASS_P (incr))
	operand_use (f, TREE_OPERAND (incr, 1), false);
      if (index && SSA_VAR_P (index))
	{
	  roots_add (f, index, roots);
	  operand_use (f, index, true);
	}
    }
}

static void
flow_body_walk (flow *f, gimple_seq body)
{
  walk_stmt_info wi = {};
  wi.info = f;
  walk_gimple_seq (body, flow_statement, NULL, &wi);
}

/* The map clause C within the host code of a data construct: mapping what is
   mapped already does nothing, unless it is to be copied always.  */
static void
flow_map (flow *f, tree c)
{
  if (GOMP_MAP_ALWAYS_TO_P (OMP_CLAUSE_MAP_KIND (c))
      || GOMP_MAP_ALWAYS_FROM_P (OMP_CLAUSE_MAP_KIND (c)))
    clause_use (f, c);
}

/* A target region there.  */
static void
flow_region (flow *f, gomp_target *stmt)
{
  for (tree c = gimple_omp_target_clauses (stmt); c; c = OMP_CLAUSE_CHAIN (c))
    switch (OMP_CLAUSE_CODE (c))
      {
      case OMP_CLAUSE_MAP:
	flow_map (f, c);
	break;
      case OMP_CLAUSE_FIRSTPRIVATE:
      case OMP_CLAUSE_PRIVATE:
      case OMP_CLAUSE_NOWAIT:
      case OMP_CLAUSE_DEPEND:
      case OMP_CLAUSE_NUM_TEAMS:
      case OMP_CLAUSE_THREAD_LIMIT:
	break;
      case OMP_CLAUSE_IF:
      case OMP_CLAUSE_DEVICE:
	/* Maybe elsewhere than the data.  */
	effects_unknown (f);
	break;
      default:
	clause_use (f, c);
      }
  bool outside = !f->device;
  f->device = true;
  flow_body_walk (f, gimple_omp_body (stmt));
  f->device = !outside;
}

/* A device construct.  Returns true if its body is done.  */
static bool
flow_target (flow *f, gomp_target *stmt)
{
  f->effects->device = true;
  int kind = gimple_omp_target_kind (stmt);
  if (f->code->function || f->device || kind > GF_OMP_TARGET_KIND_EXIT_DATA)
    {
      effects_unknown (f);
      return false;
    }
  if (kind == GF_OMP_TARGET_KIND_REGION)
    {
      flow_region (f, stmt);
      return true;
    }
  if (kind != GF_OMP_TARGET_KIND_DATA)
    flow_clauses (f, gimple_omp_target_clauses (stmt));
  else
    for (tree c = gimple_omp_target_clauses (stmt); c;
	 c = OMP_CLAUSE_CHAIN (c))
      if (OMP_CLAUSE_CODE (c) == OMP_CLAUSE_MAP)
	flow_map (f, c);
      else
	clause_use (f, c);
  return false;
}

/* The constructs and statements that are no computation.  */
static void
flow_other (flow *f, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_BIND:
      for (tree v = gimple_bind_vars (as_a <gbind *> (stmt)); v;
	   v = DECL_CHAIN (v))
	f->bound.add (v);
      break;
    case GIMPLE_OMP_TEAMS:
    case GIMPLE_OMP_PARALLEL:
    case GIMPLE_OMP_TASK:
      flow_clauses (f, gimple_omp_taskreg_clauses (stmt));
      break;
    case GIMPLE_OMP_SECTIONS:
      flow_clauses (f, gimple_omp_sections_clauses (stmt));
      break;
    case GIMPLE_OMP_SINGLE:
      flow_clauses (f, gimple_omp_single_clauses (stmt));
      break;
    case GIMPLE_TRY:
    case GIMPLE_CATCH:
    case GIMPLE_EH_FILTER:
    case GIMPLE_EH_MUST_NOT_THROW:
    case GIMPLE_EH_ELSE:
    case GIMPLE_WITH_CLEANUP_EXPR:
    case GIMPLE_LABEL:
    case GIMPLE_GOTO:
    case GIMPLE_NOP:
    case GIMPLE_PREDICT:
    case GIMPLE_DEBUG:
    case GIMPLE_RESX:
    case GIMPLE_EH_DISPATCH:
    case GIMPLE_OMP_MASTER:
    case GIMPLE_OMP_SECTION:
    case GIMPLE_OMP_SECTIONS_SWITCH:
    case GIMPLE_OMP_CRITICAL:
    case GIMPLE_OMP_ORDERED:
    case GIMPLE_OMP_TASKGROUP:
    case GIMPLE_OMP_RETURN:
    case GIMPLE_OMP_CONTINUE:
      break;
    default:
      effects_unknown (f);
    }
}

/* walk_gimple_seq's callback.  */
static tree
flow_statement (gimple_stmt_iterator *gsi, bool *handled, walk_stmt_info *wi)
{
  flow *f = (flow *) wi->info;
  gimple *stmt = gsi_stmt (*gsi);
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      flow_assign (f, as_a <gassign *> (stmt));
      break;
    case GIMPLE_CALL:
      flow_call (f, as_a <gcall *> (stmt));
      break;
    case GIMPLE_COND:
    case GIMPLE_SWITCH:
    case GIMPLE_RETURN:
      for (unsigned i = 0; i < gimple_num_ops (stmt); i++)
	operand_use (f, gimple_op (stmt, i), false);
      break;
    case GIMPLE_OMP_FOR:
      flow_loop (f, as_a <gomp_for *> (stmt));
      break;
    case GIMPLE_OMP_ATOMIC_LOAD:
      {
	/* The store that follows goes to the same place.  */
	gomp_atomic_load *load = as_a <gomp_atomic_load *> (stmt);
	ummgr_roots roots = value_roots (f, gimple_omp_atomic_load_rhs (load));
	effects_note (f, roots, false);
	effects_note (f, roots, true);
	variable_assign (f, gimple_omp_atomic_load_lhs (load),
			 UMMGR_ROOTS_ANY);
	break;
      }
    case GIMPLE_OMP_ATOMIC_STORE:
      operand_use (f, gimple_omp_atomic_store_val
			(as_a <gomp_atomic_store *> (stmt)), false);
      break;
    case GIMPLE_OMP_TARGET:
      *handled = flow_target (f, as_a <gomp_target *> (stmt));
      break;
    default:
      flow_other (f, stmt);
    }
  return NULL_TREE;
}

static void
effects_clear (ummgr_effects *effects)
{
  for (unsigned i = 0; i < effects->calls.length (); i++)
    delete effects->calls[i];
  effects->calls.truncate (0);
  effects->read = effects->written = effects->named = 0;
  effects->host_written = 0;
  effects->device = false;
}

void
ummgr_flow_effects (const ummgr_flow_body *code, const vec<ummgr_item> &items,
		    ummgr_effects *effects, hash_set<tree> *assigned)
{
  flow f;
  f.code = code;
  f.item_list = &items;
  f.effects = effects;
  f.device = !code->host;
  for (unsigned i = 0; i < items.length (); i++)
    f.items.put (items[i].decl, i);
  /* First what is assigned at all, since what isn't points anywhere; then
     until no pointer may point to more.  The last walk's effects count.  */
  f.collecting = true;
  do
    {
      effects_clear (effects);
      f.changed = false;
      flow_body_walk (&f, code->body);
      f.changed |= f.collecting;
      f.collecting = false;
    }
  while (f.changed);
  if (assigned)
    for (hash_map<tree, ummgr_roots>::iterator i = f.roots.begin ();
	 i != f.roots.end (); ++i)
      assigned->add ((*i).first);
}
