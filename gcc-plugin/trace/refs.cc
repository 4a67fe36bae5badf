/* What a function accesses, and what of it need not be reported.
   SPDX-License-Identifier: GPL-3.0-or-later

   Left out, because nothing outside the function can have a part in it:
   variables in registers, those whose address is not taken or, as points-to
   analysis has it, goes nowhere (which is all that a pointer may be, or all
   that a static function is called with), results, constants, virtual tables,
   thread-local variables, and what the compiler made for itself (argument
   blocks of outlined functions, frames of nested ones).

   Left out, because it says nothing new: an access that repeats one of its
   block.  A write followed by a read of the same place is two reports, since
   who wrote what is read is a fact; a third access adds none, until another
   write that may alias, or a call, comes between.

   Holds no state between functions.  */

#include "trace/trace.h"

/* An access of the block at hand that was reported.  */
struct known
{
  tree ref;
  unsigned kinds;
};

/* DECL_UIDs of cfun's variables whose address is used.  TREE_ADDRESSABLE says it
   may be, and at -O0 of every array.  */
static bitmap addressed;
/* DECL_PT_UIDs of cfun's variables whose address stays in cfun.  */
static bitmap kept;

struct collector
{
  vec<trace_ref> *refs;
  auto_vec<known> known_refs;
  unsigned elided;
};

static bool
name_begins (tree decl, const char *prefix)
{
  return DECL_NAME (decl)
	 && strncmp (IDENTIFIER_POINTER (DECL_NAME (decl)), prefix,
		     strlen (prefix)) == 0;
}

/* Does every access of the variable DECL stay invisible?  */
static bool
decl_is_private (tree decl)
{
  if (TREE_CODE (decl) == RESULT_DECL)
    return true;
  if (TREE_CODE (decl) != VAR_DECL && TREE_CODE (decl) != PARM_DECL)
    return true;		/* Constants, functions, labels.  */
  if (TREE_CODE (decl) == VAR_DECL
      && (TREE_STATIC (decl) || DECL_EXTERNAL (decl)))
    return TREE_READONLY (decl) || DECL_THREAD_LOCAL_P (decl)
	   || DECL_VIRTUAL_P (decl) || DECL_ARTIFICIAL (decl)
	   || DECL_HARD_REGISTER (decl) || DECL_IN_CONSTANT_POOL (decl);
  return !TREE_ADDRESSABLE (decl) || DECL_ARTIFICIAL (decl)
	 || !bitmap_bit_p (addressed, DECL_UID (decl))
	 || bitmap_bit_p (kept, DECL_PT_UID (decl))
	 || (VAR_P (decl) && DECL_HARD_REGISTER (decl));
}

/* Is POINTER a virtual table's address, loaded from an object?  */
static bool
pointer_is_vtable (tree pointer)
{
  gimple *def = SSA_NAME_DEF_STMT (pointer);
  if (!gimple_assign_load_p (def))
    return false;
  tree from = gimple_assign_rhs1 (def);
  return TREE_CODE (from) == COMPONENT_REF
	 && DECL_VIRTUAL_P (TREE_OPERAND (from, 1));
}

/* Does the SSA name POINTER point to nothing but variables that are kept?  */
static bool
pointer_is_kept (tree pointer)
{
  const ptr_info_def *info
    = POINTER_TYPE_P (TREE_TYPE (pointer)) ? SSA_NAME_PTR_INFO (pointer) : NULL;
  if (!info)
    return false;
  const pt_solution *to = &info->pt;
  return !to->anything && !to->nonlocal && !to->escaped && !to->ipa_escaped
	 && to->vars && !bitmap_empty_p (to->vars)
	 && !bitmap_intersect_compl_p (to->vars, kept);
}

/* POINTER less offsets and conversions.  */
static tree
pointer_root (tree pointer)
{
  while (TREE_CODE (pointer) == SSA_NAME
	 && !SSA_NAME_IS_DEFAULT_DEF (pointer))
    {
      gimple *def = SSA_NAME_DEF_STMT (pointer);
      if (!is_gimple_assign (def)
	  || (gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR
	      && !CONVERT_EXPR_CODE_P (gimple_assign_rhs_code (def))
	      && gimple_assign_rhs_code (def) != SSA_NAME))
	break;
      tree from = gimple_assign_rhs1 (def);
      if (!POINTER_TYPE_P (TREE_TYPE (from)))
	break;
      pointer = from;
    }
  return pointer;
}

/* Callers looked at, one above another.  */
#define CALLERS_MAX 4

static bool parm_is_kept (cgraph_node *node, tree parm, unsigned depth);

/* Does CALL in CALLER pass, as its INDEX-th argument, the address of a variable
   that it keeps to itself?  */
static bool
argument_is_kept (cgraph_node *caller, gcall *call, unsigned index,
		  unsigned depth)
{
  function *fun = DECL_STRUCT_FUNCTION (caller->decl);
  if (!call || !fun || !fun->gimple_df || index >= gimple_call_num_args (call))
    return false;
  tree arg = gimple_call_arg (call, index);
  if (TREE_CODE (arg) == SSA_NAME && SSA_NAME_IS_DEFAULT_DEF (arg)
      && SSA_NAME_VAR (arg) && TREE_CODE (SSA_NAME_VAR (arg)) == PARM_DECL)
    return parm_is_kept (caller, SSA_NAME_VAR (arg), depth + 1);
  tree base = TREE_CODE (arg) == ADDR_EXPR
	      ? get_base_address (TREE_OPERAND (arg, 0)) : NULL_TREE;
  return base && VAR_P (base) && auto_var_in_fn_p (base, caller->decl)
	 && !is_global_var (base)
	 && !pt_solution_includes (&fun->gimple_df->escaped, base);
}

/* Does PARM of NODE's function, where nobody has been redirected to a traced
   version yet, only ever point to such variables of its callers?  */
static bool
parm_is_kept (cgraph_node *node, tree parm, unsigned depth)
{
  unsigned index = 0;
  if (depth > CALLERS_MAX || !node->callers || !node->only_called_directly_p ()
      || trace_version_p (node->decl))
    return false;
  for (tree p = DECL_ARGUMENTS (node->decl); p != parm; p = DECL_CHAIN (p))
    if (p)
      index++;
    else
      return false;
  for (cgraph_edge *e = node->callers; e; e = e->next_caller)
    if (!argument_is_kept (e->caller, e->call_stmt, index, depth))
      return false;
  return true;
}

/* Does the memory at POINTER belong to the compiler?  */
static bool
pointer_is_private (tree pointer)
{
  if (TREE_CODE (pointer) == SSA_NAME && pointer_is_kept (pointer))
    return true;
  pointer = pointer_root (pointer);
  if (TREE_CODE (pointer) == ADDR_EXPR)
    {
      tree base = get_base_address (TREE_OPERAND (pointer, 0));
      return base && DECL_P (base) && decl_is_private (base);
    }
  if (TREE_CODE (pointer) != SSA_NAME)
    return false;
  if (pointer_is_kept (pointer))
    return true;
  tree var = SSA_NAME_VAR (pointer);
  if (SSA_NAME_IS_DEFAULT_DEF (pointer) && var)
    return TREE_CODE (var) == RESULT_DECL || var == cfun->static_chain_decl
	   || (TREE_CODE (var) == PARM_DECL
	       && (DECL_BY_REFERENCE (var) || name_begins (var, ".omp_data")
		   || parm_is_kept (cgraph_node::get (current_function_decl),
				    var, 0)));
  return pointer_is_vtable (pointer);
}

/* Is REF memory that may be reported?  */
static bool
ref_is_memory (tree ref)
{
  if (TREE_CODE (ref) == SSA_NAME || is_gimple_min_invariant (ref)
      || (!DECL_P (ref) && !REFERENCE_CLASS_P (ref)))
    return false;
  tree base = get_base_address (ref);
  if (!base || TREE_CODE (base) == SSA_NAME || CONSTANT_CLASS_P (base))
    return false;
  if (!ADDR_SPACE_GENERIC_P (TYPE_ADDR_SPACE (TREE_TYPE (base))))
    return false;
  if (TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF)
    return !pointer_is_private (TREE_OPERAND (base, 0));
  return DECL_P (base) && !decl_is_private (base);
}

/* REF's containing bytes where it is a bit-field: their offset from *BASE, and
   how many.  */
static bool
bits_get (tree ref, tree *base, tree *offset, poly_int64 *first,
	  unsigned HOST_WIDE_INT *bytes)
{
  poly_int64 size, position;
  machine_mode mode;
  int is_unsigned, reversed, is_volatile = 0;
  *base = get_inner_reference (ref, &size, &position, offset, &mode,
			       &is_unsigned, &reversed, &is_volatile);
  HOST_WIDE_INT s, p;
  if (!size.is_constant (&s) || !position.is_constant (&p) || s <= 0)
    return false;
  HOST_WIDE_INT from = ROUND_DOWN (p, BITS_PER_UNIT);
  *first = from / BITS_PER_UNIT;
  *bytes = (p - from + s + BITS_PER_UNIT - 1) / BITS_PER_UNIT;
  return true;
}

static bool
ref_is_bits (tree ref)
{
  return TREE_CODE (ref) == BIT_FIELD_REF
	 || (TREE_CODE (ref) == COMPONENT_REF
	     && DECL_BIT_FIELD (TREE_OPERAND (ref, 1)));
}

tree
trace_ref_size (const trace_ref *ref)
{
  if (ref->size)
    return ref->size;
  if (ref_is_bits (ref->ref))
    {
      tree base, offset;
      poly_int64 first;
      unsigned HOST_WIDE_INT bytes;
      return bits_get (ref->ref, &base, &offset, &first, &bytes)
	     ? build_int_cst (sizetype, bytes) : NULL_TREE;
    }
  tree size = TYPE_SIZE_UNIT (TREE_TYPE (ref->ref));
  return size && tree_fits_uhwi_p (size) && tree_to_uhwi (size) > 0
	 ? size : NULL_TREE;
}

static tree
address_of (tree ref)
{
  if (TREE_CODE (ref) == MEM_REF && integer_zerop (TREE_OPERAND (ref, 1)))
    return TREE_OPERAND (ref, 0);
  ref = unshare_expr (ref);
  mark_addressable (ref);
  return build_fold_addr_expr (ref);
}

tree
trace_ref_address (const trace_ref *ref)
{
  if (!ref->ref)
    return ref->pointer;
  if (!ref_is_bits (ref->ref))
    return address_of (ref->ref);
  tree base, offset;
  poly_int64 first;
  unsigned HOST_WIDE_INT bytes;
  bits_get (ref->ref, &base, &offset, &first, &bytes);
  tree address = fold_convert (ptr_type_node, address_of (base));
  if (offset)
    address = fold_build_pointer_plus (address, unshare_expr (offset));
  return fold_build_pointer_plus_hwi (address, first.to_constant ());
}

/* Forget what another write, of REF or, if that is NULL, of anything, may have
   changed.  */
static void
known_clobber (collector *c, tree ref)
{
  for (unsigned i = 0; i < c->known_refs.length ();)
    if (!ref || refs_may_alias_p (c->known_refs[i].ref, ref))
      c->known_refs.unordered_remove (i);
    else
      i++;
}

/* Is an access of REF, of KIND, a repetition?  Note it if not.  */
static bool
known_repeats (collector *c, tree ref, unsigned kind)
{
  known *k = NULL;
  if (TREE_SIDE_EFFECTS (ref) || TREE_THIS_VOLATILE (ref))
    return false;
  for (unsigned i = 0; i < c->known_refs.length (); i++)
    if (operand_equal_p (c->known_refs[i].ref, ref, OEP_ADDRESS_OF)
	&& types_compatible_p (TREE_TYPE (c->known_refs[i].ref),
			       TREE_TYPE (ref)))
      {
	k = &c->known_refs[i];
	break;
      }
  if (k && (k->kinds & kind) == kind)
    return true;
  unsigned kinds = kind | (k ? k->kinds : 0);
  if (kind & TRACE_WRITE)
    {
      /* What is read hereafter is another value.  */
      kinds = kind;
      known_clobber (c, ref);
      k = NULL;
    }
  if (k)
    k->kinds = kinds;
  else
    {
      known added = { ref, kinds };
      c->known_refs.safe_push (added);
    }
  return false;
}

static void
ref_add (collector *c, gimple *stmt, tree ref, tree size, unsigned kind,
	 bool after)
{
  if (!ref_is_memory (ref))
    return;
  trace_ref r = {};
  r.stmt = stmt;
  r.ref = ref;
  r.size = size;
  r.kind = kind;
  r.after = after;
  if (!trace_ref_size (&r))
    return;
  if (known_repeats (c, ref, kind))
    c->elided++;
  else
    c->refs->safe_push (r);
}

static void
assign_collect (collector *c, gassign *stmt)
{
  if (gimple_clobber_p (stmt) || !gimple_assign_single_p (stmt))
    return;
  tree rhs = gimple_assign_rhs1 (stmt);
  tree lhs = gimple_assign_lhs (stmt);
  tree size = NULL_TREE;
  if (TREE_CODE (rhs) == WITH_SIZE_EXPR)
    {
      size = TREE_OPERAND (rhs, 1);
      rhs = TREE_OPERAND (rhs, 0);
    }
  ref_add (c, stmt, rhs, size, TRACE_READ, false);
  if (TREE_CODE (lhs) == SSA_NAME)
    return;
  if (!ref_is_memory (lhs))
    known_clobber (c, lhs);
  ref_add (c, stmt, lhs, size, TRACE_WRITE, false);
}

/* Append to the known library functions' accesses those of CALL's values.  */
static void
call_collect (collector *c, gcall *call)
{
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      tree arg = gimple_call_arg (call, i);
      tree size = NULL_TREE;
      if (TREE_CODE (arg) == WITH_SIZE_EXPR)
	{
	  size = TREE_OPERAND (arg, 1);
	  arg = TREE_OPERAND (arg, 0);
	}
      ref_add (c, call, arg, size, TRACE_READ, false);
    }
  trace_ref known[TRACE_LIB_MAX];
  unsigned n = trace_lib_refs (call, known);
  for (unsigned i = 0; i < n; i++)
    if (!pointer_is_private (known[i].pointer))
      c->refs->safe_push (known[i]);
  if (!(gimple_call_flags (call) & ECF_CONST))
    known_clobber (c, NULL_TREE);
  if (gimple_call_lhs (call))
    ref_add (c, call, gimple_call_lhs (call), NULL_TREE, TRACE_WRITE, true);
}

static void
asm_collect (collector *c, gasm *stmt)
{
  if (!gimple_asm_volatile_p (stmt))
    {
      for (unsigned i = 0; i < gimple_asm_ninputs (stmt); i++)
	ref_add (c, stmt, TREE_VALUE (gimple_asm_input_op (stmt, i)),
		 NULL_TREE, TRACE_READ, false);
      for (unsigned i = 0; i < gimple_asm_noutputs (stmt); i++)
	ref_add (c, stmt, TREE_VALUE (gimple_asm_output_op (stmt, i)),
		 NULL_TREE, TRACE_WRITE, false);
    }
  known_clobber (c, NULL_TREE);
}

static void
stmt_collect (collector *c, gimple *stmt)
{
  switch (gimple_code (stmt))
    {
    case GIMPLE_ASSIGN:
      assign_collect (c, as_a <gassign *> (stmt));
      break;
    case GIMPLE_CALL:
      call_collect (c, as_a <gcall *> (stmt));
      break;
    case GIMPLE_ASM:
      asm_collect (c, as_a <gasm *> (stmt));
      break;
    default:
      break;
    }
}

/* Fill ADDRESSED.  */
static void
addressed_find (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    {
      for (gphi_iterator gsi = gsi_start_phis (bb); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	for (unsigned i = 0; i < gimple_phi_num_args (gsi.phi ()); i++)
	  {
	    tree arg = gimple_phi_arg_def (gsi.phi (), i);
	    tree base = TREE_CODE (arg) == ADDR_EXPR
			? get_base_address (TREE_OPERAND (arg, 0)) : NULL_TREE;
	    if (base && DECL_P (base))
	      bitmap_set_bit (addressed, DECL_UID (base));
	  }
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	if (!gimple_clobber_p (gsi_stmt (gsi)))
	  gimple_ior_addresses_taken (addressed, gsi_stmt (gsi));
    }
}

/* Fill KEPT.  Without points-to analysis everything escapes.  */
static void
kept_find (void)
{
  tree var;
  unsigned i;
  FOR_EACH_LOCAL_DECL (cfun, i, var)
    if (VAR_P (var) && auto_var_in_fn_p (var, current_function_decl)
	&& !is_global_var (var)
	&& !pt_solution_includes (&cfun->gimple_df->escaped, var))
      bitmap_set_bit (kept, DECL_PT_UID (var));
}

void
trace_refs_collect (vec<trace_ref> *refs, unsigned *elided)
{
  collector c;
  addressed = BITMAP_ALLOC (NULL);
  kept = BITMAP_ALLOC (NULL);
  addressed_find ();
  kept_find ();
  c.refs = refs;
  c.elided = 0;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    {
      c.known_refs.truncate (0);
      for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	   gsi_next (&gsi))
	if (!is_gimple_debug (gsi_stmt (gsi)))
	  stmt_collect (&c, gsi_stmt (gsi));
    }
  *elided = c.elided;
  BITMAP_FREE (addressed);
  BITMAP_FREE (kept);
}

void
trace_refs_loops (vec<trace_ref> *refs)
{
  for (unsigned i = 0; i < refs->length (); i++)
    {
      class loop *loop = gimple_bb ((*refs)[i].stmt)->loop_father;
      (*refs)[i].loops = loop && loop_outer (loop);
    }
}
