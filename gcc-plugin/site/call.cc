/* The constraints of calls.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of the unit's own function joins arguments with parameters; what
   libgomp and pthread_create call back gets what was handed over for it.  Of
   what system headers declare, only what copies memory or allocates matters: it
   keeps no pointers, or none that come back.  All other calls leave the unit.
   Owns the launches found.  */

#include "site/site.h"

vec<site_launch> site_launches;

/* Calls by pointer, with the callees that were joined.  */
typedef hash_set<pair_hash<nofree_ptr_hash<gcall>,
			   nofree_ptr_hash<tree_node> > > callee_set;
static callee_set *watched;

cgraph_node *
site_definition (tree fndecl)
{
  cgraph_node *node = cgraph_node::get (fndecl);
  if (!node)
    return NULL;
  node = node->ultimate_alias_target ();
  return node && node->definition && gimple_has_body_p (node->decl)
	 && DECL_STRUCT_FUNCTION (node->decl)
	 && DECL_STRUCT_FUNCTION (node->decl)->cfg ? node : NULL;
}

/* May other units call NODE's function and not one like it of their own?  */
bool
site_is_visible (cgraph_node *node)
{
  return TREE_PUBLIC (node->decl) && node->externally_visible
	 && !DECL_COMDAT (node->decl);
}

static bool
is_foreign (tree decl)
{
  return fndecl_built_in_p (decl)
	 || DECL_SOURCE_LOCATION (decl) <= BUILTINS_LOCATION
	 || in_system_header_at (DECL_SOURCE_LOCATION (decl));
}

/* Argument I of CALL if it is a function.  */
static tree
function_argument (gcall *call, unsigned i)
{
  tree arg = i < gimple_call_num_args (call) ? gimple_call_arg (call, i)
					     : NULL_TREE;
  if (arg && TREE_CODE (arg) == SSA_NAME
      && gimple_assign_single_p (SSA_NAME_DEF_STMT (arg)))
    arg = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (arg));
  return arg && TREE_CODE (arg) == ADDR_EXPR
	 && TREE_CODE (TREE_OPERAND (arg, 0)) == FUNCTION_DECL
	 ? TREE_OPERAND (arg, 0) : NULL_TREE;
}

/* A node of what the argument ARG points to, or holds if it is a struct.  */
static unsigned
argument_node (tree arg)
{
  if (is_gimple_reg_type (TREE_TYPE (arg)))
    return site_type_may_point (TREE_TYPE (arg)) ? site_value (arg)
						 : SITE_NOTHING;
  HOST_WIDE_INT offset;
  unsigned from = site_place (arg, &offset), node = site_node_new ();
  site_load (node, from, SITE_ANY);
  return node;
}

/* CALL's result comes from FROM, a pointer to it if it is a struct.  */
static void
result_copy (gcall *call, unsigned from)
{
  tree lhs = gimple_call_lhs (call);
  HOST_WIDE_INT offset;
  if (!lhs)
    return;
  if (TREE_CODE (lhs) == SSA_NAME)
    {
      if (site_type_may_point (TREE_TYPE (lhs)))
	site_copy (site_value (lhs), from, 0);
      return;
    }
  unsigned to = site_place (lhs, &offset);
  if (is_gimple_reg_type (TREE_TYPE (lhs)))
    site_store (to, offset, from);
  else
    site_move (to, offset, from, 0, -1);
}

/* Parameter PARM of FUN gets ARG.  */
static void
parameter_bind (function *fun, tree parm, tree arg)
{
  if (is_gimple_reg (parm))
    {
      tree value = ssa_default_def (fun, parm);
      if (value)
	site_copy (site_value (value), argument_node (arg), 0);
      return;
    }
  unsigned to = site_objects[site_object_of (parm)].address;
  if (is_gimple_reg_type (TREE_TYPE (arg)))
    site_store (to, 0, argument_node (arg));
  else
    {
      HOST_WIDE_INT offset;
      unsigned from = site_place (arg, &offset);
      site_move (to, 0, from, offset, -1);
    }
}

/* What is beyond the named parameters goes through va_arg.  */
static void
arguments_bind (gcall *call, tree fndecl)
{
  function *fun = DECL_STRUCT_FUNCTION (fndecl);
  tree parm = DECL_ARGUMENTS (fndecl);
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      if (!parm)
	{
	  site_sink (argument_node (gimple_call_arg (call, i)), SITE_UNKNOWN);
	  continue;
	}
      parameter_bind (fun, parm, gimple_call_arg (call, i));
      parm = DECL_CHAIN (parm);
    }
  if (fun->static_chain_decl && gimple_call_chain (call))
    {
      tree value = ssa_default_def (fun, fun->static_chain_decl);
      if (value)
	site_copy (site_value (value), site_value (gimple_call_chain (call)),
		   0);
    }
}

void
site_call_bind (gcall *call, tree fndecl)
{
  arguments_bind (call, fndecl);
  tree result = DECL_RESULT (fndecl), lhs = gimple_call_lhs (call);
  if (result && lhs && DECL_BY_REFERENCE (result))
    {
      tree value = ssa_default_def (DECL_STRUCT_FUNCTION (fndecl), result);
      if (value)
	site_copy (site_value (value), site_value (build_fold_addr_expr (lhs)),
		   0);
      return;
    }
  result_copy (call, site_returned (fndecl));
}

/* Parameter I of FNDECL gets what VALUE points to.  */
static void
callback_bind (tree fndecl, unsigned i, unsigned value)
{
  cgraph_node *node = fndecl ? site_definition (fndecl) : NULL;
  tree parm = node ? DECL_ARGUMENTS (node->decl) : NULL_TREE;
  for (; parm && i; i--)
    parm = DECL_CHAIN (parm);
  if (!parm)
    return;
  if (!is_gimple_reg (parm))
    site_store (site_objects[site_object_of (parm)].address, 0, value);
  else if (tree name = ssa_default_def (DECL_STRUCT_FUNCTION (node->decl),
					parm))
    site_copy (site_value (name), value, 0);
}

static unsigned
value_of_argument (gcall *call, unsigned i)
{
  return i < gimple_call_num_args (call)
	 ? argument_node (gimple_call_arg (call, i)) : SITE_NOTHING;
}

/* A call of NAME that calls back.  */
static bool
walk_runner (gcall *call, const char *name)
{
  if (strcmp (name, "GOMP_target_ext") == 0)
    {
      tree fn = function_argument (call, 1);
      unsigned addresses = value_of_argument (call, 3);
      callback_bind (fn, 0, addresses);
      if (fn)
	{
	  site_launch launch = { fn, addresses };
	  site_launches.safe_push (launch);
	}
      return true;
    }
  if (startswith (name, "GOMP_parallel") || startswith (name, "GOMP_task")
      || startswith (name, "GOMP_teams_reg"))
    {
      unsigned data = value_of_argument (call, 1);
      callback_bind (function_argument (call, 0), 0, data);
      /* A task's copy of its data, made by the third argument.  */
      if (tree copier = startswith (name, "GOMP_task")
			? function_argument (call, 2) : NULL_TREE)
	{
	  unsigned object = site_object_new (SITE_OBJECT_VARIABLE, 0,
					     DECL_RESULT (copier));
	  unsigned copy = site_objects[object].address;
	  callback_bind (copier, 0, copy);
	  callback_bind (copier, 1, data);
	  callback_bind (function_argument (call, 0), 0, copy);
	}
      return true;
    }
  if (strcmp (name, "pthread_create") == 0)
    {
      callback_bind (function_argument (call, 2), 0,
		     value_of_argument (call, 3));
      return true;
    }
  return false;
}

static HOST_WIDE_INT
constant_size (gcall *call, unsigned i)
{
  tree size = gimple_call_arg (call, i);
  return tree_fits_shwi_p (size) ? tree_to_shwi (size) : -1;
}

bool
site_is_page_function (const char *name)
{
  static const char *const names[] = {
    "munmap", "mprotect", "mremap", "madvise", "mbind", "mlock", "munlock",
    "remap_file_pages", "sigaltstack", "posix_madvise", "cudaHostRegister",
    "process_madvise", "pkey_mprotect"
  };
  for (const char *n : names)
    if (strcmp (n, name) == 0)
      return true;
  return false;
}

/* A call of NAME, a function that is declared by the system.  */
static void
walk_foreign (gcall *call, const char *name)
{
  unsigned args = gimple_call_num_args (call);
  bool moves = startswith (name, "mem") || startswith (name, "__mem");
  if (args >= 3 && moves && (strstr (name, "cpy") || strstr (name, "move")))
    site_move (value_of_argument (call, 0), 0, value_of_argument (call, 1), 0,
	       constant_size (call, 2));
  if (args > 0 && site_is_page_function (name))
    site_sink (value_of_argument (call, 0),
	       site_symbol_get (UMMGR_FLOW_PARAMETER, name, 0));
  /* It may call back.  */
  for (unsigned i = 0; i < args; i++)
    {
      tree type = TREE_TYPE (gimple_call_arg (call, i));
      if (function_argument (call, i)
	  || (POINTER_TYPE_P (type)
	      && TREE_CODE (TREE_TYPE (type)) == FUNCTION_TYPE))
	site_sink (value_of_argument (call, i), SITE_UNKNOWN);
    }
  tree lhs = gimple_call_lhs (call);
  if (!lhs || !site_type_may_point (TREE_TYPE (lhs))
      || !POINTER_TYPE_P (TREE_TYPE (lhs)))
    return;
  int flags = gimple_call_return_flags (call);
  if (flags & ERF_RETURNS_ARG)
    result_copy (call, value_of_argument (call,
					  flags & ERF_RETURN_ARG_MASK));
  else if (moves && args)
    result_copy (call, value_of_argument (call, 0));
  else
    result_copy (call, site_symbol_node (SITE_UNKNOWN));
}

/* A call of what is not seen: FNDECL, or nobody knows what.  */
static void
walk_unseen (gcall *call, tree fndecl)
{
  const char *name = fndecl ? IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl))
			    : NULL;
  for (unsigned i = 0; i < gimple_call_num_args (call); i++)
    {
      unsigned value = value_of_argument (call, i);
      if (value != SITE_NOTHING)
	site_sink (value, name ? site_symbol_get (UMMGR_FLOW_PARAMETER, name,
						  i) : SITE_UNKNOWN);
    }
  tree lhs = gimple_call_lhs (call);
  if (lhs && (!is_gimple_reg_type (TREE_TYPE (lhs))
	      || POINTER_TYPE_P (TREE_TYPE (lhs))))
    result_copy (call,
		 site_symbol_node (name ? site_symbol_get (UMMGR_FLOW_RETURN,
							   name, 0)
				   : SITE_UNKNOWN));
}

/* site_solve's callback: the pointer that CALL calls may be FNDECL, or, if that
   is NULL_TREE, another unit's function.  */
static void
call_watcher (gcall *call, tree fndecl)
{
  cgraph_node *node = fndecl ? site_definition (fndecl) : NULL;
  if (watched->add (std::make_pair (call, fndecl)))
    return;
  if (node)
    site_call_bind (call, node->decl);
  else if (!fndecl || !is_foreign (fndecl))
    walk_unseen (call, fndecl);
}

/* A site, whose result is CALL's.  */
static void
walk_allocation (cgraph_node *node, gcall *call, const site_allocator *a,
		 cgraph_node *wrapper)
{
  site_call site = { call, node, a, wrapper, 0, NULL };
  site.object = site_object_new (SITE_OBJECT_HEAP, site_calls.length (),
				 NULL_TREE);
  site_calls.safe_push (site);
  unsigned address = site_objects[site.object].address;
  if (a && a->out >= 0)
    {
      site_store (value_of_argument (call, a->out), 0, address);
      return;
    }
  result_copy (call, address);
  /* Resized memory may stay where it is.  */
  if (a && a->old >= 0)
    {
      unsigned old = value_of_argument (call, a->old);
      result_copy (call, old);
      site_move (address, 0, old, 0, -1);
    }
}

void
site_walk_call (cgraph_node *node, gcall *call)
{
  if (gimple_call_internal_p (call))
    {
      tree lhs = gimple_call_lhs (call);
      if (lhs && POINTER_TYPE_P (TREE_TYPE (lhs)))
	result_copy (call, site_symbol_node (SITE_UNKNOWN));
      return;
    }
  tree fndecl = gimple_call_fndecl (call);
  if (!fndecl)
    {
      site_watch (site_value (gimple_call_fn (call)), call);
      return;
    }
  if (const site_allocator *a = site_allocator_of (call))
    {
      walk_allocation (node, call, a, NULL);
      return;
    }
  if (cgraph_node *wrapper = site_wrapper_of (call))
    {
      walk_allocation (node, call, NULL, wrapper);
      arguments_bind (call, wrapper->decl);
      return;
    }
  if (cgraph_node *callee = site_definition (fndecl))
    {
      site_call_bind (call, callee->decl);
      return;
    }
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl));
  if (walk_runner (call, name))
    return;
  if (is_foreign (fndecl))
    walk_foreign (call, IDENTIFIER_POINTER (DECL_NAME (fndecl)));
  else
    walk_unseen (call, fndecl);
}

bool
site_calls_solve (void)
{
  watched = new callee_set;
  bool good = site_solve (call_watcher, site_walk_escaped);
  delete watched;
  watched = NULL;
  return good;
}
