/* Regions in loops of the host that copy the same data in each time around.
   SPDX-License-Identifier: GPL-3.0-or-later

   Works on the launch that expand_omp made of a construct,

     .omp_data_arr.N.f = address;  ...  .omp_data_sizes.N[i] = bytes;
     GOMP_target_ext (device, fn, mapnum, &.omp_data_arr.N, &.omp_data_sizes.N,
		      &.omp_data_kinds.N, flags, depend, args);

   Without points-to information, which -O0 hasn't: a store through a pointer
   in the loop may change anything but what it provably isn't.  Data that
   someone else may hold on the device is left alone, as far as the unit
   shows it; other units' data constructs are not seen, but around a loop in one
   of them a further one does nothing.

   One map around the loop is the same as one each time only if all launches in
   the loop go to one device, none goes on behind the host's back, and what they
   map is either exactly the same or something else.

   Owns nothing beyond a function's walk.  */

#include "warn/warn.h"

/* What was stored to the fields and elements of one of omplower's blocks.  */
struct block
{
  hash_map<tree, tree> fields;			/* NULL_TREE: several.  */
  hash_map<int_hash<unsigned, UINT_MAX, UINT_MAX - 1>, tree> elements;
};

/* A launch in a loop, and the argument that is looked at.  */
struct launch
{
  gcall *stmt;
  class loop *loop;
  unsigned argument;
  tree address, size;
  tree object;			/* The variable, or what the pointer is.  */
  bool variable;
  bool copied_back;
  vec<ummgr_clause> read_only;	/* Which have to be.  */
};

struct loop_walk
{
  hash_map<tree, block *> blocks;
  auto_vec<gcall *> launches;
  bool data;			/* The function has data constructs.  */
};

/* --- blocks --------------------------------------------------------------- */

static void
block_store (loop_walk *w, gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (TREE_CODE (lhs) != COMPONENT_REF && TREE_CODE (lhs) != ARRAY_REF)
    return;
  tree base = TREE_OPERAND (lhs, 0);
  if (!VAR_P (base) || !DECL_ARTIFICIAL (base))
    return;
  block *&b = w->blocks.get_or_insert (base);
  if (!b)
    b = new block;
  bool known;
  tree at = TREE_OPERAND (lhs, 1);
  if (TREE_CODE (lhs) == ARRAY_REF && !tree_fits_uhwi_p (at))
    return;
  tree &value = TREE_CODE (lhs) == COMPONENT_REF
		? b->fields.get_or_insert (at, &known)
		: b->elements.get_or_insert (tree_to_uhwi (at), &known);
  value = known ? NULL_TREE : gimple_assign_rhs1 (stmt);
}

/* The variable whose address argument I of STMT is, or NULL_TREE.  */
static tree
launch_block (gcall *stmt, unsigned i)
{
  tree arg = gimple_call_arg (stmt, i);
  if (TREE_CODE (arg) != ADDR_EXPR)
    return NULL_TREE;
  tree base = TREE_OPERAND (arg, 0);
  while (handled_component_p (base))
    base = TREE_OPERAND (base, 0);
  return VAR_P (base) ? base : NULL_TREE;
}

/* Element I of the initialiser of DECL, or NULL_TREE.  */
static tree
initial_element (tree decl, unsigned i)
{
  tree init = decl ? DECL_INITIAL (decl) : NULL_TREE;
  if (!init || TREE_CODE (init) != CONSTRUCTOR
      || i >= CONSTRUCTOR_NELTS (init))
    return NULL_TREE;
  return CONSTRUCTOR_ELT (init, i)->value;
}

/* Element I of the block DECL, initialised or stored to, or NULL_TREE.  */
static tree
block_element (loop_walk *w, tree decl, unsigned i)
{
  if (!decl)
    return NULL_TREE;
  block **b = w->blocks.get (decl);
  tree *value = b ? (*b)->elements.get (i) : NULL;
  return value ? *value : initial_element (decl, i);
}

/* The map kind of argument I of STMT.  A section whose length is not constant
   has another if that is 0.  */
static unsigned
launch_kind (loop_walk *w, gcall *stmt, unsigned i)
{
  tree kind = block_element (w, launch_block (stmt, 5), i);
  gassign *def = kind && TREE_CODE (kind) == SSA_NAME
		 ? dyn_cast <gassign *> (SSA_NAME_DEF_STMT (kind)) : NULL;
  if (def && gimple_assign_rhs_code (def) == COND_EXPR
      && tree_fits_uhwi_p (gimple_assign_rhs2 (def))
      && (tree_to_uhwi (gimple_assign_rhs2 (def)) & 0xff)
	 == GOMP_MAP_ZERO_LEN_ARRAY_SECTION)
    kind = gimple_assign_rhs3 (def);
  return kind && tree_fits_uhwi_p (kind) ? tree_to_uhwi (kind) & 0xff
					 : UMMGR_ARG_NO_KIND;
}

/* The address passed as argument I of STMT, or NULL_TREE.  */
static tree
launch_address (loop_walk *w, gcall *stmt, unsigned i)
{
  tree decl = launch_block (stmt, 3);
  block **b = decl ? w->blocks.get (decl) : NULL;
  if (!b || TREE_CODE (TREE_TYPE (decl)) != RECORD_TYPE)
    return NULL_TREE;
  tree field = TYPE_FIELDS (TREE_TYPE (decl));
  for (; field && i; i--)
    field = DECL_CHAIN (field);
  tree *value = field ? (*b)->fields.get (field) : NULL;
  return value ? *value : NULL_TREE;
}

/* --- what stays the same ---------------------------------------------------- */

/* Is VALUE, an operand, the same in each iteration of LOOP?  */
static bool
value_is_invariant (const class loop *loop, tree value, int depth)
{
  if (TREE_CODE (value) != SSA_NAME)
    return is_gimple_min_invariant (value);
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (SSA_NAME_IS_DEFAULT_DEF (value)
      || !flow_bb_inside_loop_p (loop, gimple_bb (def)))
    return true;
  gassign *assign = dyn_cast <gassign *> (def);
  if (!assign || gimple_vuse (assign) || !depth)
    return false;
  for (unsigned i = 1; i < gimple_num_ops (assign); i++)
    if (!value_is_invariant (loop, gimple_op (assign, i), depth - 1))
      return false;
  return true;
}

/* Where POINTER comes from, through copies: an SSA name, or the address of a
   variable.  */
static tree
pointer_origin (tree pointer)
{
  while (TREE_CODE (pointer) == SSA_NAME)
    {
      gimple *def = SSA_NAME_DEF_STMT (pointer);
      gassign *assign = def ? dyn_cast <gassign *> (def) : NULL;
      if (!assign
	  || !(gimple_assign_rhs_code (assign) == POINTER_PLUS_EXPR
	       || gimple_assign_cast_p (assign)
	       || (gimple_assign_single_p (assign)
		   && !gimple_assign_load_p (assign))))
	break;
      pointer = gimple_assign_rhs1 (assign);
    }
  return pointer;
}

/* Set L's object from ADDRESS.  */
static bool
object_set (launch *l, tree address)
{
  tree origin = pointer_origin (address);
  l->variable = TREE_CODE (origin) == ADDR_EXPR;
  l->object = origin;
  if (l->variable)
    {
      tree base = TREE_OPERAND (origin, 0);
      while (handled_component_p (base))
	base = TREE_OPERAND (base, 0);
      l->object = base;
      return VAR_P (base) || TREE_CODE (base) == PARM_DECL;
    }
  return TREE_CODE (origin) == SSA_NAME && POINTER_TYPE_P (TREE_TYPE (origin));
}

/* Can someone else have put L's object on the device before?  */
static bool
object_may_be_present (const launch *l)
{
  if (!ummgr_warn_unit.data)
    return false;
  if (l->variable)
    return is_global_var (l->object) || TREE_CODE (l->object) == PARM_DECL;
  return SSA_NAME_IS_DEFAULT_DEF (l->object);
}

/* --- what the loop does ----------------------------------------------------- */

/* May the memory reference REF be to L's object?  */
static bool
reference_may_be_object (const launch *l, tree ref)
{
  while (handled_component_p (ref))
    ref = TREE_OPERAND (ref, 0);
  if (!DECL_P (ref))
    {
      if (!l->variable || TREE_CODE (ref) != MEM_REF)
	return true;
      tree origin = pointer_origin (TREE_OPERAND (ref, 0));
      /* What the caller passed can't be a variable of this call.  */
      if (TREE_CODE (origin) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF (origin)
	  && !is_global_var (l->object))
	return false;
      return TREE_CODE (origin) != ADDR_EXPR
	     || reference_may_be_object (l, TREE_OPERAND (origin, 0));
    }
  if (l->variable)
    return ref == l->object;
  /* omplower's blocks are nobody else's.  */
  return !DECL_ARTIFICIAL (ref)
	 && (is_global_var (ref) || TREE_ADDRESSABLE (ref));
}

/* Is the call STMT one that neither reads nor writes L's object, nor waits for
   another thread that may?  */
static bool
call_is_harmless (const launch *l, gcall *stmt)
{
  tree fndecl = gimple_call_fndecl (stmt);
  if (gimple_call_flags (stmt) & ECF_CONST)
    return true;
  if (!fndecl)
    return false;
  if (!fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return ummgr_call_queries_openmp (fndecl);
  if (ummgr_call_meets_threads (fndecl))
    return false;
  for (unsigned i = 0; i < gimple_call_num_args (stmt); i++)
    {
      tree arg = gimple_call_arg (stmt, i);
      if (!POINTER_TYPE_P (TREE_TYPE (arg)))
	continue;
      tree origin = pointer_origin (arg);
      if (TREE_CODE (origin) != ADDR_EXPR)
	return false;
      tree base = TREE_OPERAND (origin, 0);
      while (handled_component_p (base))
	base = TREE_OPERAND (base, 0);
      if (!CONSTANT_CLASS_P (base) && reference_may_be_object (l, base))
	return false;
    }
  return true;
}

/* Does STMT, in the loop, leave L's object alone on the host, but for copies by
   launches?  */
static bool
statement_is_harmless (const launch *l, gimple *stmt)
{
  if (is_gimple_debug (stmt))
    return true;
  /* A variable of the loop's body ends with a clobber: there is no map around
     the loop for it.  */
  if (gimple_clobber_p (stmt))
    return !l->variable
	   || get_base_address (gimple_assign_lhs (stmt)) != l->object;
  if (gimple_has_volatile_ops (stmt))
    return false;
  if (gcall *call = dyn_cast <gcall *> (stmt))
    {
      if (gimple_call_builtin_p (call, BUILT_IN_GOMP_TARGET))
	return true;
      if (!call_is_harmless (l, call))
	return false;
      tree lhs = gimple_call_lhs (call);
      return !lhs || TREE_CODE (lhs) == SSA_NAME
	     || !reference_may_be_object (l, lhs);
    }
  if (gimple_code (stmt) == GIMPLE_ASM)
    return false;
  if (!gimple_vuse (stmt))
    return true;
  if (!is_gimple_assign (stmt))
    return false;
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_vdef (stmt) && reference_may_be_object (l, lhs))
    return false;
  return !l->copied_back || !gimple_assign_load_p (stmt)
	 || !reference_may_be_object (l, gimple_assign_rhs1 (stmt));
}

/* Does nothing on the host in L's loop change its object, or, if it is copied
   back, look at it?  */
static bool
loop_is_harmless (const launch *l)
{
  basic_block *body = get_loop_body (l->loop);
  bool harmless = true;
  for (unsigned i = 0; i < l->loop->num_nodes && harmless; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]);
	 !gsi_end_p (gsi) && harmless; gsi_next (&gsi))
      harmless = statement_is_harmless (l, gsi_stmt (gsi));
  free (body);
  return harmless;
}

/* --- what the loop's launches do --------------------------------------------- */

/* The region that STMT launches, or NULL.  */
static const ummgr_region *
launch_region (gcall *stmt)
{
  tree fn = gimple_call_arg (stmt, 1);
  if (TREE_CODE (fn) != ADDR_EXPR)
    return NULL;
  return ummgr_region_of (TREE_OPERAND (fn, 0));
}

static ummgr_clause
launch_clause (gcall *stmt, const ummgr_arg *arg)
{
  ummgr_clause clause = { arg->location, gimple_location (stmt), arg->name };
  return clause;
}

/* Are A and B, operands, computed alike from the same values?  */
static bool
value_same (tree a, tree b, int depth)
{
  if (operand_equal_p (a, b, 0))
    return true;
  if (TREE_CODE (a) != SSA_NAME || TREE_CODE (b) != SSA_NAME || !depth)
    return false;
  gassign *x = dyn_cast <gassign *> (SSA_NAME_DEF_STMT (a));
  gassign *y = dyn_cast <gassign *> (SSA_NAME_DEF_STMT (b));
  if (!x || !y || gimple_vuse (x) || gimple_vuse (y)
      || gimple_assign_rhs_code (x) != gimple_assign_rhs_code (y)
      || !types_compatible_p (TREE_TYPE (a), TREE_TYPE (b)))
    return false;
  for (unsigned i = 1; i < gimple_num_ops (x); i++)
    if (!value_same (gimple_op (x, i), gimple_op (y, i), depth - 1))
      return false;
  return true;
}

/* Is argument I of STMT the SIZE bytes at ADDRESS?  */
static bool
argument_is (loop_walk *w, gcall *stmt, unsigned i, tree address, tree size)
{
  tree a = launch_address (w, stmt, i);
  tree s = block_element (w, launch_block (stmt, 4), i);
  return a && s && size && value_same (a, address, 8)
	 && value_same (s, size, 8);
}

static bool
kind_is_plain (unsigned kind)
{
  return kind == GOMP_MAP_ALLOC || kind == GOMP_MAP_TO || kind == GOMP_MAP_FROM
	 || kind == GOMP_MAP_TOFROM;
}

/* How many arguments has STMT, a launch?  */
static unsigned
launch_length (gcall *stmt)
{
  tree count = gimple_call_arg (stmt, 2);
  return tree_fits_uhwi_p (count) ? tree_to_uhwi (count) : 0;
}

/* Is argument I of STMT, another launch, surely no part of what L maps?  L's own
   clauses don't overlap.  */
static bool
argument_is_apart (loop_walk *w, const launch *l, gcall *stmt, unsigned i)
{
  launch other = {};
  tree address = launch_address (w, stmt, i);
  if (!address || !object_set (&other, address))
    return false;
  if (l->variable && other.variable)
    return l->object != other.object;
  /* What the caller passed can't be a variable of this call.  */
  tree variable = l->variable ? l->object : other.object;
  tree pointer = l->variable ? other.object : l->object;
  if (l->variable != other.variable && SSA_NAME_IS_DEFAULT_DEF (pointer)
      && !is_global_var (variable))
    return true;
  tree size = block_element (w, launch_block (stmt, 4), i);
  for (unsigned k = 0; k < launch_length (l->stmt); k++)
    if (k != l->argument && kind_is_plain (launch_kind (w, l->stmt, k))
	&& argument_is (w, l->stmt, k, address, size))
      return true;
  return false;
}

/* Does argument I of STMT, a launch in L's loop, do the same whether L's object
   is there already or not?  Notes in L what has to be read only.  */
static bool
argument_agrees (loop_walk *w, launch *l, gcall *stmt, unsigned i)
{
  unsigned kind = launch_kind (w, stmt, i);
  const ummgr_region *region = launch_region (stmt);
  bool own = stmt == l->stmt, self = own && i == l->argument;
  /* Values, and pointers to what other arguments map.  A pointer to what isn't
     there must not be followed.  */
  if (kind == GOMP_MAP_FIRSTPRIVATE_INT || kind == GOMP_MAP_FIRSTPRIVATE_POINTER
      || kind == GOMP_MAP_ZERO_LEN_ARRAY_SECTION
      || (own && !self && kind_is_plain (kind)))
    return true;
  if (!self && argument_is_apart (w, l, stmt, i))
    return true;
  if (!kind_is_plain (kind) || !argument_is (w, stmt, i, l->address, l->size))
    return false;
  if (GOMP_MAP_COPY_FROM_P (kind))
    return l->copied_back;
  /* What it writes is lost each time: it must not write.  */
  if (!region || i >= region->args.length ())
    return false;
  l->read_only.safe_push (launch_clause (stmt, &region->args[i]));
  return true;
}

/* Is STMT, a launch in L's loop, on L's device, and has ended when the host goes
   on?  Other threads may have changed anything by the time that a depend clause
   has been waited for.  */
static bool
launch_keeps_step (const launch *l, gcall *stmt)
{
  tree flags = gimple_call_arg (stmt, 6);
  return value_same (ummgr_launch_device (gimple_call_arg (stmt, 0)),
		     ummgr_launch_device (gimple_call_arg (l->stmt, 0)), 8)
	 && tree_fits_uhwi_p (flags)
	 && !(tree_to_uhwi (flags) & GOMP_TARGET_FLAG_NOWAIT)
	 && integer_zerop (gimple_call_arg (stmt, 7))
	 && tree_fits_uhwi_p (gimple_call_arg (stmt, 2));
}

static bool
launches_agree (loop_walk *w, launch *l)
{
  for (unsigned i = 0; i < w->launches.length (); i++)
    {
      gcall *stmt = w->launches[i];
      if (!flow_bb_inside_loop_p (l->loop, gimple_bb (stmt)))
	continue;
      if (!launch_keeps_step (l, stmt))
	return false;
      for (unsigned k = 0; k < launch_length (stmt); k++)
	if (!argument_agrees (w, l, stmt, k))
	  return false;
    }
  return true;
}

/* Is the device of STMT, a launch, NUMBER?  */
static bool
device_is (gcall *stmt, int number)
{
  tree device = pointer_origin (ummgr_launch_device (gimple_call_arg (stmt, 0)));
  return TREE_CODE (device) == INTEGER_CST && wi::to_wide (device) == number;
}

/* Is L's launch on one device each time?  An if clause chooses anew each
   time.  */
static bool
device_is_invariant (const launch *l)
{
  return value_is_invariant (l->loop, ummgr_launch_device (gimple_call_arg (l->stmt, 0)), 8)
	 && !device_is (l->stmt, GOMP_DEVICE_HOST_FALLBACK);
}

/* --- is there an iteration? ---------------------------------------------------- */

/* OP as the loop is entered by E.  */
static tree
value_at_entry (const class loop *loop, tree op, edge e)
{
  gphi *phi = TREE_CODE (op) == SSA_NAME
	      ? dyn_cast <gphi *> (SSA_NAME_DEF_STMT (op)) : NULL;
  if (phi && gimple_bb (phi) == loop->header)
    op = PHI_ARG_DEF_FROM_EDGE (phi, e);
  gassign *def = TREE_CODE (op) == SSA_NAME
		 ? dyn_cast <gassign *> (SSA_NAME_DEF_STMT (op)) : NULL;
  return def && CONSTANT_CLASS_P (gimple_assign_rhs1 (def))
	 && gimple_assign_single_p (def) ? gimple_assign_rhs1 (def) : op;
}

/* Does the test in LOOP's header, which has an edge out of it, let the first iteration
   begin?  */
static bool
test_lets_in (const class loop *loop, edge out)
{
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_nondebug_bb (loop->header)));
  if (!cond || EDGE_COUNT (loop->header->preds) != 2)
    return false;
  edge entry = EDGE_PRED (loop->header, 0);
  if (flow_bb_inside_loop_p (loop, entry->src))
    entry = EDGE_PRED (loop->header, 1);
  tree holds = fold_binary (gimple_cond_code (cond), boolean_type_node,
			    value_at_entry (loop, gimple_cond_lhs (cond), entry),
			    value_at_entry (loop, gimple_cond_rhs (cond), entry));
  return holds && (out->flags & EDGE_TRUE_VALUE ? integer_zerop (holds)
						: integer_onep (holds));
}

/* Is what L maps there even if its loop has no iteration, or has it one?  A pointer may go
   nowhere else, and a length be any.  */
static bool
object_is_there (const launch *l)
{
  if (l->variable && TREE_CODE (l->size) == INTEGER_CST)
    return true;
  basic_block *body = get_loop_body (l->loop);
  bool there = true;
  for (unsigned i = 0; i < l->loop->num_nodes && there; i++)
    {
      edge e;
      edge_iterator at;
      FOR_EACH_EDGE (e, at, body[i]->succs)
	if (!flow_bb_inside_loop_p (l->loop, e->dest)
	    && !dominated_by_p (CDI_DOMINATORS, e->src, gimple_bb (l->stmt)))
	  there &= e->src == l->loop->header && test_lets_in (l->loop, e);
    }
  free (body);
  return there;
}

/* --- launches ---------------------------------------------------------------- */

/* Is L's argument, ARG, copied to the device again and again in vain?  */
static bool
argument_is_remapped (loop_walk *w, launch *l, const ummgr_arg *arg)
{
  unsigned kind = launch_kind (w, l->stmt, l->argument);
  l->address = launch_address (w, l->stmt, l->argument);
  l->size = block_element (w, launch_block (l->stmt, 4), l->argument);
  l->copied_back = kind == GOMP_MAP_TOFROM;
  return (kind == GOMP_MAP_TO || kind == GOMP_MAP_TOFROM)
	 && arg->arg_class != UMMGR_ARG_POINTER
	 && l->address && object_set (l, l->address)
	 && !object_may_be_present (l)
	 && value_is_invariant (l->loop, l->address, 8)
	 && l->size && value_is_invariant (l->loop, l->size, 8)
	 && device_is_invariant (l) && launches_agree (w, l)
	 && loop_is_harmless (l);
}

static void
launch_check (loop_walk *w, gcall *stmt)
{
  const ummgr_region *region = launch_region (stmt);
  class loop *loop = gimple_bb (stmt)->loop_father;
  if (!region || !loop || loop_depth (loop) == 0 || !loop->latch
      || !dominated_by_p (CDI_DOMINATORS, loop->latch, gimple_bb (stmt)))
    return;
  bool named = !device_is (stmt, GOMP_DEVICE_ICV);
  for (unsigned i = 0; i < region->args.length (); i++)
    {
      const ummgr_arg *arg = &region->args[i];
      if (!*arg->name
	  || (arg->location == gimple_location (stmt)
	      && arg->size && arg->size <= UMMGR_WARN_SMALL))
	continue;
      launch l = {};
      l.stmt = stmt;
      l.loop = loop;
      l.argument = i;
      bool in_vain = argument_is_remapped (w, &l, arg);
      ummgr_remapped found = { launch_clause (stmt, arg), in_vain,
			       l.copied_back, named,
			       in_vain && object_is_there (&l), l.read_only };
      ummgr_warn_remapped (&found);
    }
}

/* Note what the function stores into blocks, and its launches.  */
static void
function_scan (loop_walk *w, function *fn)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, fn)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	if (gimple_clobber_p (stmt))
	  continue;
	if (gassign *assign = dyn_cast <gassign *> (stmt))
	  block_store (w, assign);
	else if (gimple_call_builtin_p (stmt, BUILT_IN_GOMP_TARGET))
	  w->launches.safe_push (as_a <gcall *> (stmt));
	else if (gimple_call_builtin_p (stmt, BUILT_IN_GOMP_TARGET_DATA))
	  w->data = true;
      }
}

static bool
warn_loop_gate (void)
{
  return flag_openmp && !seen_error () && !lang_GNU_Fortran ()
	 && !ummgr_warn_unit.enter_data
	 && ummgr_warn_enabled[UMMGR_WARN_REMAPPED];
}

static void
loops_check (function *fn)
{
  loop_walk w;
  w.data = false;
  function_scan (&w, fn);
  /* A data construct of the function is taken to hold all that it uses.  */
  if (!w.launches.is_empty () && !w.data && loops_for_fn (fn))
    {
      if (loops_state_satisfies_p (LOOPS_NEED_FIXUP))
	fix_loop_structure (NULL);
      calculate_dominance_info (CDI_DOMINATORS);
      for (unsigned i = 0; i < w.launches.length (); i++)
	launch_check (&w, w.launches[i]);
    }
  for (hash_map<tree, block *>::iterator i = w.blocks.begin ();
       i != w.blocks.end (); ++i)
    delete (*i).second;
}

opt_pass *
ummgr_pass_warn_loop_new (void)
{
  static const ummgr_pass pass = {
    GIMPLE_PASS, UMMGR_PASS_WARN_LOOP, OPTGROUP_OMP, PROP_cfg | PROP_ssa,
    warn_loop_gate, loops_check
  };
  return ummgr_pass_new (&pass);
}
