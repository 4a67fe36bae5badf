/* Results that the host returns in registers, and the offload compiler does not.
   SPDX-License-Identifier: GPL-3.0-or-later

   Code for both is made for the host's calling convention: a struct that fits
   its registers is returned by "return D.1", where one in memory is by
   "<retval> = D.1; return <retval>".  nvptx has every struct in memory, and its
   compiler stops at "return D.1" (the assertion in GCC 12's
   gcc/tree-nrv.cc, pass_nrv::execute).  That does not happen as long as the
   function is inlined, which the reports, or being a traced version, may
   prevent.  So functions all of whose calls are known return such results in
   memory on the host as well.
   What makes GCC do so is TREE_ADDRESSABLE of the function's type
   (aggregate_value_p in gcc/function.cc).  Holds no state.  */

#include "trace/trace.h"

/* Is DECL's result a struct in registers here?  */
static bool
result_differs (tree decl)
{
  tree type = TREE_TYPE (TREE_TYPE (decl));
  return !VOID_TYPE_P (type) && !is_gimple_reg_type (type)
	 && !aggregate_value_p (DECL_RESULT (decl), decl);
}

/* Are all calls of NODE known, and ordinary?  */
static bool
calls_are_known (cgraph_node *node)
{
  if (node->thunk || node->has_aliases_p () || !node->only_called_directly_p ())
    return false;
  for (cgraph_edge *e = node->callers; e; e = e->next_caller)
    if (e->caller->thunk || !e->call_stmt)
      return false;
  return true;
}

/* DECL's type, returning in memory.  A method's would lose that with its first
   parameter (build_adjusted_function_type in
   gcc/ipa-param-manipulation.cc).  */
static tree
type_in_memory (tree decl)
{
  tree type = TREE_TYPE (decl);
  if (TREE_CODE (type) == METHOD_TYPE)
    type = build_function_type (TREE_TYPE (type), TYPE_ARG_TYPES (type));
  type = build_distinct_type_copy (type);
  TREE_ADDRESSABLE (type) = 1;
  return type;
}

/* Return through the result's declaration, as what is returned in memory is.  */
static void
returns_rewrite (void)
{
  tree result = DECL_RESULT (current_function_decl);
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (cfun)->preds)
    {
      gimple_stmt_iterator gsi = gsi_last_bb (e->src);
      greturn *stmt = safe_dyn_cast <greturn *> (gsi_stmt (gsi));
      tree value = stmt ? gimple_return_retval (stmt) : NULL_TREE;
      if (!value || value == result)
	continue;
      gassign *copy = gimple_build_assign (result, value);
      gimple_set_location (copy, gimple_location (stmt));
      gsi_insert_before (&gsi, copy, GSI_SAME_STMT);
      gimple_return_set_retval (stmt, result);
      update_stmt (stmt);
    }
  mark_virtual_operands_for_renaming (cfun);
  update_ssa (TODO_update_ssa_only_virtuals);
}

bool
trace_result_in_memory (cgraph_node *node)
{
  if (!node->offloadable || !result_differs (node->decl)
      || !calls_are_known (node))
    return false;
  TREE_TYPE (node->decl) = type_in_memory (node->decl);
  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  cfun->returns_struct = 1;
  returns_rewrite ();
  pop_cfun ();
  for (cgraph_edge *e = node->callers; e; e = e->next_caller)
    gimple_call_set_fntype (e->call_stmt, TREE_TYPE (node->decl));
  return true;
}
