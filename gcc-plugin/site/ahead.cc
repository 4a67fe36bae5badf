/* What else a function allocates that may be shared, told before each such allocation.
   SPDX-License-Identifier: GPL-3.0-or-later

   libummgr shares what may be once not all of it fits (libummgr/memory/unify.h), and can't take back what
   it has given plain: of three arrays that are allocated one after the other, the first would be plain
   wherever it fits by itself.  So

     a = malloc (n * 4);
     b = xmalloc (n, 8);
     c = malloc (m);
   becomes
     if (&ummgr_share_ahead)
       ummgr_share_ahead (n * 8 + m);
     a = malloc (n * 4);
     if (&ummgr_share_ahead)
       ummgr_share_ahead (m);
     b = xmalloc (n, 8);
     c = malloc (m);

   where n and m have their values before the first, and xmalloc returns malloc (count * size).  It is an
   estimate: what comes in loops counts once, and what is half as likely, or can't be told by then, not at all.

   Holds no state.  */

#include "announce/announce.h"
#include "site/site.h"

/* Operands that are followed to tell how many bytes an allocation has.  */
enum { DEPTH_MOST = 8 };

/* A call of a function, in which parameters are its arguments; OUTER: the same of the function that it is in.  */
struct inside
{
  gcall *call;
  const inside *outer;
};

static tree bytes_express (tree value, const inside *in, gimple *before, int depth);

/* Has NAME its value before STMT, in the same function?  */
static bool
is_there (tree name, gimple *stmt)
{
  gimple *def = SSA_NAME_DEF_STMT (name);
  return SSA_NAME_IS_DEFAULT_DEF (name) || (gimple_bb (def) && stmt_dominates_stmt_p (def, stmt));
}

static tree
binary_express (tree_code code, tree a, tree b, const inside *in, gimple *before, int depth)
{
  tree x = bytes_express (a, in, before, depth), y = x ? bytes_express (b, in, before, depth) : NULL;
  return y ? fold_build2 (code, sizetype, x, y) : NULL;
}

/* What the parameter of IN's function whose first value NAME is.  */
static tree
parameter_express (tree name, const inside *in, gimple *before, int depth)
{
  unsigned i = 0;
  tree parm = DECL_ARGUMENTS (gimple_call_fndecl (in->call));
  for (; parm && parm != SSA_NAME_VAR (name); i++)
    parm = DECL_CHAIN (parm);
  return parm && i < gimple_call_num_args (in->call)
	 ? bytes_express (gimple_call_arg (in->call, i), in->outer, before, depth) : NULL;
}

/* `size ? size : 1', of which the greater one is what matters.  */
static tree
choice_express (gphi *phi, const inside *in, gimple *before, int depth)
{
  if (gimple_phi_num_args (phi) != 2)
    return NULL;
  tree a = gimple_phi_arg_def (phi, 0), b = gimple_phi_arg_def (phi, 1);
  return TREE_CODE (a) == INTEGER_CST || TREE_CODE (b) == INTEGER_CST
	 ? binary_express (MAX_EXPR, a, b, in, before, depth) : NULL;
}

/* VALUE, in the functions IN (NULL: in that of BEFORE), as an expression of what is there before BEFORE; NULL: that
   can't be told.  */
static tree
bytes_express (tree value, const inside *in, gimple *before, int depth)
{
  if (TREE_CODE (value) == INTEGER_CST)
    return fold_convert (sizetype, value);
  if (TREE_CODE (value) != SSA_NAME || !INTEGRAL_TYPE_P (TREE_TYPE (value)) || depth == 0)
    return NULL;
  if (!in && is_there (value, before) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value))
    return fold_convert (sizetype, value);
  if (SSA_NAME_IS_DEFAULT_DEF (value))
    return in ? parameter_express (value, in, before, depth - 1) : NULL;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gphi *phi = dyn_cast<gphi *> (def))
    return choice_express (phi, in, before, depth - 1);
  if (!is_gimple_assign (def))
    return NULL;
  tree a = gimple_assign_rhs1 (def);
  tree_code code = gimple_assign_rhs_code (def);
  switch (code)
    {
    case SSA_NAME:
    case NOP_EXPR:
      return bytes_express (a, in, before, depth - 1);
    case MULT_EXPR:
    case PLUS_EXPR:
    case MAX_EXPR:
    case LSHIFT_EXPR:
      return binary_express (code, a, gimple_assign_rhs2 (def), in, before, depth - 1);
    default:
      return NULL;
    }
}

/* The bytes that CALL, in IN, allocates; in a function that returns that, of the first call that it may return.  */
static tree
allocated_express (gcall *call, const inside *in, gimple *before, int depth)
{
  if (const site_allocator *a = site_allocator_of (call))
    {
      if (a->size < 0)
	return NULL;
      tree size = gimple_call_arg (call, a->size);
      return a->times < 0 ? bytes_express (size, in, before, DEPTH_MOST)
	     : binary_express (MULT_EXPR, size, gimple_call_arg (call, a->times), in, before, DEPTH_MOST);
    }
  tree fndecl = gimple_call_fndecl (call);
  cgraph_node *wrapper = fndecl && depth > 0 ? site_definition (fndecl) : NULL;
  auto_vec<gcall *> calls;
  if (!wrapper)
    return NULL;
  site_returned_calls (DECL_STRUCT_FUNCTION (wrapper->decl), &calls);
  const inside within = { call, in };
  for (unsigned i = 0; i < calls.length (); i++)
    if (tree bytes = allocated_express (calls[i], &within, before, depth - 1))
      return bytes;
  return NULL;
}

/* The blocks that control may get to from BB, without it.  */
static void
reached_find (basic_block bb, bitmap reached)
{
  auto_vec<basic_block> todo;
  todo.safe_push (bb);
  while (!todo.is_empty ())
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, todo.pop ()->succs)
	if (e->dest != bb && bitmap_set_bit (reached, e->dest->index))
	  todo.safe_push (e->dest);
    }
}

/* What may be shared and is allocated by CALLS behind the one that is AT, as far as that is known there; NULL:
   nothing.  */
static tree
later_express (const vec<gcall *> &calls, gcall *at)
{
  auto_bitmap reached;
  tree sum = NULL;
  basic_block bb = gimple_bb (at);
  reached_find (bb, reached);
  for (unsigned i = 0; i < calls.length (); i++)
    {
      basic_block its = gimple_bb (calls[i]);
      bool behind = its == bb ? calls[i] != at && stmt_dominates_stmt_p (at, calls[i])
		    : bitmap_bit_p (reached, its->index);
      if (!behind || its->count.to_frequency (cfun) * 2 < bb->count.to_frequency (cfun))
	continue;
      if (tree bytes = allocated_express (calls[i], NULL, at, DEPTH_MOST))
	sum = sum ? fold_build2 (PLUS_EXPR, sizetype, sum, bytes) : bytes;
    }
  return sum;
}

/* Have libummgr told before each of CALLS, of NODE, what comes behind it, by DECL.  */
static void
function_tell (cgraph_node *node, const vec<gcall *> &calls, tree decl)
{
  auto_vec<tree> later;
  auto_vec<announce_place> places;
  push_cfun (DECL_STRUCT_FUNCTION (node->decl));
  calculate_dominance_info (CDI_DOMINATORS);
  for (unsigned i = 0; i < calls.length (); i++)
    later.safe_push (later_express (calls, calls[i]));
  free_dominance_info (CDI_DOMINATORS);
  for (unsigned i = 0; i < calls.length (); i++)
    if (later[i])
      {
	if (dump_file)
	  {
	    fprintf (dump_file, ";; ummgr: ahead of an allocation in %s: ", node->name ());
	    print_generic_expr (dump_file, later[i], TDF_NONE);
	    fputc ('\n', dump_file);
	  }
	gimple_stmt_iterator gsi = gsi_for_stmt (calls[i]);
	tree bytes = fold_convert (size_type_node, unshare_expr (later[i]));
	tree value = force_gimple_operand_gsi (&gsi, bytes, true, NULL_TREE, true, GSI_SAME_STMT);
	places.safe_push ({ NULL, calls[i], value, gimple_location (calls[i]), NULL_TREE });
      }
  announce_insert (decl, places);
  pop_cfun ();
}

void
site_ahead_tell (void)
{
  hash_map<cgraph_node *, auto_vec<gcall *>> calls;
  auto_vec<cgraph_node *> nodes;
  tree decl = NULL;
  for (unsigned i = 0; i < site_results.length (); i++)
    if (site_results[i].flags & UMMGR_SITE_SHARED)
      {
	const site_call &site = site_calls[site_results[i].call];
	bool existed;
	auto_vec<gcall *> &its = calls.get_or_insert (site.node, &existed);
	if (!existed)
	  nodes.safe_push (site.node);
	its.safe_push (site.call);
      }
  for (unsigned i = 0; i < nodes.length (); i++)
    if (calls.get (nodes[i])->length () > 1)
      function_tell (nodes[i], *calls.get (nodes[i]), announce_decl (&decl, "ummgr_share_ahead", size_type_node));
}
