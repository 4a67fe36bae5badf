/* Regions in loops of the host that copy the same data in each time around.
   SPDX-License-Identifier: GPL-3.0-or-later

   Works on the launch that expand_omp made of a construct,

     .omp_data_arr.N.f = address;  ...  .omp_data_sizes.N[i] = bytes;
     GOMP_target_ext (device, fn, mapnum, &.omp_data_arr.N, &.omp_data_sizes.N,
		      &.omp_data_kinds.N, flags, depend, args);

   Without points-to information, which -O0 hasn't: a store through a pointer
   in the loop may change anything but what it provably isn't.  Data that
   someone else may hold on the device is left alone, as far as the unit
   shows it; other units' data constructs are not seen.

   Owns nothing beyond a function's walk.  */

#include "warn.h"

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
  tree object;			/* The variable, or what the pointer is.  */
  bool variable;
  bool copied_back;		/* By anyone in the loop.  */
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

/* Is the size of argument I of STMT?  */
static bool
size_is_invariant (loop_walk *w, gcall *stmt, unsigned i,
		   const class loop *loop)
{
  tree size = block_element (w, launch_block (stmt, 4), i);
  return size && value_is_invariant (loop, size, 8);
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

/* Does STMT, a launch in the loop, copy something that may be L's object back
   to the host?  Then the host must not look at it either.  */
static bool
launch_may_copy_back (loop_walk *w, const launch *l, gcall *stmt)
{
  tree count = gimple_call_arg (stmt, 2);
  if (!tree_fits_uhwi_p (count))
    return true;
  for (unsigned i = 0; i < tree_to_uhwi (count); i++)
    {
      unsigned kind = launch_kind (w, stmt, i);
      if (kind == UMMGR_ARG_NO_KIND)
	return true;
      if (!GOMP_MAP_COPY_FROM_P (kind))
	continue;
      launch other = {};
      tree address = launch_address (w, stmt, i);
      if (!address || !object_set (&other, address)
	  || !l->variable || !other.variable || l->object == other.object)
	return true;
    }
  return false;
}

/* Is the call STMT one that neither reads nor writes L's object?  */
static bool
call_is_harmless (const launch *l, gcall *stmt)
{
  tree fndecl = gimple_call_fndecl (stmt);
  if (gimple_call_flags (stmt) & ECF_CONST)
    return true;
  if (!fndecl)
    return false;
  if (!fndecl_built_in_p (fndecl, BUILT_IN_NORMAL))
    return DECL_NAME (fndecl)
	   && startswith (IDENTIFIER_POINTER (DECL_NAME (fndecl)), "omp_get_");
  if (startswith (IDENTIFIER_POINTER (DECL_NAME (fndecl)), "GOMP_")
      || startswith (IDENTIFIER_POINTER (DECL_NAME (fndecl)), "__builtin_GOMP"))
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
  if (is_gimple_debug (stmt) || gimple_clobber_p (stmt))
    return true;
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

/* Does nothing in L's loop change its object?  */
static bool
loop_is_harmless (loop_walk *w, launch *l)
{
  for (unsigned i = 0; i < w->launches.length (); i++)
    if (flow_bb_inside_loop_p (l->loop, gimple_bb (w->launches[i])))
      l->copied_back |= launch_may_copy_back (w, l, w->launches[i]);
  basic_block *body = get_loop_body (l->loop);
  bool harmless = true;
  for (unsigned i = 0; i < l->loop->num_nodes && harmless; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]);
	 !gsi_end_p (gsi) && harmless; gsi_next (&gsi))
      harmless = statement_is_harmless (l, gsi_stmt (gsi));
  free (body);
  return harmless;
}

/* --- launches ---------------------------------------------------------------- */

/* The region that STMT launches, or NULL.  */
static const ummgr_region *
launch_region (gcall *stmt)
{
  tree fn = gimple_call_arg (stmt, 1);
  if (TREE_CODE (fn) != ADDR_EXPR)
    return NULL;
  for (unsigned i = 0; i < ummgr_regions.length (); i++)
    if (ummgr_regions[i].function_uid == DECL_UID (TREE_OPERAND (fn, 0)))
      return &ummgr_regions[i];
  return NULL;
}

static void
launch_check (loop_walk *w, gcall *stmt)
{
  const ummgr_region *region = launch_region (stmt);
  class loop *loop = gimple_bb (stmt)->loop_father;
  if (!region || !loop || loop_depth (loop) == 0 || !loop->latch
      || !dominated_by_p (CDI_DOMINATORS, loop->latch, gimple_bb (stmt)))
    return;
  for (unsigned i = 0; i < region->args.length (); i++)
    {
      const ummgr_arg *arg = &region->args[i];
      unsigned kind = launch_kind (w, stmt, i);
      tree address = launch_address (w, stmt, i);
      if (arg->location == gimple_location (stmt)
	  && arg->size && arg->size <= UMMGR_WARN_SMALL)
	continue;
      launch l = { stmt, loop, NULL_TREE, false, false };
      if ((kind == GOMP_MAP_TO || kind == GOMP_MAP_TOFROM) && *arg->name
	  && arg->arg_class != UMMGR_ARG_POINTER
	  && address && object_set (&l, address) && !object_may_be_present (&l)
	  && value_is_invariant (loop, address, 8)
	  && size_is_invariant (w, stmt, i, loop)
	  && loop_is_harmless (w, &l))
	ummgr_warn_remapped (arg->location, gimple_location (stmt), arg->name);
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

static const pass_data warn_loop_pass_data = {
  GIMPLE_PASS,
  UMMGR_PASS_WARN_LOOP,
  OPTGROUP_OMP,
  TV_NONE,
  PROP_cfg | PROP_ssa,	/* Properties required.  */
  0, 0, 0, 0
};

class pass_ummgr_warn_loop : public gimple_opt_pass
{
public:
  pass_ummgr_warn_loop (gcc::context *context)
    : gimple_opt_pass (warn_loop_pass_data, context)
  {
  }
  bool gate (function *) final override
  {
    return flag_openmp && !seen_error () && !lang_GNU_Fortran ()
	   && !ummgr_warn_unit.enter_data
	   && ummgr_warn_enabled[UMMGR_WARN_REMAPPED];
  }
  unsigned execute (function *fn) final override
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
    return 0;
  }
};

opt_pass *
ummgr_pass_warn_loop_new (void)
{
  return new pass_ummgr_warn_loop (g);
}
