/* The traced version of a function, and the choice between the two.
   SPDX-License-Identifier: GPL-3.0-or-later

   f (args) { if (__ummgr_trace_on) return f.ummgr_traced (args); ... }

   Tracing is switched on before the first instrumented function runs or never,
   so the variable is read as a constant: callers that inline f check once, and
   the plain version is optimised as if nothing had been added.

   What cannot be copied is instrumented in place, and what cannot even bear
   that is left alone.  Holds no state but whether GCC's warnings are hushed.  */

#include "trace/trace.h"

static bool
attribute_p (tree decl, const char *name)
{
  return lookup_attribute (name, DECL_ATTRIBUTES (decl)) != NULL_TREE;
}

/* Is CALL one whose meaning is its function's frame?  */
static bool
call_needs_own_frame (const gcall *call)
{
  if (!gimple_call_builtin_p (call, BUILT_IN_NORMAL))
    return false;
  switch (DECL_FUNCTION_CODE (gimple_call_fndecl (call)))
    {
    case BUILT_IN_RETURN_ADDRESS:
    case BUILT_IN_FRAME_ADDRESS:
    case BUILT_IN_EXTRACT_RETURN_ADDR:
    case BUILT_IN_DWARF_CFA:
    case BUILT_IN_EH_RETURN:
    case BUILT_IN_UNWIND_INIT:
    case BUILT_IN_APPLY_ARGS:
    case BUILT_IN_APPLY:
    case BUILT_IN_RETURN:
    case BUILT_IN_VA_START:
    case BUILT_IN_NEXT_ARG:
    case BUILT_IN_SETJMP:
    case BUILT_IN_SETJMP_SETUP:
    case BUILT_IN_SETJMP_RECEIVER:
    case BUILT_IN_NONLOCAL_GOTO:
      return true;
    default:
      return false;
    }
}

/* Why FUN's statements don't allow a copy, or NULL.  */
static const char *
body_forbids_copy (function *fun)
{
  bool noclone = attribute_p (fun->decl, "noclone");
  basic_block bb;
  FOR_EACH_BB_FN (bb, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	const gimple *stmt = gsi_stmt (gsi);
	if (const gcall *call = dyn_cast <const gcall *> (stmt))
	  {
	    if (call_needs_own_frame (call))
	      return "uses its own frame";
	  }
	else if (noclone && gimple_code (stmt) == GIMPLE_ASM)
	  return "noclone with asm, which may define symbols";
	else if (const glabel *label = dyn_cast <const glabel *> (stmt))
	  {
	    if (FORCED_LABEL (gimple_label_label (label))
		|| DECL_NONLOCAL (gimple_label_label (label)))
	      return "the address of a label is taken";
	  }
      }
  return NULL;
}

/* Do two frames instead of one, or a call with NODE's arguments, go wrong?  */
static const char *
signature_forbids_copy (tree decl)
{
  for (tree parm = DECL_ARGUMENTS (decl); parm; parm = DECL_CHAIN (parm))
    {
      tree size = TYPE_SIZE_UNIT (TREE_TYPE (parm));
      if (!size || TREE_CODE (size) != INTEGER_CST)
	return "an argument of variable size";
    }
  tree result = TREE_TYPE (TREE_TYPE (decl));
  if (!VOID_TYPE_P (result)
      && (!TYPE_SIZE_UNIT (result)
	  || TREE_CODE (TYPE_SIZE_UNIT (result)) != INTEGER_CST))
    return "a result of variable size";
  return NULL;
}

/* Is NODE, or an alias of it, an ifunc's resolver?  It runs before the program
   is relocated.  */
static bool
is_resolver (cgraph_node *node)
{
  ipa_ref *ref;
  if (node->ifunc_resolver || attribute_p (node->decl, "ifunc"))
    return true;
  FOR_EACH_ALIAS (node, ref)
    if (ref->referring->ifunc_resolver
	|| attribute_p (ref->referring->decl, "ifunc"))
      return true;
  return false;
}

static const char *
why_left_alone (cgraph_node *node)
{
  tree decl = node->decl;
  if (attribute_p (decl, "no_instrument_function"))
    return "no_instrument_function";
  if (attribute_p (decl, "naked"))
    return "naked";
  if (is_resolver (node))
    return "resolves an ifunc";
  if (DECL_EXTERNAL (decl)
      && (attribute_p (decl, "gnu_inline") || flag_gnu89_inline))
    return "gnu_inline: the function called is another";
  if (attribute_p (decl, "interrupt") || attribute_p (decl, "target_clones")
      || attribute_p (decl, "transaction_callable")
      || attribute_p (decl, "transaction_safe"))
    return "an attribute whose calls are not ordinary";
  return NULL;
}

trace_mode
trace_version_mode (cgraph_node *node, const char **why)
{
  tree decl = node->decl;
  function *fun = DECL_STRUCT_FUNCTION (decl);
  if ((*why = why_left_alone (node)))
    return TRACE_NONE;
  if (attribute_p (decl, "always_inline"))
    *why = "always_inline";
  else if (stdarg_p (TREE_TYPE (decl)) || fun->stdarg)
    *why = "variable arguments";
  else if (fun->calls_setjmp)
    *why = "calls setjmp";
  else if (copy_forbidden (fun))
    *why = "GCC cannot copy it";
  else if (!(*why = signature_forbids_copy (decl)))
    *why = body_forbids_copy (fun);
  return *why ? TRACE_IN_PLACE : TRACE_CLONE;
}

bool
trace_version_p (tree decl)
{
  return strstr (IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (decl)),
		 ".ummgr_traced");
}

void
trace_version_hush (void *, void *)
{
  static bool hushed, before;
  bool *inhibited = ummgr_warnings_inhibited ();
  bool traced = cfun && trace_version_p (cfun->decl);
  if (traced == hushed)
    return;
  if (traced)
    before = *inhibited;
  *inhibited = traced || before;
  hushed = traced;
}

/* What held for the plain version and does not hold for the traced one, which
   reports.  */
static void
traced_decl_adjust (tree decl)
{
  tree attributes = copy_list (DECL_ATTRIBUTES (decl));
  static const char *const dropped[] = {
    "omp target entrypoint", "always_inline", "noclone", "noipa", "alias",
    "weak", "constructor", "destructor", "const", "pure", "flatten", "malloc",
    "no_icf", "omp declare simd"
  };
  for (const char *name : dropped)
    attributes = remove_attribute (name, attributes);
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("no_icf"), NULL_TREE,
				      attributes);
  TREE_READONLY (decl) = 0;
  DECL_PURE_P (decl) = 0;
  DECL_LOOPING_CONST_OR_PURE_P (decl) = 0;
  DECL_IS_NOVOPS (decl) = 0;
  DECL_DISREGARD_INLINE_LIMITS (decl) = 0;
  DECL_DECLARED_INLINE_P (decl) = 0;
  DECL_NO_INLINE_WARNING_P (decl) = 1;
  /* Inlined into the plain version it would slow that down.  */
  DECL_UNINLINABLE (decl) = 1;
  if (fndecl_built_in_p (decl))
    set_decl_built_in_function (decl, NOT_BUILT_IN, 0);
}

cgraph_node *
trace_version_new (cgraph_node *node)
{
  tree decl = node->decl;
  tree attributes = DECL_ATTRIBUTES (decl);
  /* GCC copies no function that says noclone.  It says so lest a copy with
     other arguments be made, which this is not.  */
  if (attribute_p (decl, "noclone"))
    DECL_ATTRIBUTES (decl) = remove_attribute ("noclone",
					       copy_list (attributes));
  cgraph_node *traced = ummgr_version_clone (node, "ummgr_traced");
  DECL_ATTRIBUTES (decl) = attributes;
  if (!traced)
    return NULL;
  traced_decl_adjust (traced->decl);
  /* What GCC says of it is of the function that was written; only main's name
     means something to GCC.  */
  if (DECL_NAME (decl) && !MAIN_NAME_P (DECL_NAME (decl)))
    DECL_NAME (traced->decl) = DECL_NAME (decl);
  traced->offloadable = node->offloadable;
  if (node->offloadable
      && !attribute_p (traced->decl, "omp declare target"))
    DECL_ATTRIBUTES (traced->decl)
      = tree_cons (get_identifier ("omp declare target"), NULL_TREE,
		   DECL_ATTRIBUTES (traced->decl));
  function *from = DECL_STRUCT_FUNCTION (decl);
  function *to = DECL_STRUCT_FUNCTION (traced->decl);
  to->has_simduid_loops |= from->has_simduid_loops;
  to->has_force_vectorize_loops |= from->has_force_vectorize_loops;
  to->calls_alloca |= from->calls_alloca;
  to->has_local_explicit_reg_vars |= from->has_local_explicit_reg_vars;
  return traced;
}

/* What GCC inlines into the plain version after this pass would be a call in the traced one, and
   nothing is hoisted out of a loop that calls.  So small functions are inlined there now, with
   GCC's early inliner, which did so before with a narrower limit.  */
#define INLINED_INSNS_MAX 40

void
trace_version_inline (cgraph_node *traced)
{
  cl_optimization *options = opts_for_fn (traced->decl);
  if (!options->x_optimize)
    return;
  push_cfun (DECL_STRUCT_FUNCTION (traced->decl));
  int most = options->x_param_early_inlining_insns;
  options->x_param_early_inlining_insns = MAX (most, INLINED_INSNS_MAX);
  param_early_inlining_insns = options->x_param_early_inlining_insns;
  unsigned todo = early_inliner (cfun);
  param_early_inlining_insns = options->x_param_early_inlining_insns = most;
  if (todo)
    {
      update_ssa (TODO_update_ssa);
      cleanup_tree_cfg ();
      execute_update_addresses_taken ();
    }
  ummgr_function_changed ();
  pop_cfun ();
}

/* The arguments of the function at hand, for a call of its traced version
   before GSI.  */
static void
arguments_pass (gimple_stmt_iterator *gsi, vec<tree> *args)
{
  for (tree parm = DECL_ARGUMENTS (current_function_decl); parm;
       parm = DECL_CHAIN (parm))
    {
      tree arg = parm;
      if (is_gimple_reg (parm))
	arg = get_or_create_ssa_default_def (cfun, parm);
      else if (is_gimple_reg_type (TREE_TYPE (parm)))
	{
	  arg = make_ssa_name (TYPE_MAIN_VARIANT (TREE_TYPE (parm)));
	  gsi_insert_before (gsi, gimple_build_assign (arg, parm),
			     GSI_SAME_STMT);
	}
      /* An unprototyped function is passed promoted arguments.  */
      if (is_gimple_reg_type (TREE_TYPE (parm))
	  && !useless_type_conversion_p (DECL_ARG_TYPE (parm),
					 TREE_TYPE (arg)))
	arg = force_gimple_operand_gsi (gsi,
					fold_convert (DECL_ARG_TYPE (parm),
						      arg),
					true, NULL_TREE, true, GSI_SAME_STMT);
      args->safe_push (arg);
    }
}

/* Where CALL puts its result, and in *RETURNED what the function then returns;
   NULL_TREE for nothing.  */
static tree
result_place (gcall *call, tree *returned)
{
  tree result = DECL_RESULT (current_function_decl);
  tree type = TREE_TYPE (TREE_TYPE (current_function_decl));
  *returned = NULL_TREE;
  if (VOID_TYPE_P (type) || gimple_call_noreturn_p (call))
    return NULL_TREE;
  if (DECL_BY_REFERENCE (result))
    {
      *returned = get_or_create_ssa_default_def (cfun, result);
      gimple_call_set_return_slot_opt (call, true);
      return build_simple_mem_ref (*returned);
    }
  if (is_gimple_reg_type (type))
    return *returned = make_ssa_name (TYPE_MAIN_VARIANT (type), call);
  if (aggregate_value_p (result, TREE_TYPE (current_function_decl)))
    {
      gimple_call_set_return_slot_opt (call, true);
      return *returned = result;
    }
  return *returned = create_tmp_var (type, "traced");
}

/* "return TRACED (arguments)" at the end of BB, which has no successor.  */
static void
traced_call (basic_block bb, cgraph_node *traced)
{
  auto_vec<tree> args;
  gimple_stmt_iterator gsi = gsi_last_bb (bb);
  arguments_pass (&gsi, &args);
  gcall *call = gimple_build_call_vec (traced->decl, args);
  if (cfun->static_chain_decl)
    gimple_call_set_chain (call,
			   get_or_create_ssa_default_def
			     (cfun, cfun->static_chain_decl));
  gimple_set_location (call, DECL_SOURCE_LOCATION (current_function_decl));
  gimple_set_block (call, DECL_INITIAL (current_function_decl));
  tree returned;
  if (tree lhs = result_place (call, &returned))
    gimple_call_set_lhs (call, lhs);
  gsi = gsi_last_bb (bb);
  gsi_insert_after (&gsi, call, GSI_NEW_STMT);
  if (gimple_call_noreturn_p (call))
    return;
  gsi_insert_after (&gsi, gimple_build_return (returned), GSI_NEW_STMT);
  make_edge (bb, EXIT_BLOCK_PTR_FOR_FN (cfun), 0);
}

void
trace_version_dispatch (cgraph_node *node, cgraph_node *traced)
{
  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  edge entry = single_succ_edge (ENTRY_BLOCK_PTR_FOR_FN (cfun));
  basic_block check = split_edge (entry);
  edge plain = single_succ_edge (check);

  tree on = make_ssa_name (integer_type_node);
  gimple_stmt_iterator gsi = gsi_start_bb (check);
  gsi_insert_after (&gsi, gimple_build_assign (on, trace_decl_on ()),
		    GSI_NEW_STMT);
  basic_block bb = ummgr_branch (check, on, plain->dest, UNKNOWN_LOCATION);
  plain->probability = profile_probability::very_likely ();
  single_pred_edge (bb)->probability = profile_probability::very_unlikely ();
  bb->count = single_pred_edge (bb)->count ();
  traced_call (bb, traced);
  if (EDGE_COUNT (bb->succs))
    single_succ_edge (bb)->probability = profile_probability::always ();

  ummgr_function_changed ();
  pop_cfun ();
}
