/* Which memory a function's pointers may point into.
   SPDX-License-Identifier: GPL-3.0-or-later

   One answer for all of a function, whatever the order of its statements: where
   each SSA name may point, what pointers are in its locals and in what it
   allocates, and which of those other code may get at.  Owns nothing but what is
   in the function handed in.  */

#include "live.h"

/* A search for F's roots.  */
struct search
{
  live_function *f;
  bool changed;
};

static bool
is_own (const live_root &root)
{
  return root.kind == LIVE_LOCAL || root.kind == LIVE_ALLOC;
}

/* The parameter DECL of F, or -1.  */
static int
parameter_index (const live_function *f, tree decl)
{
  int i = 0;
  for (tree p = DECL_ARGUMENTS (f->node->decl); p; p = DECL_CHAIN (p), i++)
    if (p == decl)
      return i;
  return -1;
}

/* The root, made if there is none; 0 where there is no room.  */
static unsigned
root_get (live_function *f, live_root_kind kind, tree t, unsigned index,
	  HOST_WIDE_INT offset)
{
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (f->roots[i].kind == kind && f->roots[i].t == t
	&& f->roots[i].index == index && f->roots[i].offset == offset)
      return i;
  if (f->roots.length () == LIVE_ROOTS)
    return 0;
  live_root root = {};
  root.kind = kind;
  root.t = t;
  root.index = index;
  root.offset = offset;
  f->roots.safe_push (root);
  unsigned i = f->roots.length () - 1;
  /* What is in a parameter that lies in memory the caller put there.  */
  if (kind == LIVE_LOCAL && TREE_CODE (t) == PARM_DECL)
    {
      int p = parameter_index (f, t);
      live_set contents
	= p >= 0 && POINTER_TYPE_P (TREE_TYPE (t))
	  ? live_bit_of (root_get (f, LIVE_PARAM, NULL_TREE, p, 0)) : LIVE_ANY;
      f->roots[i].contents = contents;
    }
  return i;
}

int
live_root_of_decl (const live_function *f, const_tree decl)
{
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (f->roots[i].kind == LIVE_GLOBAL && f->roots[i].t == decl)
      return i;
  return -1;
}

live_set
live_foreign (const live_function *f)
{
  live_set all = LIVE_ANY;
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (!is_own (f->roots[i]) || f->roots[i].escaped)
      all |= live_bit_of (i);
  return all;
}

bool
live_is_outlined (const live_function *f)
{
  tree name = DECL_NAME (f->node->decl);
  return name && strstr (IDENTIFIER_POINTER (name), "._omp_fn")
	 && DECL_ARTIFICIAL (f->node->decl);
}

bool
live_root_is_steady (const live_function *f, unsigned i)
{
  const live_root &root = f->roots[i];
  switch (root.kind)
    {
    case LIVE_LOCAL:
    case LIVE_GLOBAL:
    case LIVE_PARAM:
      return true;
    case LIVE_ALLOC:
      return !root.several;
    case LIVE_FIELD:
      return live_is_outlined (f);
    default:
      return false;
    }
}

static live_set
name_points_to (live_function *f, tree name)
{
  tree variable = SSA_NAME_VAR (name);
  if (!SSA_NAME_IS_DEFAULT_DEF (name))
    {
      live_set *known = f->points.get (name);
      return known ? *known : 0;
    }
  if (!variable || TREE_CODE (variable) != PARM_DECL)
    return 0;
  int i = parameter_index (f, variable);
  if (i < 0)
    return LIVE_ANY;
  return POINTER_TYPE_P (TREE_TYPE (name))
	 ? live_bit_of (root_get (f, LIVE_PARAM, NULL_TREE, i, 0)) : 0;
}

/* Is the local DECL worth a root?  */
static bool
local_matters (tree decl)
{
  tree type = strip_array_types (TREE_TYPE (decl));
  return TREE_ADDRESSABLE (decl) || POINTER_TYPE_P (type)
	 || RECORD_OR_UNION_TYPE_P (type)
	 || TREE_CODE (TREE_TYPE (decl)) == ARRAY_TYPE;
}

live_set
live_memory (live_function *f, tree ref)
{
  tree base = get_base_address (ref);
  if (!base)
    return LIVE_ANY;
  switch (TREE_CODE (base))
    {
    case VAR_DECL:
    case PARM_DECL:
    case RESULT_DECL:
      if (is_global_var (base))
	return live_bit_of (root_get (f, LIVE_GLOBAL, base, 0, 0));
      /* A function nested in another names that one's variables.  */
      if (decl_function_context (base) != f->node->decl
	  && !DECL_ARTIFICIAL (base))
	return LIVE_ANY;
      return local_matters (base)
	     ? live_bit_of (root_get (f, LIVE_LOCAL, base, 0, 0)) : 0;
    case MEM_REF:
    case TARGET_MEM_REF:
      {
	live_set set = live_points_to (f, TREE_OPERAND (base, 0));
	return set ? set : LIVE_ANY;
      }
    case SSA_NAME:
    case STRING_CST:
    case CONSTRUCTOR:
    case FUNCTION_DECL:
    case LABEL_DECL:
    case CONST_DECL:
      return 0;
    default:
      return CONSTANT_CLASS_P (base) ? 0 : LIVE_ANY;
    }
}

/* The field of what a pointer points to that REF is, by the pointer's root.  */
static live_set
field_points_to (live_function *f, tree ref, unsigned root)
{
  poly_int64 offset, size, most;
  bool reverse;
  tree base = get_ref_base_and_extent (ref, &offset, &size, &most, &reverse);
  HOST_WIDE_INT at, more;
  if (TREE_CODE (base) != MEM_REF || !offset.is_constant (&at)
      || !known_eq (size, most) || at % BITS_PER_UNIT
      || !tree_fits_shwi_p (TREE_OPERAND (base, 1))
      || TREE_CODE (TREE_OPERAND (base, 0)) != SSA_NAME
      || !SSA_NAME_IS_DEFAULT_DEF (TREE_OPERAND (base, 0)))
    return LIVE_ANY;
  more = tree_to_shwi (TREE_OPERAND (base, 1));
  return live_bit_of (root_get (f, LIVE_FIELD, NULL_TREE,
				f->roots[root].index,
				at / BITS_PER_UNIT + more));
}

/* Where what is loaded from REF may point.  Numbers from foreign memory point
   nowhere until they are made pointers.  */
static live_set
load_points_to (live_function *f, tree ref)
{
  tree type = TREE_TYPE (ref);
  if (SCALAR_FLOAT_TYPE_P (type) || COMPLEX_FLOAT_TYPE_P (type))
    return 0;
  bool pointer = POINTER_TYPE_P (type);
  bool number = INTEGRAL_TYPE_P (type);
  live_set memory = live_memory (f, ref), out = 0;
  for (unsigned i = 0; i < f->roots.length (); i++)
    {
      if (!(memory >> i & 1))
	continue;
      if (is_own (f->roots[i]))
	out |= f->roots[i].contents
	       | (f->roots[i].escaped && !number ? LIVE_ANY : 0);
      else if (number)
	continue;
      else if (pointer && f->roots[i].kind == LIVE_PARAM)
	out |= field_points_to (f, ref, i);
      else if (pointer && f->roots[i].kind == LIVE_GLOBAL && DECL_P (ref))
	out |= live_bit_of (root_get (f, LIVE_LOADED, ref, 0, 0));
      else
	out |= LIVE_ANY;
    }
  return out;
}

live_set
live_points_to (live_function *f, tree value)
{
  if (!value)
    return 0;
  switch (TREE_CODE (value))
    {
    case SSA_NAME:
      return name_points_to (f, value);
    case ADDR_EXPR:
      return live_memory (f, TREE_OPERAND (value, 0));
    case CONSTRUCTOR:
      {
	unsigned i;
	tree element;
	live_set out = 0;
	FOR_EACH_CONSTRUCTOR_VALUE (CONSTRUCTOR_ELTS (value), i, element)
	  out |= live_points_to (f, element);
	return out;
      }
    default:
      if (!DECL_P (value) && !REFERENCE_CLASS_P (value))
	return 0;
      /* A part of a name is no memory.  */
      tree base = get_base_address (value);
      return base && TREE_CODE (base) == SSA_NAME ? name_points_to (f, base)
						  : load_points_to (f, value);
    }
}

/* --- what changes ------------------------------------------------------- */

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

/* All that is in SET.  */
static live_set
contents_of (const live_function *f, live_set set)
{
  live_set out = 0;
  for (unsigned i = 1; i < f->roots.length (); i++)
    if (set >> i & 1)
      out |= f->roots[i].contents;
  return out;
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
      if (!is_own (root) || root.escaped)
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
    escape (s, contents_of (s->f, block));
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
	root_get (f, LIVE_GLOBAL, root.t, 0, 0);
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
      live_set set = contents_of (f, live_points_to (f, arg));
      if (live_is_outlined (callee) && first)
	set = contents_of (f, set);
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
    result |= live_bit_of (root_get (f, LIVE_ALLOC, lhs, 0, 0));
  else if (POINTER_TYPE_P (TREE_TYPE (lhs)) && name)
    result |= live_bit_of (root_get (f, LIVE_LOADED, lhs, 0, 0));
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
  escape (s, keeps ? args : contents_of (s->f, args));
  tree lhs = gimple_call_lhs (call);
  if (!lhs)
    return;
  live_set result = keeps ? 0 : args;
  if (TREE_CODE (lhs) != SSA_NAME)
    store (s, live_memory (s->f, lhs), result | LIVE_ANY);
  else if (POINTER_TYPE_P (TREE_TYPE (lhs)))
    points_add (s, lhs, result | live_bit_of (root_get (s->f, LIVE_LOADED, lhs,
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
	points_add (s, lhs, live_bit_of (root_get (f, LIVE_ALLOC, lhs, 0, 0)));
      else if (lhs)
	store (s, live_memory (f, lhs), LIVE_ANY);
      break;
    case LIVE_CALL_COPY:
      {
	live_set from = live_points_to (f, gimple_call_arg (call, 1));
	live_set to = live_points_to (f, gimple_call_arg (call, 0));
	store (s, to, contents_of (f, from)
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
  escape (s, contents_of (s->f, set));
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

void
live_roots_find (live_function *f)
{
  search s = { f, true };
  live_root any = {};
  any.escaped = true;
  any.contents = LIVE_ANY;
  f->roots.safe_push (any);
  basic_block block;
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
}

live_set
live_stored_at (live_function *f, unsigned i, HOST_WIDE_INT offset)
{
  const live_root root = f->roots[i];
  live_set out = 0;
  basic_block block;
  if (root.kind != LIVE_LOCAL || root.escaped)
    return root.contents | LIVE_ANY;
  FOR_EACH_BB_FN (block, f->fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gimple *stmt = gsi_stmt (gsi);
	tree lhs = gimple_get_lhs (stmt);
	if (!lhs || !gimple_store_p (stmt) || gimple_clobber_p (stmt)
	    || get_base_address (lhs) != root.t)
	  continue;
	poly_int64 at, size, most;
	bool reverse;
	get_ref_base_and_extent (lhs, &at, &size, &most, &reverse);
	if (known_eq (size, most) && known_size_p (size)
	    && (known_ge (at, (offset + 1) * BITS_PER_UNIT)
		|| known_le (at + size, offset * BITS_PER_UNIT)))
	  continue;
	if (!gimple_assign_single_p (stmt) || !known_eq (size, most)
	    || !known_eq (at, offset * BITS_PER_UNIT))
	  return root.contents | LIVE_ANY;
	out |= live_points_to (f, gimple_assign_rhs1 (stmt));
      }
  return out;
}

live_set
live_block_field (live_function *f, const gcall *call, unsigned block,
		  HOST_WIDE_INT offset)
{
  live_set set = live_points_to (f, gimple_call_arg (call, block));
  if (pow2p_hwi (set) && set != LIVE_ANY)
    return live_stored_at (f, exact_log2 (set), offset);
  return contents_of (f, set) | LIVE_ANY;
}
