/* Reporting allocations, frees and target constructs.
   SPDX-License-Identifier: GPL-3.0-or-later

   Host code only: what a device function allocates is private to the device.
   Which variable an allocation is for is in the site, a constant made here;
   its line is that of the outermost call that was inlined, so that a wrapper
   of malloc names its callers.  Holds no state.  */

#include "trace/trace.h"

/* A function that allocates: which arguments are its size, and their factor,
   or -1; which is the old pointer of a reallocation, and which points to where
   the result goes, if it is not returned.  */
struct allocator
{
  const char *name;
  signed char size, times, old, out;
};

static const allocator allocators[] = {
  { "malloc", 0, -1, -1, -1 },
  { "calloc", 0, 1, -1, -1 },
  { "realloc", 1, -1, 0, -1 },
  { "reallocarray", 1, 2, 0, -1 },
  { "aligned_alloc", 1, -1, -1, -1 },
  { "memalign", 1, -1, -1, -1 },
  { "valloc", 0, -1, -1, -1 },
  { "pvalloc", 0, -1, -1, -1 },
  { "posix_memalign", 2, -1, -1, 0 },
  { "strdup", -1, -1, -1, -1 },
  { "strndup", -1, -1, -1, -1 },
  { "_Znwm", 0, -1, -1, -1 },
  { "_ZnwmRKSt9nothrow_t", 0, -1, -1, -1 },
  { "_ZnwmSt11align_val_t", 0, -1, -1, -1 },
  { "_ZnwmSt11align_val_tRKSt9nothrow_t", 0, -1, -1, -1 },
  { "_Znam", 0, -1, -1, -1 },
  { "_ZnamRKSt9nothrow_t", 0, -1, -1, -1 },
  { "_ZnamSt11align_val_t", 0, -1, -1, -1 },
  { "_ZnamSt11align_val_tRKSt9nothrow_t", 0, -1, -1, -1 },
  { "omp_alloc", 0, -1, -1, -1 },
  { "omp_aligned_alloc", 1, -1, -1, -1 },
  { "omp_calloc", 0, 1, -1, -1 },
  { "omp_aligned_calloc", 1, 2, -1, -1 },
  { "omp_realloc", 1, -1, 0, -1 },
  { "omp_target_alloc", 0, -1, -1, -1 },
  { "ummgr_malloc", 0, -1, -1, -1 },
  { "mmap", 1, -1, -1, -1 },
  { "mmap64", 1, -1, -1, -1 }
};

/* The Itanium ABI's names of operator delete begin with these.  */
static const char *const deleters[] = { "_ZdlPv", "_ZdaPv" };

static const char *const freers[] = {
  "free", "cfree", "omp_free", "omp_target_free", "ummgr_free", "munmap"
};

#define MAP_ANONYMOUS_LINUX 0x20

static const allocator *
allocator_find (gcall *call, const char *name)
{
  for (const allocator &a : allocators)
    if (strcmp (a.name, name) == 0)
      {
	if (strncmp (name, "mmap", 4) == 0
	    && (gimple_call_num_args (call) < 4
		|| !tree_fits_shwi_p (gimple_call_arg (call, 3))
		|| !(tree_to_shwi (gimple_call_arg (call, 3))
		     & MAP_ANONYMOUS_LINUX)))
	  return NULL;
	return MAX (a.size, MAX (a.times, MAX (a.old, a.out)))
	       < (int) gimple_call_num_args (call) ? &a : NULL;
      }
  return NULL;
}

static bool
name_frees (const char *name)
{
  for (const char *f : freers)
    if (strcmp (f, name) == 0)
      return true;
  for (const char *d : deleters)
    if (strncmp (d, name, strlen (d)) == 0)
      return true;
  return false;
}

/* Does VALUE, which a function returns, come from an allocator?  */
static bool
value_is_allocated (tree value, int depth)
{
  if (depth <= 0 || TREE_CODE (value) != SSA_NAME)
    return false;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast <gphi *> (def))
    {
      bool any = false;
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (!integer_zerop (gimple_phi_arg_def (phi, i)))
	  {
	    if (!value_is_allocated (gimple_phi_arg_def (phi, i), depth - 1))
	      return false;
	    any = true;
	  }
      return any;
    }
  if (gimple_assign_single_p (def) || gimple_assign_cast_p (def))
    return value_is_allocated (gimple_assign_rhs1 (def), depth - 1);
  gcall *call = dyn_cast <gcall *> (def);
  tree fndecl = call ? gimple_call_fndecl (call) : NULL_TREE;
  if (!fndecl)
    return false;
  char buffer[TRACE_LIB_NAME];
  const allocator *a = allocator_find (call, trace_lib_name (fndecl, buffer));
  return a ? a->out < 0 : gimple_call_flags (call) & ECF_MALLOC;
}

/* Does FNDECL, of this unit, return what it allocated?  */
static bool
function_allocates (tree fndecl)
{
  cgraph_node *node = cgraph_node::get (fndecl);
  function *fun = DECL_STRUCT_FUNCTION (fndecl);
  if (!node || !node->has_gimple_body_p () || !fun || !fun->cfg
      || !POINTER_TYPE_P (TREE_TYPE (TREE_TYPE (fndecl))))
    return false;
  edge e;
  edge_iterator ei;
  bool any = false;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (fun)->preds)
    if (greturn *r
	= safe_dyn_cast <greturn *> (gsi_stmt (gsi_last_bb (e->src))))
      {
	tree value = gimple_return_retval (r);
	if (!value || !value_is_allocated (value, 8))
	  return false;
	any = true;
      }
  return any;
}

/* The kind of construct that CALL begins, or NULL.  */
static const char *
construct_name (gcall *call, const char *name)
{
  if (strcmp (name, "GOMP_target_ext") == 0)
    return "target";
  if (strcmp (name, "GOMP_target_data_ext") == 0)
    return "target data";
  if (strcmp (name, "GOMP_target_update_ext") == 0)
    return "target update";
  if (strcmp (name, "GOMP_target_enter_exit_data") != 0)
    return NULL;
  tree flags = gimple_call_arg (call, 5);
  return tree_fits_uhwi_p (flags)
	 && tree_to_uhwi (flags) & GOMP_TARGET_FLAG_EXIT_DATA
	 ? "target exit data" : "target enter data";
}

static void
call_collect (vec<trace_site> *sites, gcall *call)
{
  tree fndecl = gimple_call_fndecl (call);
  if (!fndecl)
    return;
  char buffer[TRACE_LIB_NAME];
  const char *name = trace_lib_name (fndecl, buffer);
  trace_site site = {};
  site.call = call;
  if (const allocator *a = allocator_find (call, name))
    {
      site.kind = a->old >= 0 ? TRACE_SITE_RESIZED : TRACE_SITE_ALLOCATED;
      site.size = a->size;
      site.times = a->times;
      site.old = a->old;
      site.out = a->out;
      if (a->out < 0 && !gimple_call_lhs (call))
	return;
    }
  else if (name_frees (name) && gimple_call_num_args (call) > 0)
    site.kind = TRACE_SITE_FREED;
  else if ((site.construct = construct_name (call, name)))
    site.kind = TRACE_SITE_CONSTRUCT;
  else if (gimple_call_lhs (call)
	   && POINTER_TYPE_P (TREE_TYPE (gimple_call_lhs (call)))
	   && ((gimple_call_flags (call) & ECF_MALLOC
		&& strncmp (name, "alloca", 6) != 0)
	       || function_allocates (fndecl)))
    site.kind = TRACE_SITE_NAMED;
  else
    return;
  sites->safe_push (site);
}

void
trace_sites_collect (vec<trace_site> *sites)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi)))
	call_collect (sites, call);
}

/* The pointer that SITE's call yields, before GSI.  */
static tree
site_pointer (const trace_site *site, gimple_stmt_iterator *gsi)
{
  tree place = site->kind != TRACE_SITE_NAMED && site->out >= 0
	       ? build2 (MEM_REF, ptr_type_node,
			 gimple_call_arg (site->call, site->out),
			 build_zero_cst (build_pointer_type_for_mode
					   (ptr_type_node, ptr_mode, true)))
	       : unshare_expr (gimple_call_lhs (site->call));
  return force_gimple_operand_gsi (gsi, place, true, NULL_TREE, true,
				   GSI_SAME_STMT);
}

/* The bytes that SITE's call allocates, before GSI.  */
static tree
site_size (const trace_site *site, gimple_stmt_iterator *gsi, tree pointer)
{
  tree u64 = unsigned_intDI_type_node;
  if (site->size < 0)
    {
      /* A string's copy.  */
      gcall *call
	= gimple_build_call (builtin_decl_implicit (BUILT_IN_STRLEN), 1,
			     pointer);
      tree length = make_ssa_name (size_type_node, call);
      gimple_call_set_lhs (call, length);
      gsi_insert_before (gsi, call, GSI_SAME_STMT);
      tree size = fold_build2 (PLUS_EXPR, size_type_node, length,
			       build_one_cst (size_type_node));
      return force_gimple_operand_gsi (gsi, fold_convert (u64, size), true,
				       NULL_TREE, true, GSI_SAME_STMT);
    }
  tree size = fold_convert (u64, gimple_call_arg (site->call, site->size));
  if (site->times >= 0)
    size = fold_build2 (MULT_EXPR, u64, size,
			fold_convert (u64, gimple_call_arg (site->call,
							    site->times)));
  return force_gimple_operand_gsi (gsi, size, true, NULL_TREE, true,
				   GSI_SAME_STMT);
}

/* What SITE's call stores the pointer to.  GCC may have put a temporary of its
   own there, which other statements copy.  */
static tree
out_place (const trace_site *site)
{
  tree out = gimple_call_arg (site->call, site->out);
  if (TREE_CODE (out) != ADDR_EXPR)
    return build_simple_mem_ref (out);
  tree place = TREE_OPERAND (out, 0);
  if (!DECL_P (place) || DECL_NAME (place))
    return place;
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (bb); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (gimple_assign_load_p (gsi_stmt (gsi))
	  && gimple_assign_rhs1 (gsi_stmt (gsi)) == place)
	return gimple_assign_lhs (gsi_stmt (gsi));
  return place;
}

/* The name and type of what SITE allocates for; the name malloc'ed.  */
static char *
site_place (const trace_site *site, tree *type)
{
  char *name;
  if (site->kind == TRACE_SITE_NAMED || site->out < 0)
    trace_place_find (gimple_call_lhs (site->call), &name, type);
  else
    trace_place_find (out_place (site), &name, type);
  return name ? name : xstrdup ("");
}

/* Insert the report: ARGS to function NAME.  */
static void
site_call (gimple_stmt_iterator *gsi, const trace_site *site, const char *name,
	   vec<tree> *args)
{
  tree pointer = ptr_type_node, u64 = unsigned_intDI_type_node;
  tree decl;
  if (args->length () == 4)
    decl = trace_decl_function (name, void_type_node, false, pointer, pointer,
				u64, pointer, NULL_TREE);
  else if (args->length () == 3)
    decl = trace_decl_function (name, void_type_node, false, pointer, u64,
				pointer, NULL_TREE);
  else if (args->length () == 2)
    decl = trace_decl_function (name, void_type_node, false, pointer, pointer,
				NULL_TREE);
  else
    decl = trace_decl_function (name, void_type_node, false, pointer,
				NULL_TREE);
  gcall *call = gimple_build_call_vec (decl, *args);
  gimple_set_location (call, gimple_location (site->call));
  gsi_insert_before (gsi, call, GSI_SAME_STMT);
}

static void
allocation_emit (const trace_site *site, gimple_stmt_iterator *gsi)
{
  static const char *const names[] = {
    "__ummgr_trace_allocated", "__ummgr_trace_resized", "__ummgr_trace_named"
  };
  location_t location = gimple_location (site->call);
  auto_vec<tree> args;
  tree type;
  char *name = site_place (site, &type);
  tree where = trace_site_new (name, location, site->call, type);
  free (name);
  tree pointer = site_pointer (site, gsi);
  if (site->kind == TRACE_SITE_ALLOCATED)
    {
      /* mmap's failure is -1.  */
      tree none = site->size == 1 && gimple_call_num_args (site->call) == 6
		  ? build_minus_one_cst (TREE_TYPE (pointer))
		  : build_zero_cst (TREE_TYPE (pointer));
      trace_emit_if (gsi, NE_EXPR, pointer, none, location);
    }
  if (site->kind == TRACE_SITE_RESIZED)
    args.safe_push (gimple_call_arg (site->call, site->old));
  args.safe_push (pointer);
  if (site->kind != TRACE_SITE_NAMED)
    args.safe_push (site_size (site, gsi, pointer));
  args.safe_push (where);
  site_call (gsi, site, names[site->kind], &args);
}

void
trace_site_emit (const trace_context *context, const trace_site *site)
{
  location_t location = gimple_location (site->call);
  auto_vec<tree> args;
  gimple_stmt_iterator gsi = gsi_for_stmt (site->call);
  if (site->kind <= TRACE_SITE_NAMED)
    {
      if (!trace_emit_after (site->call, &gsi))
	return;
      trace_emit_guard (context, &gsi, location);
      allocation_emit (site, &gsi);
      return;
    }
  trace_emit_guard (context, &gsi, location);
  if (site->kind == TRACE_SITE_FREED)
    {
      args.safe_push (gimple_call_arg (site->call, 0));
      site_call (&gsi, site, "__ummgr_trace_freed", &args);
      return;
    }
  args.safe_push (trace_site_new (site->construct, location, site->call,
				  NULL_TREE));
  site_call (&gsi, site, "__ummgr_trace_construct", &args);
}
