/* Managed memory for what reaches regions (-fplugin-arg-ummgr-unify), or for what of that
   may be shared (site/shared.cc).
   SPDX-License-Identifier: GPL-3.0-or-later

     p = malloc (n);
   becomes
     if (&ummgr_unify_alloc && (q = ummgr_unify_alloc (1, n, 0, 0, how, id)))
       p = q;
     else
       p = malloc (n);
   or, of what may be shared, the same with ummgr_share_alloc.

   The reference is weak, and libummgr declines what it can't do: then the
   program's own allocator is called, with its own errors, exceptions and
   alignment.  That what comes from libummgr may be given to free, realloc and
   delete, also by code that nobody has compiled with this plugin, is libummgr's
   care (libummgr/memory/unify.c).  An allocation in a function that returns it is
   made so for the calls that need it: these call a copy.

   Holds the copies made during the pass.  */

#include "site/site.h"
#include "trace/trace.h"

/* The HOW of both (libummgr/memory/unify.h).  */
enum { HOW_ZERO = 1, HOW_NEW = 2, HOW_OPENMP = 4, HOW_SURE = 8 };

struct version
{
  cgraph_node *of, *node;
  uint64_t id;
  unsigned how;
};
static vec<version> versions;
static tree alloc_decl;
/* What reaches regions is redirected, not only what may be shared.  */
static bool redirect_all;

static bool
runs_on_devices (cgraph_node *node)
{
  return lookup_attribute ("omp declare target", DECL_ATTRIBUTES (node->decl))
	 || lookup_attribute ("omp target entrypoint",
			      DECL_ATTRIBUTES (node->decl));
}

/* Are the traits of the allocator ARG those of ordinary memory?  The numbers are
   OpenMP's: null, default, large capacity, high bandwidth.  */
static bool
is_ordinary_allocator (tree arg)
{
  if (TREE_CODE (arg) == SSA_NAME
      && gimple_assign_single_p (SSA_NAME_DEF_STMT (arg)))
    arg = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (arg));
  if (!tree_fits_shwi_p (arg))
    return false;
  HOST_WIDE_INT n = tree_to_shwi (arg);
  return n == 0 || n == 1 || n == 2 || n == 4;
}

static char *
allocator_why_not (const site_allocator *a, gcall *call, cgraph_node *node)
{
  function *fun = DECL_STRUCT_FUNCTION (node->decl);
  tree lhs = gimple_call_lhs (call);
  if (a->redirect == SITE_REDIRECT_NO)
    return xstrdup (a->why);
  if (a->redirect == SITE_REDIRECT_OPENMP
      && !is_ordinary_allocator (gimple_call_arg (call, a->traits)))
    return xstrdup ("its allocator may have traits of its own");
  if (runs_on_devices (node))
    return xstrdup ("its function may run on devices, too");
  if (fun->calls_setjmp || fun->has_nonlocal_label)
    return xstrdup ("its function may be left and entered by a jump");
  if (lhs && (TREE_CODE (lhs) != SSA_NAME
	      || SSA_NAME_OCCURS_IN_ABNORMAL_PHI (lhs)))
    return xstrdup ("its result is no register");
  return NULL;
}

static char *
wrapper_why_not (cgraph_node *wrapper, int depth)
{
  const char *why = NULL;
  const char *name = IDENTIFIER_POINTER (DECL_NAME (wrapper->decl));
  auto_vec<gcall *> calls;
  if (runs_on_devices (wrapper))
    return concat ("`", name, "' may run on devices, too", NULL);
  if (ummgr_decl_is_replaceable (wrapper->decl)
      && !DECL_DECLARED_INLINE_P (wrapper->decl))
    return concat ("another function may replace `", name, "'", NULL);
  if (trace_version_mode (wrapper, &why) != TRACE_CLONE
      || lookup_attribute ("noclone", DECL_ATTRIBUTES (wrapper->decl)))
    return concat ("`", name, "' can't be copied", why ? ": " : "",
		   why ? why : "", NULL);
  char *inner = NULL;
  site_returned_calls (DECL_STRUCT_FUNCTION (wrapper->decl), &calls);
  for (unsigned i = 0; i < calls.length (); i++)
    {
      const site_allocator *a = site_allocator_of (calls[i]);
      free (inner);
      inner = NULL;
      if (a)
	inner = allocator_why_not (a, calls[i], wrapper);
      else if (depth > 0)
	inner = wrapper_why_not
		  (site_definition (gimple_call_fndecl (calls[i])), depth - 1);
      if (!inner)
	return NULL;
    }
  return inner ? inner : xstrdup ("it returns nothing");
}

char *
site_unify_why_not (const site_call *call)
{
  if (call->allocator)
    return allocator_why_not (call->allocator, call->call, call->node);
  if (runs_on_devices (call->node))
    return xstrdup ("its function may run on devices, too");
  return wrapper_why_not (call->wrapper, 8);
}

/* void *ummgr_unify_alloc, or ummgr_share_alloc, (size_t, size_t, size_t, const void *, unsigned,
   uint64_t).  */
static tree
decl_get (void)
{
  if (!alloc_decl)
    alloc_decl
      = ummgr_weak_function (redirect_all ? "ummgr_unify_alloc" : "ummgr_share_alloc",
			     build_function_type_list
			       (ptr_type_node, size_type_node, size_type_node,
				size_type_node, const_ptr_type_node,
				unsigned_type_node,
				long_long_unsigned_type_node, NULL_TREE));
  DECL_IS_MALLOC (alloc_decl) = 1;
  return alloc_decl;
}

/* Argument I of CALL as TYPE, before GSI; NONE where I is negative.  */
static tree
argument (gimple_stmt_iterator *gsi, gcall *call, int i, tree type, tree none)
{
  if (i < 0)
    return none;
  return force_gimple_operand_gsi (gsi, fold_convert (type, gimple_call_arg
							      (call, i)),
				   true, NULL_TREE, true, GSI_SAME_STMT);
}

/* The call that asks for what CALL would allocate, its
   arguments before GSI; HOW, also below: HOW_SURE, whatever other units do.  */
static gcall *
request_build (gimple_stmt_iterator *gsi, gcall *call, const site_allocator *a,
	       uint64_t id, unsigned how)
{
  tree size = size_type_node;
  how |= (a->zero ? HOW_ZERO : 0) | (startswith (a->name, "_Zn") ? HOW_NEW : 0)
		 | (a->traits >= 0 ? HOW_OPENMP : 0);
  gcall *request = gimple_build_call (
    decl_get (), 6, argument (gsi, call, a->times, size, size_one_node),
    argument (gsi, call, a->size, size, NULL_TREE),
    argument (gsi, call, a->align, size, size_zero_node),
    argument (gsi, call, a->old, const_ptr_type_node, null_pointer_node),
    build_int_cst (unsigned_type_node, how),
    build_int_cst (long_long_unsigned_type_node, id));
  gimple_call_set_lhs (request, make_ssa_name (ptr_type_node, request));
  gimple_set_location (request, gimple_location (call));
  gimple_set_block (request, gimple_block (call));
  return request;
}

/* A block after CALL, where it has not thrown, and nothing in it yet.  */
static basic_block
block_after (gcall *call)
{
  basic_block bb = gimple_bb (call);
  if (!stmt_ends_bb_p (call))
    return split_block (bb, call)->dest;
  edge e = find_fallthru_edge (bb->succs);
  return e ? split_edge (e) : NULL;
}

/* CALL's result is Q if control comes by TAKEN, else its own.  */
static void
result_join (gcall *call, edge taken, tree q)
{
  tree lhs = gimple_call_lhs (call);
  if (!lhs)
    return;
  edge other = EDGE_PRED (taken->dest, EDGE_PRED (taken->dest, 0) == taken);
  tree own = copy_ssa_name (lhs, call);
  gimple_call_set_lhs (call, own);
  gphi *phi = create_phi_node (lhs, taken->dest);
  add_phi_arg (phi, own, other, gimple_location (call));
  add_phi_arg (phi, q, taken, gimple_location (call));
}

/* Redirect CALL of cfun, for the site with ID.  */
static void
call_redirect (gcall *call, const site_allocator *a, uint64_t id, unsigned how)
{
  basic_block after = block_after (call);
  if (!after)
    return;
  gimple_stmt_iterator gsi = gsi_for_stmt (call);
  gcall *request = request_build (&gsi, call, a, id, how);
  tree function = make_ssa_name (ptr_type_node);
  gsi_insert_before (&gsi, gimple_build_assign (function, build_fold_addr_expr
							    (decl_get ())),
		     GSI_SAME_STMT);
  gsi_prev (&gsi);
  basic_block bb = gimple_bb (call);
  basic_block own = split_block (bb, gsi_stmt (gsi))->dest;
  basic_block ask = ummgr_branch (bb, function, own, UNKNOWN_LOCATION);
  make_edge (ask, own, EDGE_FALLTHRU)->probability
    = profile_probability::always ();
  gsi = gsi_last_bb (ask);
  gsi_insert_after (&gsi, request, GSI_NEW_STMT);
  tree q = gimple_call_lhs (request);
  basic_block take = ummgr_branch (ask, q, own, UNKNOWN_LOCATION);
  edge taken = make_edge (take, after, EDGE_FALLTHRU);
  taken->probability = profile_probability::always ();
  gsi = gsi_last_bb (take);
  tree result = gimple_call_lhs (call);
  if (a->out >= 0)
    {
      tree place = build2 (MEM_REF, ptr_type_node,
			   gimple_call_arg (call, a->out),
			   build_zero_cst (build_pointer_type_for_mode
					     (ptr_type_node, ptr_mode, true)));
      gsi_insert_after (&gsi, gimple_build_assign (place, q), GSI_NEW_STMT);
      q = result ? build_zero_cst (TREE_TYPE (result)) : NULL_TREE;
    }
  else if (result
	   && !useless_type_conversion_p (TREE_TYPE (result), TREE_TYPE (q)))
    {
      tree name = make_ssa_name (TREE_TYPE (result));
      gsi_insert_after (&gsi, gimple_build_assign (name, NOP_EXPR, q),
			GSI_NEW_STMT);
      q = name;
    }
  result_join (call, taken, q);
}

static void
function_redirect (cgraph_node *node, gcall *call, const site_allocator *a,
		   uint64_t id, unsigned how)
{
  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  call_redirect (call, a, id, how);
  ummgr_function_changed ();
  pop_cfun ();
}

/* What holds for a function and not for a copy that has another caller.  */
static void
version_decl_adjust (tree decl)
{
  static const char *const dropped[]
    = { "alias", "weak", "constructor", "destructor", "no_icf" };
  tree attributes = copy_list (DECL_ATTRIBUTES (decl));
  for (const char *name : dropped)
    attributes = remove_attribute (name, attributes);
  DECL_ATTRIBUTES (decl) = attributes;
  if (fndecl_built_in_p (decl))
    set_decl_built_in_function (decl, NOT_BUILT_IN, 0);
}

/* The version of WRAPPER whose allocations are redirected for site ID (0: for any), or NULL.  */
static cgraph_node *
version_get (cgraph_node *wrapper, uint64_t id, unsigned how)
{
  unsigned others = 0;
  for (unsigned i = 0; i < versions.length (); i++)
    if (versions[i].of == wrapper)
      {
	if (versions[i].id == id && versions[i].how == how)
	  return versions[i].node;
	others++;
      }
  /* GCC numbers no copy itself; a further pass may copy each under its name.  */
  char suffix[32];
  snprintf (suffix, sizeof suffix, others ? "ummgr_unified.%u" : "ummgr_unified",
	    others);
  cgraph_node *node = ummgr_version_clone (wrapper, suffix);
  version v = { wrapper, node, id, how };
  versions.safe_push (v);
  if (!node)
    return NULL;
  version_decl_adjust (node->decl);
  auto_vec<gcall *> calls;
  site_returned_calls (DECL_STRUCT_FUNCTION (node->decl), &calls);
  for (unsigned i = 0; i < calls.length (); i++)
    {
      const site_allocator *a = site_allocator_of (calls[i]);
      if (a)
	{
	  char *why = allocator_why_not (a, calls[i], node);
	  if (!why)
	    function_redirect (node, calls[i], a, id, how);
	  free (why);
	  continue;
	}
      cgraph_node *inner = site_definition (gimple_call_fndecl (calls[i]));
      char *why = wrapper_why_not (inner, 8);
      cgraph_node *other = why ? NULL : version_get (inner, id, how);
      free (why);
      if (!other)
	continue;
      gimple_call_set_fndecl (calls[i], other->decl);
      push_cfun (DECL_STRUCT_FUNCTION (node->decl));
      cgraph_edge::rebuild_edges ();
      pop_cfun ();
    }
  return node;
}

static void
wrapper_redirect (const site_call *site, uint64_t id, unsigned how)
{
  cgraph_node *node = version_get (site->wrapper, id, how);
  if (!node)
    return;
  gimple_call_set_fndecl (site->call, node->decl);
  push_cfun (DECL_STRUCT_FUNCTION (site->node->decl));
  cgraph_edge::rebuild_edges ();
  pop_cfun ();
}

/* First the copies: they are made of what has not been changed.  */
static void
sites_redirect (function *)
{
  if (!redirect_all)
    site_ahead_tell ();
  for (int wrappers = 1; wrappers >= 0; wrappers--)
    for (unsigned i = 0; i < site_results.length (); i++)
      {
	const site_found &found = site_results[i];
	unsigned wanted = redirect_all ? UMMGR_SITE_REDIRECTED | UMMGR_SITE_REDIRECTED_IF : UMMGR_SITE_SHARED;
	if (!(found.flags & wanted))
	  continue;
	unsigned how = redirect_all && !(found.flags & UMMGR_SITE_REDIRECTED) ? 0 : HOW_SURE;
	const site_call *site = &site_calls[found.call];
	/* Where nobody has to be asked, one copy of a wrapper serves all that call it.  */
	if (wrappers && site->wrapper)
	  wrapper_redirect (site, how & HOW_SURE ? 0 : found.id, how);
	else if (!wrappers && !site->wrapper)
	  function_redirect (site->node, site->call, site->allocator, found.id, how);
      }
  if (dump_file)
    for (unsigned i = 0; i < versions.length (); i++)
      if (versions[i].node)
	fprintf (dump_file, ";; ummgr: unify: copy of %s\n",
		 IDENTIFIER_POINTER (DECL_NAME (versions[i].of->decl)));
  versions.release ();
  site_alloc_end ();
}

opt_pass *
ummgr_pass_unify_new (bool all)
{
  redirect_all = all;
  static const ummgr_pass pass = {
    SIMPLE_IPA_PASS, UMMGR_PASS_UNIFY, OPTGROUP_OMP, 0,
    ummgr_unit_offloads, sites_redirect
  };
  return ummgr_pass_new (&pass);
}
