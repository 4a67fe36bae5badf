/* Launches: what is handed to a region, and what it may do with it.
   SPDX-License-Identifier: GPL-3.0-or-later

   The fields of a launch's argument block are its arguments, in their order.
   Holds no state.  */

#include "live/live.h"

/* Callees are followed so far.  */
#define DEPTH_MAX 4

tree
live_launch_function (const gcall *call)
{
  tree fn = gimple_call_num_args (call) > 3 ? gimple_call_arg (call, 1)
					    : NULL_TREE;
  /* Without optimisation the address may be in a variable first.  */
  if (fn && TREE_CODE (fn) == SSA_NAME
      && gimple_assign_single_p (SSA_NAME_DEF_STMT (fn)))
    fn = gimple_assign_rhs1 (SSA_NAME_DEF_STMT (fn));
  return fn && TREE_CODE (fn) == ADDR_EXPR
	   && TREE_CODE (TREE_OPERAND (fn, 0)) == FUNCTION_DECL
	 ? TREE_OPERAND (fn, 0) : NULL_TREE;
}

/* Field I of the argument block that is argument AT of CALL, or NULL_TREE.  */
static tree
field_get (const gcall *call, unsigned at, unsigned i)
{
  tree block = gimple_call_arg (call, at);
  tree type = POINTER_TYPE_P (TREE_TYPE (block))
	      ? TREE_TYPE (TREE_TYPE (block)) : NULL_TREE;
  if (TREE_CODE (block) == ADDR_EXPR)
    type = TREE_TYPE (TREE_OPERAND (block, 0));
  if (!type || TREE_CODE (type) != RECORD_TYPE)
    return NULL_TREE;
  for (tree field = TYPE_FIELDS (type); field; field = DECL_CHAIN (field))
    if (TREE_CODE (field) == FIELD_DECL && i-- == 0)
      return field;
  return NULL_TREE;
}

HOST_WIDE_INT
live_block_offset (const gcall *call, unsigned block, unsigned i)
{
  tree field = field_get (call, block, i);
  return field ? int_byte_position (field) : -1;
}

bool
live_launch_has_argument (const gcall *call, unsigned i)
{
  return field_get (call, 3, i) != NULL_TREE;
}

/* Is argument I of CALL a number, passed as one?  */
static bool
is_number (const gcall *call, unsigned i)
{
  tree fn = live_launch_function (call);
  const ummgr_region *region = fn ? ummgr_region_of (fn) : NULL;
  return region && i < region->args.length ()
	 && region->args[i].map_kind == GOMP_MAP_FIRSTPRIVATE_INT
	 && region->args[i].arg_class == UMMGR_ARG_SCALAR;
}

live_set
live_launch_argument (live_function *f, const gcall *call, unsigned i)
{
  if (is_number (call, i))
    return 0;
  return live_block_field (f, call, 3, live_block_offset (call, 3, i));
}

/* What the block of CALL has for argument I, stored once, or NULL_TREE.  */
tree
live_launch_value (const live_function *f, const gcall *call, unsigned i)
{
  tree block = gimple_call_arg (call, 3), field = field_get (call, 3, i), value = NULL_TREE;
  if (!field || TREE_CODE (block) != ADDR_EXPR)
    return NULL_TREE;
  for (unsigned s = 0; s < f->stores.length (); s++)
    {
      gimple *stmt = f->stores[s];
      tree lhs = gimple_get_lhs (stmt);
      if (get_base_address (lhs) != TREE_OPERAND (block, 0))
	continue;
      if (TREE_CODE (lhs) != COMPONENT_REF || TREE_OPERAND (lhs, 1) != field)
	{
	  /* Of another field, or of all.  */
	  if (TREE_CODE (lhs) != COMPONENT_REF || !DECL_P (TREE_OPERAND (lhs, 0)))
	    return NULL_TREE;
	  continue;
	}
      if (value || !gimple_assign_single_p (stmt))
	return NULL_TREE;
      value = gimple_assign_rhs1 (stmt);
    }
  return value;
}

bool
live_launch_is_async (const gcall *call)
{
  if (gimple_call_num_args (call) < 7)
    return true;
  tree flags = gimple_call_arg (call, 6);
  return !tree_fits_uhwi_p (flags)
	 || (tree_to_uhwi (flags) & GOMP_TARGET_FLAG_NOWAIT);
}

static bool stores_pointers (tree fndecl, unsigned depth);

/* What CALL, in a region, runs: *KNOWN becomes true where it stores none.  */
static tree
device_callee (gcall *call, bool *known)
{
  tree callee = gimple_call_fndecl (call);
  *known = gimple_call_internal_p (call);
  if (!callee || *known)
    return NULL_TREE;
  const char *name = ummgr_call_name (call);
  if (startswith (name, "GOMP_parallel"))
    {
      tree child = gimple_call_arg (call, 0);
      return TREE_CODE (child) == ADDR_EXPR ? TREE_OPERAND (child, 0)
					    : NULL_TREE;
    }
  *known = fndecl_built_in_p (callee) || startswith (name, "omp_")
	   || gimple_call_flags (call) & ECF_CONST;
  return callee;
}

/* Does STMT of a region store a pointer elsewhere than in a local?  */
static bool
statement_stores_pointers (gimple *stmt, unsigned depth)
{
  if (gcall *call = dyn_cast <gcall *> (stmt))
    {
      bool known;
      tree callee = device_callee (call, &known);
      return !known && stores_pointers (callee, depth + 1);
    }
  if (!gimple_store_p (stmt) || gimple_clobber_p (stmt))
    return false;
  tree type = TREE_TYPE (gimple_get_lhs (stmt));
  tree base = get_base_address (gimple_get_lhs (stmt));
  return (POINTER_TYPE_P (type) || AGGREGATE_TYPE_P (type))
	 && !(base && VAR_P (base) && !is_global_var (base));
}

/* Does FNDECL, run on a device, store pointers elsewhere than in its locals?  */
static bool
stores_pointers (tree fndecl, unsigned depth)
{
  function *fun = fndecl && TREE_CODE (fndecl) == FUNCTION_DECL
		  ? DECL_STRUCT_FUNCTION (fndecl) : NULL;
  if (!fun || !fun->cfg || depth > DEPTH_MAX)
    return true;
  basic_block block;
  FOR_EACH_BB_FN (block, fun)
    for (gimple_stmt_iterator gsi = gsi_start_bb (block); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      if (statement_stores_pointers (gsi_stmt (gsi), depth))
	return true;
  return false;
}

bool
live_launch_stores_pointers (const gcall *call)
{
  return stores_pointers (live_launch_function (call), 0);
}
