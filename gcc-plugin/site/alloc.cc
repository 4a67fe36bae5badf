/* What allocates.
   SPDX-License-Identifier: GPL-3.0-or-later

   Calls of the C library, C++, libgomp, CUDA and libummgr by their assembler
   names, and functions of the unit that return what they allocate and nothing
   else: a call of such a wrapper is an allocation of its own.  Owns the
   sites, and until the end of a pass which functions are wrappers.  */

#include "site/site.h"

vec<site_call> site_calls;

static const char on_stack[] = "it is on the stack";
static const char managed[] = "it is not ordinary memory";
static const char pages[] = "its pages may have a protection of their own";

static const site_allocator allocators[] = {
  { "malloc", "malloc", 0, -1, -1, -1, -1, -1, false, SITE_REDIRECT_YES, "" },
  { "calloc", "calloc", 1, 0, -1, -1, -1, -1, true, SITE_REDIRECT_YES, "" },
  { "realloc", "realloc", 1, -1, -1, 0, -1, -1, false, SITE_REDIRECT_YES, "" },
  { "reallocarray", "realloc", 2, 1, -1, 0, -1, -1, false, SITE_REDIRECT_YES,
    "" },
  { "aligned_alloc", "aligned_alloc", 1, -1, 0, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "memalign", "memalign", 1, -1, 0, -1, -1, -1, false, SITE_REDIRECT_YES,
    "" },
  { "valloc", "valloc", 0, -1, -1, -1, -1, -1, false, SITE_REDIRECT_NO,
    pages },
  { "pvalloc", "pvalloc", 0, -1, -1, -1, -1, -1, false, SITE_REDIRECT_NO,
    pages },
  { "posix_memalign", "posix_memalign", 2, -1, 1, -1, 0, -1, false,
    SITE_REDIRECT_YES, "" },
  { "_Znwm", "new", 0, -1, -1, -1, -1, -1, false, SITE_REDIRECT_YES, "" },
  { "_ZnwmRKSt9nothrow_t", "new", 0, -1, -1, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "_ZnwmSt11align_val_t", "new", 0, -1, 1, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "_ZnwmSt11align_val_tRKSt9nothrow_t", "new", 0, -1, 1, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "_Znam", "new[]", 0, -1, -1, -1, -1, -1, false, SITE_REDIRECT_YES, "" },
  { "_ZnamRKSt9nothrow_t", "new[]", 0, -1, -1, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "_ZnamSt11align_val_t", "new[]", 0, -1, 1, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "_ZnamSt11align_val_tRKSt9nothrow_t", "new[]", 0, -1, 1, -1, -1, -1, false,
    SITE_REDIRECT_YES, "" },
  { "omp_alloc", "omp_alloc", 0, -1, -1, -1, -1, 1, false,
    SITE_REDIRECT_OPENMP, "" },
  { "omp_aligned_alloc", "omp_alloc", 1, -1, 0, -1, -1, 2, false,
    SITE_REDIRECT_OPENMP, "" },
  { "omp_calloc", "omp_calloc", 1, 0, -1, -1, -1, 2, true,
    SITE_REDIRECT_OPENMP, "" },
  { "omp_aligned_calloc", "omp_calloc", 2, 1, 0, -1, -1, 3, true,
    SITE_REDIRECT_OPENMP, "" },
  { "omp_target_alloc", "omp_target_alloc", 0, -1, -1, -1, -1, -1, false,
    SITE_REDIRECT_NO, managed },
  { "ummgr_malloc", "ummgr_malloc", 0, -1, -1, -1, -1, -1, false,
    SITE_REDIRECT_NO, managed },
  { "cudaMallocManaged", "cudaMallocManaged", 1, -1, -1, -1, 0, -1, false,
    SITE_REDIRECT_NO, managed },
  { "cudaMalloc", "cudaMalloc", 1, -1, -1, -1, 0, -1, false, SITE_REDIRECT_NO,
    managed },
  { "cudaMallocHost", "cudaMallocHost", 1, -1, -1, -1, 0, -1, false,
    SITE_REDIRECT_NO, managed },
  { "cudaHostAlloc", "cudaMallocHost", 1, -1, -1, -1, 0, -1, false,
    SITE_REDIRECT_NO, managed },
  { "cuMemAllocManaged", "cudaMallocManaged", 1, -1, -1, -1, 0, -1, false,
    SITE_REDIRECT_NO, managed },
  { "cuMemAlloc_v2", "cudaMalloc", 1, -1, -1, -1, 0, -1, false,
    SITE_REDIRECT_NO, managed },
  { "mmap", "mmap", 1, -1, -1, -1, -1, -1, false, SITE_REDIRECT_NO, pages },
  { "mmap64", "mmap", 1, -1, -1, -1, -1, -1, false, SITE_REDIRECT_NO, pages },
  { "alloca", "alloca", 0, -1, -1, -1, -1, -1, false, SITE_REDIRECT_NO,
    on_stack },
  { "alloca_with_align", "alloca", 0, -1, -1, -1, -1, -1, false,
    SITE_REDIRECT_NO, on_stack },
  { "alloca_with_align_and_max", "alloca", 0, -1, -1, -1, -1, -1, false,
    SITE_REDIRECT_NO, on_stack }
};

const site_allocator *
site_allocator_of (gcall *call)
{
  tree fndecl = gimple_call_fndecl (call);
  /* A program's own malloc is a function like others.  */
  if (!fndecl || site_definition (fndecl) || !TREE_PUBLIC (fndecl))
    return NULL;
  const char *name = IDENTIFIER_POINTER (DECL_ASSEMBLER_NAME (fndecl));
  if (*name == '*')
    name++;
  if (startswith (name, "__builtin_"))
    name += strlen ("__builtin_");
  int args = gimple_call_num_args (call);
  for (const site_allocator &a : allocators)
    if (strcmp (a.name, name) == 0)
      return MAX (MAX (a.size, a.times),
		  MAX (MAX (a.align, a.old), MAX (a.out, a.traits))) < args
	     ? &a : NULL;
  return NULL;
}

/* Functions that were looked at: do they return what they allocate?  */
static hash_map<tree, bool> *wrappers;

static bool is_wrapper (cgraph_node *node);

/* The calls that VALUE, which a function returns, comes from.  */
static bool
value_calls (tree value, vec<gcall *> *calls, hash_set<tree> *seen)
{
  if (integer_zerop (value))
    return true;
  if (TREE_CODE (value) != SSA_NAME)
    return false;
  if (seen->add (value))
    return true;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast <gphi *> (def))
    {
      for (unsigned i = 0; i < gimple_phi_num_args (phi); i++)
	if (!value_calls (gimple_phi_arg_def (phi, i), calls, seen))
	  return false;
      return true;
    }
  if (gimple_assign_ssa_name_copy_p (def) || gimple_assign_cast_p (def))
    return value_calls (gimple_assign_rhs1 (def), calls, seen);
  gcall *call = dyn_cast <gcall *> (def);
  if (!call)
    return false;
  const site_allocator *a = site_allocator_of (call);
  tree fndecl = gimple_call_fndecl (call);
  cgraph_node *node = !a && fndecl ? site_definition (fndecl) : NULL;
  /* What is resized was there before.  */
  bool good = a ? a->out < 0 && (a->old < 0
				 || integer_zerop (gimple_call_arg
						     (call, a->old)))
	      : node && is_wrapper (node);
  if (good)
    calls->safe_push (call);
  return good;
}

bool
site_returned_calls (function *fun, vec<gcall *> *calls)
{
  if (!fun || !fun->cfg || !gimple_in_ssa_p (fun)
      || !POINTER_TYPE_P (TREE_TYPE (TREE_TYPE (fun->decl))))
    return false;
  edge e;
  edge_iterator ei;
  hash_set<tree> seen;
  FOR_EACH_EDGE (e, ei, EXIT_BLOCK_PTR_FOR_FN (fun)->preds)
    if (greturn *r = safe_dyn_cast <greturn *> (gsi_stmt (gsi_last_bb (e->src))))
      {
	tree value = gimple_return_retval (r);
	if (!value || !value_calls (value, calls, &seen))
	  return false;
      }
  return !calls->is_empty ();
}

/* A function that calls itself for what it returns is none.  */
static bool
is_wrapper (cgraph_node *node)
{
  if (!wrappers)
    wrappers = new hash_map<tree, bool>;
  if (bool *known = wrappers->get (node->decl))
    return *known;
  wrappers->put (node->decl, false);
  auto_vec<gcall *> calls;
  bool good = site_returned_calls (DECL_STRUCT_FUNCTION (node->decl), &calls);
  wrappers->put (node->decl, good);
  return good;
}

cgraph_node *
site_wrapper_of (gcall *call)
{
  tree fndecl = gimple_call_fndecl (call);
  cgraph_node *node = fndecl ? site_definition (fndecl) : NULL;
  return node && gimple_call_lhs (call)
	 && TREE_CODE (gimple_call_lhs (call)) == SSA_NAME
	 && is_wrapper (node) ? node : NULL;
}

void
site_alloc_end (void)
{
  delete wrappers;
  wrappers = NULL;
}
