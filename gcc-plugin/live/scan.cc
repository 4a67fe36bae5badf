/* Where the pointers of a function come from, and where they go.
   SPDX-License-Identifier: GPL-3.0-or-later

   One answer for all of a function, whatever the order of its statements: where
   each SSA name may point, what pointers are in its locals and in what it
   allocates, and which of those other code may get at.  Owns nothing but what is
   in the function handed in.  */

#include "live/live.h"

/* A search for F's roots.  */
struct search
{
  live_function *f;
  bool changed;
};

static void
points_add (search *s, tree name, live_set set)
{
  bool known;
  live_set &old = s->f->points.get_or_insert (name, &known);
  if (!known)
    old = 0;
  if ((old | set) != old)
    s->changed = true;
  old |= set;
}

/* Other code may get at SET, and at what is in it.  */
static void
escape (search *s, live_set set)
{
  for (unsigned i = 1; i < s->f->roots.length (); i++)
    if ((set >> i & 1) && !s->f->roots[i].escaped)
      {
	s->f->roots[i].escaped = s->changed = true;
	escape (s, s->f->roots[i].contents);
      }
}

/* Is MEMORY a variable of GCC's own?  */
static bool
is_block (const live_function *f, live_set memory)
{
  if (!pow2p_hwi (memory) || memory == LIVE_ANY)
    return false;
  const live_root &root = f->roots[exact_log2 (memory)];
  return root.kind == LIVE_LOCAL && DECL_ARTIFICIAL (root.t);
}

/* A value that may point to SET is stored in MEMORY.  */
static void
store (search *s, live_set memory, live_set set)
{
  if (!set)
    return;
  for (unsigned i = 0; i < s->f->roots.length (); i++)
    {
      live_root &root = s->f->roots[i];
      if (!(memory >> i & 1))
	continue;
      if (!live_is_own (root) || root.escaped)
	escape (s, set);
      if ((root.contents | set) != root.contents)
	s->changed = true;
      root.contents |= set;
    }
  /* What is found there later may be of an earlier turn of a loop.  Argument
     blocks are filled each time.  */
  for (unsigned i = 1; i < s->f->roots.length (); i++)
    if ((set >> i & 1) && !is_block (s->f, memory))
      s->f->roots[i].several = true;
}

/* Where the value of STMT, an assignment of a register, may point.  */
static live_set
computed_points_to (live_function *f, gassign *stmt)
{
  tree_code code = gimple_assign_rhs_code (stmt);
  tree lhs = gimple_assign_lhs (stmt), rhs = gimple_assign_rhs1 (stmt);
  if (TREE_CODE_CLASS (code) == tcc_comparison
      || SCALAR_FLOAT_TYPE_P (TREE_TYPE (lhs)))
    return 0;
  if (gimple_assign_single_p (stmt))
    return live_points_to (f, rhs);
  live_set set = 0;
  bool constant = true;
  for (unsigned i = 1; i < gimple_num_ops (stmt); i++)
    {
      tree op = gimple_op (stmt, i);
      if (!op || (code == COND_EXPR && i == 1))
	continue;
      constant &= CONSTANT_CLASS_P (op);
      set |= live_points_to (f, op);
    }
  /* A number that was made a pointer.  */
  if (POINTER_TYPE_P (TREE_TYPE (lhs)) && !POINTER_TYPE_P (TREE_TYPE (rhs))
      && !set && !constant)
    set = LIVE_ANY;
  return set;
}

static void
assign_scan (search *s, gassign *stmt)
{
  tree lhs = gimple_assign_lhs (stmt);
  if (gimple_clobber_p (stmt))
    return;
  if (TREE_CODE (lhs) == SSA_NAME)
    {
      points_add (s, lhs, computed_points_to (s->f, stmt));
      return;
    }
  live_set memory = live_memory (s->f, lhs);
  live_set set = live_points_to (s->f, gimple_assign_rhs1 (stmt));
  store (s, memory, set);
  /* Fields of argument blocks are followed as pointers only.  */
  if (is_block (s->f, memory) && !POINTER_TYPE_P (TREE_TYPE (lhs)))
    escape (s, set);
}

/* A launch: what the region gets stays in its block, unless it passes it on.  */
static void
launch_scan (search *s, gcall *call)
{
  live_set block = live_points_to (s->f, gimple_call_arg (call, 3));
  if (live_launch_stores_pointers (call))
    escape (s, live_contents (s->f, block));
}

/* The arguments of CALL that are no pointers to CALLEE, or that it has no name
   for, may become pointers there.  */
static void
disguised_scan (search *s, gcall *call, const live_function *callee,
		unsigned first)
{
  tree parameter = DECL_ARGUMENTS (callee->node->decl);
  for (unsigned i = first; i < gimple_call_num_args (call); i++)
    {
      if (!parameter || !POINTER_TYPE_P (TREE_TYPE (parameter)))
	escape (s, live_points_to (s->f, gimple_call_arg (call, i)));
      if (parameter)
	parameter = DECL_CHAIN (parameter);
    }
}

/* Roots of F that CALLEE's root ROOT stands for at CALL.  */
static live_set
argument_points_to (live_function *f, const gcall *call, unsigned first,
		    const live_root &root)
{
  unsigned i = first + root.index;
  if (i >= gimple_call_num_args (call))
    return LIVE_ANY;
  return root.kind == LIVE_FIELD
	 ? live_block_field (f, call, i, root.offset)
	 : live_points_to (f, gimple_call_arg (call, i));
}

static void
seen_scan (search *s, gcall *call)
{
  unsigned first;
  live_function *callee = live_callee (call, &first), *f = s->f;
  live_set result = 0;
  for (unsigned i = 1; i < callee->roots.length (); i++)
    {
      const live_root &root = callee->roots[i];
      if (root.kind == LIVE_GLOBAL)
	live_root_get (f, LIVE_GLOBAL, root.t, 0, 0);
      if (root.kind != LIVE_PARAM && root.kind != LIVE_FIELD)
	continue;
      live_set set = argument_points_to (f, call, first, root);
      if (root.escaped)
	escape (s, set);
      if (root.returned)
	result |= set;
    }
  disguised_scan (s, call, callee, first);
  /* It finds what the arguments have pointers to.  An outlined function's block
     is followed one step further.  */
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      live_set set = live_contents (f, live_points_to (f, arg));
      if (live_is_outlined (callee) && first)
	set = live_contents (f, set);
      escape (s, set);
      if (DECL_P (arg) || REFERENCE_CLASS_P (arg))
	escape (s, live_points_to (f, arg));
    }
  if (gimple_call_chain (call))
    escape (s, live_points_to (f, gimple_call_chain (call)));
  tree lhs = gimple_call_lhs (call);
  if (!lhs)
    return;
  bool name = TREE_CODE (lhs) == SSA_NAME;
  if (callee->fresh && name)
    result |= live_bit_of (live_root_get (f, LIVE_ALLOC, lhs, 0, 0));
  else if (POINTER_TYPE_P (TREE_TYPE (lhs)) && name)
    result |= live_bit_of (live_root_get (f, LIVE_LOADED, lhs, 0, 0));
  else if (!SCALAR_FLOAT_TYPE_P (TREE_TYPE (lhs))
	   && !INTEGRAL_TYPE_P (TREE_TYPE (lhs)))
    result |= LIVE_ANY;
  if (name)
    points_add (s, lhs, result);
  else
    store (s, live_memory (f, lhs), result);
}

/* A call that is not followed: its arguments get out of sight, if KEEPS, or
   only what is in them.  */
static void
unseen_scan (search *s, gcall *call, bool keeps)
{
  live_set args = 0;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    args |= live_points_to (s->f, gimple_call_arg (call, i));
  if (gimple_call_chain (call))
    args |= live_points_to (s->f, gimple_call_chain (call));
  escape (s, keeps ? args : live_contents (s->f, args));
  tree lhs = gimple_call_lhs (call);
  if (!lhs)
    return;
  live_set result = keeps ? 0 : args;
  if (TREE_CODE (lhs) != SSA_NAME)
    store (s, live_memory (s->f, lhs), result | LIVE_ANY);
  else if (POINTER_TYPE_P (TREE_TYPE (lhs)))
    points_add (s, lhs, result | live_bit_of (live_root_get (s->f, LIVE_LOADED, lhs,
							0, 0)));
}

static void
call_scan (search *s, gcall *call)
{
  live_function *f = s->f;
  tree lhs = gimple_call_lhs (call);
  bool name = lhs && TREE_CODE (lhs) == SSA_NAME;
  switch (live_call_kind_of (call))
    {
    case LIVE_CALL_SEEN:
      seen_scan (s, call);
      break;
    case LIVE_CALL_LAUNCH:
      launch_scan (s, call);
      break;
    case LIVE_CALL_ALLOC:
      if (name)
	points_add (s, lhs, live_bit_of (live_root_get (f, LIVE_ALLOC, lhs, 0, 0)));
      else if (lhs)
	store (s, live_memory (f, lhs), LIVE_ANY);
      break;
    case LIVE_CALL_COPY:
      {
	live_set from = live_points_to (f, gimple_call_arg (call, 1));
	live_set to = live_points_to (f, gimple_call_arg (call, 0));
	store (s, to, live_contents (f, from)
		      | (from & live_foreign (f) ? LIVE_ANY : 0));
      }
      /* FALLTHRU */
    case LIVE_CALL_SET:
      if (name)
	points_add (s, lhs, live_points_to (f, gimple_call_arg (call, 0)));
      break;
    case LIVE_CALL_DATA:
    case LIVE_CALL_FREE:
    case LIVE_CALL_END:
      break;
    case LIVE_CALL_NONE:
      if (name && POINTER_TYPE_P (TREE_TYPE (lhs)))
	unseen_scan (s, call, false);
      break;
    case LIVE_CALL_ARGS:
      unseen_scan (s, call, false);
      break;
    case LIVE_CALL_UNSEEN:
      unseen_scan (s, call, true);
      break;
    }
}

static void
asm_scan (search *s, gasm *stmt)
{
  for (unsigned i = 0; i < gimple_asm_ninputs (stmt); i++)
    {
      tree value = TREE_VALUE (gimple_asm_input_op (stmt, i));
      escape (s, live_points_to (s->f, value));
      if (DECL_P (value) || REFERENCE_CLASS_P (value))
	escape (s, live_memory (s->f, value));
    }
  for (unsigned i = 0; i < gimple_asm_noutputs (stmt); i++)
    {
      tree value = TREE_VALUE (gimple_asm_output_op (stmt, i));
      if (TREE_CODE (value) == SSA_NAME)
	points_add (s, value, LIVE_ANY);
      else
	{
	  escape (s, live_memory (s->f, value));
	  store (s, live_memory (s->f, value), LIVE_ANY);
	}
    }
}

static void
return_scan (search *s, greturn *stmt)
{
  tree value = gimple_return_retval (stmt);
  if (!value)
    return;
  live_set set = live_points_to (s->f, value);
  for (unsigned i = 1; i < s->f->roots.length (); i++)
    if ((set >> i & 1) && !s->f->roots[i].returned)
      s->f->roots[i].returned = s->changed = true;
  escape (s, live_contents (s->f, set));
  if (TREE_CODE (value) != SSA_NAME && !is_gimple_min_invariant (value))
    escape (s, set);
}

static void
block_scan (search *s, basic_block block)
{
  for (gphi_iterator gsi = gsi_start_phis (block); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      tree result = gimple_phi_result (gsi.phi ());
      if (virtual_operand_p (result))
	continue;
      live_set set = 0;
      for (unsigned i = 0; i < gimple_phi_num_args (gsi.phi ()); i++)
	set |= live_points_to (s->f, gimple_phi_arg_def (gsi.phi (), i));
      for (unsigned i = 1; i < s->f->roots.length (); i++)
	if (set >> i & 1)
	  s->f->roots[i].several = true;
      points_add (s, result, set);
    }
  for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
       gsi_next (&gsi))
    {
      gimple *stmt = gsi_stmt (gsi);
      if (gassign *assign = dyn_cast <gassign *> (stmt))
	assign_scan (s, assign);
      else if (gcall *call = dyn_cast <gcall *> (stmt))
	call_scan (s, call);
      else if (gasm *code = dyn_cast <gasm *> (stmt))
	asm_scan (s, code);
      else if (greturn *leave = dyn_cast <greturn *> (stmt))
	return_scan (s, leave);
    }
}

/* Does F return new memory only?  */
static bool
is_fresh (const live_function *f)
{
  bool any = false;
  if (!POINTER_TYPE_P (TREE_TYPE (TREE_TYPE (f->node->decl))))
    return false;
  for (unsigned i = 0; i < f->roots.length (); i++)
    if (f->roots[i].returned)
      {
	if (f->roots[i].kind != LIVE_ALLOC || f->roots[i].escaped)
	  return false;
	any = true;
      }
  return any;
}

/* A name whose turn in a loop can't be told: does root I have one definition
   outside of all loops?  */
static void
several_fix (live_function *f)
{
  for (unsigned i = 1; i < f->roots.length (); i++)
    {
      live_root &root = f->roots[i];
      if (root.kind != LIVE_ALLOC || !root.several)
	continue;
      gimple *def = SSA_NAME_DEF_STMT (root.t);
      if (gimple_bb (def) && !loop_outer (gimple_bb (def)->loop_father))
	root.several = false;
    }
}

/* walk_stmt_load_store_addr_ops' callback: REF is a place whose address is taken, or that an asm fills.  */
static bool
on_address (gimple *, tree ref, tree, void *data)
{
  tree base = get_base_address (ref);
  if (base && DECL_P (base))
    ((live_function *) data)->addressed.add (base);
  return false;
}

/* Does STMT fill in a field of an argument block of GCC's?  */
static bool
fills_block (gimple *stmt)
{
  tree lhs = gimple_assign_single_p (stmt) ? gimple_assign_lhs (stmt) : NULL_TREE;
  tree base = lhs ? get_base_address (lhs) : NULL_TREE;
  return base && VAR_P (base) && DECL_ARTIFICIAL (base) && !is_global_var (base);
}

/* Where F's own variables are assigned to by their names, and which may be otherwise.  */
static void
stores_find (live_function *f)
{
  basic_block block;
  FOR_EACH_BB_FN (block, f->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	tree lhs = gimple_get_lhs (stmt);
	tree base = lhs && gimple_store_p (stmt) && !gimple_clobber_p (stmt)
		    ? get_base_address (lhs) : NULL_TREE;
	if (base && DECL_P (base) && !is_global_var (base))
	  f->stores.safe_push (stmt);
	if (!fills_block (stmt))
	  walk_stmt_load_store_addr_ops (stmt, f, NULL, gimple_code (stmt) == GIMPLE_ASM ? on_address : NULL,
					 on_address);
      }
  FOR_EACH_BB_FN (block, f->fun)
    for (gphi_iterator gsi = gsi_start_phis (block); !gsi_end_p (gsi); gsi_next (&gsi))
      walk_stmt_load_store_addr_ops (gsi.phi (), f, NULL, NULL, on_address);
}

void
live_roots_find (live_function *f)
{
  search s = { f, true };
  live_root any = {};
  any.escaped = true;
  any.contents = LIVE_ANY;
  f->roots.safe_push (any);
  basic_block block;
  stores_find (f);
  while (s.changed)
    {
      s.changed = false;
      unsigned before = f->roots.length ();
      FOR_EACH_BB_FN (block, f->fun)
	block_scan (&s, block);
      /* What is in what escaped.  */
      for (unsigned i = 1; i < f->roots.length (); i++)
	if (f->roots[i].escaped)
	  escape (&s, f->roots[i].contents);
      s.changed |= f->roots.length () != before;
    }
  several_fix (f);
  f->fresh = is_fresh (f);
  f->scanned = true;
}

