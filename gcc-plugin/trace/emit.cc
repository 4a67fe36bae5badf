/* Writing the reports.
   SPDX-License-Identifier: GPL-3.0-or-later

   A single access becomes, before the statement that makes it,

     a = (unsigned long) &ACCESS;
     if (T->seen[KIND - 1][(a >> LINE) % SEEN] != a >> LINE)
       if (((a >> SHIFT) * FACTOR & T->mask) == 0)
	 {
	   T->place = PLACE;
	   __ummgr_trace_access (T, a, HOW);
	 }

   In a loop a variable remembers the last block that was found not to be sampled, and

     b = a >> SHIFT;
     if (b != MEMO)

   stands around all that: one question for each block, not for each access.  It is of the
   reference alone, so that neighbours in other rows don't take it from each other.

   What is accessed as a whole (structs, memcpy) becomes one
   __ummgr_trace_range, which does its sampling itself.

   Owns the declarations of ummgr-trace-abi.h's names, for one run of the pass, during
   which GCC collects no garbage.  */

#include "trace/trace.h"
#include "ummgr-trace-abi.h"

/* Up to this size an access is one of a machine's, and HOW tells the size.  */
#define SINGLE_BYTES_MAX 64

/* Variables that remember blocks, of a function; what they hold is true of all references,
   so that more of these share them.  */
#define MEMOS_MAX 64

static tree decl_on;
static hash_map<nofree_string_hash, tree> *decl_functions;

void
trace_emit_end (void)
{
  decl_on = NULL_TREE;
  delete decl_functions;
  decl_functions = NULL;
}

static tree
target_attribute (void)
{
  return tree_cons (get_identifier ("omp declare target"), NULL_TREE,
		    NULL_TREE);
}

tree
trace_decl_on (void)
{
  if (decl_on)
    return decl_on;
  decl_on = build_decl (UNKNOWN_LOCATION, VAR_DECL,
			get_identifier ("__ummgr_trace_on"), integer_type_node);
  TREE_PUBLIC (decl_on) = 1;
  DECL_EXTERNAL (decl_on) = 1;
  /* Constant as far as generated code is concerned (trace/version.cc), so that
     no call counts as changing it.  */
  TREE_READONLY (decl_on) = 1;
  TREE_USED (decl_on) = 1;
  DECL_ARTIFICIAL (decl_on) = 1;
  DECL_IGNORED_P (decl_on) = 1;
  if (flag_openmp)
    DECL_ATTRIBUTES (decl_on) = target_attribute ();
  varpool_node::get_create (decl_on);
  return decl_on;
}

/* NAME's declaration: RESULT, then argument types up to NULL_TREE.  DEVICE: it
   exists for the offload compiler too.  */
tree
trace_decl_function (const char *name, tree result, bool device, ...)
{
  if (!decl_functions)
    decl_functions = new hash_map<nofree_string_hash, tree>;
  if (tree *known = decl_functions->get (name))
    return *known;
  auto_vec<tree> types;
  va_list list;
  va_start (list, device);
  while (tree type = va_arg (list, tree))
    types.safe_push (type);
  va_end (list);
  tree type = build_function_type_array (result, types.length (),
					 types.address ());
  tree decl = build_fn_decl (name, type);
  TREE_NOTHROW (decl) = 1;
  DECL_ARTIFICIAL (decl) = 1;
  DECL_ATTRIBUTES (decl) = tree_cons (get_identifier ("leaf"), NULL_TREE,
				      device && flag_openmp
				      ? target_attribute () : NULL_TREE);
  decl_functions->put (name, decl);
  return decl;
}

void
trace_emit_if (gimple_stmt_iterator *gsi, tree_code code, tree lhs, tree rhs,
	       location_t location)
{
  gcond *cond = gimple_build_cond (code, lhs, rhs, NULL_TREE, NULL_TREE);
  gimple_set_location (cond, location);
  gsi_insert_before (gsi, cond, GSI_SAME_STMT);
  edge rest = split_block (gimple_bb (cond), cond);
  basic_block before = rest->src, after = rest->dest;
  basic_block then = create_empty_bb (before);
  if (current_loops)
    {
      add_bb_to_loop (then, before->loop_father);
      loops_state_set (LOOPS_NEED_FIXUP);
    }
  edge enter = make_edge (before, then, EDGE_TRUE_VALUE);
  enter->probability = profile_probability::unlikely ();
  rest->flags = (rest->flags & ~EDGE_FALLTHRU) | EDGE_FALSE_VALUE;
  rest->probability = profile_probability::likely ();
  then->count = enter->count ();
  make_single_succ_edge (then, after, EDGE_FALLTHRU);
  if (dom_info_available_p (CDI_DOMINATORS))
    set_immediate_dominator (CDI_DOMINATORS, then, before);
  *gsi = gsi_start_bb (then);
}

static tree
thread_type (void)
{
  return build_pointer_type (unsigned_intDI_type_node);
}

void
trace_emit_thread (trace_context *context)
{
  tree decl = trace_decl_function ("__ummgr_trace_enter", thread_type (), true,
				   NULL_TREE);
  /* The same for every call of a thread, and nothing is lost if it is not
     made.  */
  TREE_READONLY (decl) = 1;
  basic_block bb = split_edge (single_succ_edge
				 (ENTRY_BLOCK_PTR_FOR_FN (cfun)));
  context->entry = bb;
  gimple_stmt_iterator gsi = gsi_start_bb (bb);
  tree thread = make_ssa_name (thread_type ());
  gcall *call = gimple_build_call (decl, 0);
  gimple_call_set_lhs (call, thread);
  gimple_set_location (call, DECL_SOURCE_LOCATION (current_function_decl));
  context->thread = thread;
  if (!context->may_be_off)
    {
      gsi_insert_after (&gsi, call, GSI_NEW_STMT);
      return;
    }
  tree on = make_ssa_name (integer_type_node);
  gsi_insert_before (&gsi, gimple_build_assign (on, trace_decl_on ()),
		     GSI_SAME_STMT);
  trace_emit_if (&gsi, NE_EXPR, on, integer_zero_node, UNKNOWN_LOCATION);
  gsi_insert_before (&gsi, call, GSI_SAME_STMT);
  edge from_then = single_succ_edge (gimple_bb (call));
  context->thread = make_ssa_name (thread_type ());
  gphi *phi = create_phi_node (context->thread, from_then->dest);
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, from_then->dest->preds)
    add_phi_arg (phi, e == from_then ? thread
				     : build_zero_cst (thread_type ()),
		 e, UNKNOWN_LOCATION);
}

void
trace_emit_guard (const trace_context *context, gimple_stmt_iterator *gsi,
		  location_t location)
{
  if (context->may_be_off)
    trace_emit_if (gsi, NE_EXPR, context->thread,
		   build_zero_cst (TREE_TYPE (context->thread)), location);
}

tree
trace_emit_binary (gimple_stmt_iterator *gsi, tree_code code, tree op1, tree op2,
		   location_t location)
{
  tree lhs = make_ssa_name (TREE_CODE_CLASS (code) == tcc_comparison
			    || TREE_TYPE (op1) == boolean_type_node
			    ? boolean_type_node : unsigned_intDI_type_node);
  gassign *stmt = gimple_build_assign (lhs, code, op1, op2);
  gimple_set_location (stmt, location);
  gsi_insert_before (gsi, stmt, GSI_SAME_STMT);
  return lhs;
}

/* Does REF lie within one line, and has it an entry of its own there?  */
static bool
ref_has_line (const trace_ref *ref, tree size)
{
  unsigned HOST_WIDE_INT bytes = tree_to_uhwi (size);
  return ref->ref && ref->kind >= 1 && ref->kind <= 3 && pow2p_hwi (bytes)
	 && get_object_alignment (ref->ref) >= bytes * BITS_PER_UNIT;
}

/* Open the check whether the recorder has anything to learn from an access of
   KIND to ADDRESS.  */
static void
emit_seen_check (const trace_context *context, gimple_stmt_iterator *gsi,
		 unsigned kind, tree address, location_t location)
{
  tree u64 = unsigned_intDI_type_node;
  tree line = trace_emit_binary (gsi, RSHIFT_EXPR, address,
			   build_int_cst (unsigned_type_node,
					  UMMGR_TRACE_LINE_SHIFT),
			   location);
  tree at = trace_emit_binary (gsi, BIT_AND_EXPR, line,
			 build_int_cst (u64, UMMGR_TRACE_SEEN - 1), location);
  tree offset = trace_emit_binary (gsi, MULT_EXPR, at, build_int_cst (u64, 8),
			     location);
  tree entry = make_ssa_name (thread_type ());
  gassign *add = gimple_build_assign (entry, POINTER_PLUS_EXPR,
				      context->thread,
				      offset);
  gimple_set_location (add, location);
  gsi_insert_before (gsi, add, GSI_SAME_STMT);
  tree seen = make_ssa_name (u64);
  gassign *load = gimple_build_assign
    (seen, build2 (MEM_REF, u64, entry,
		   build_int_cst (thread_type (),
				  8 + (kind - 1) * 8 * UMMGR_TRACE_SEEN)));
  gimple_set_location (load, location);
  gsi_insert_before (gsi, load, GSI_SAME_STMT);
  trace_emit_if (gsi, NE_EXPR, seen, line, location);
}

tree
trace_emit_block (gimple_stmt_iterator *gsi, tree address, location_t location)
{
  return trace_emit_binary (gsi, RSHIFT_EXPR, address,
		      build_int_cst (unsigned_type_node, UMMGR_TRACE_SAMPLE_SHIFT),
		      location);
}

/* A variable for a reference in a loop: no block, when the function begins.  */
static tree
memo_new (trace_context *context)
{
  static tree memos[MEMOS_MAX];
  tree u64 = unsigned_intDI_type_node;
  unsigned i = context->memos++ % MEMOS_MAX;
  if (context->memos <= MEMOS_MAX)
    {
      memos[i] = create_tmp_reg (u64, "ummgr_memo");
      gimple_stmt_iterator gsi = gsi_start_bb (context->entry);
      gsi_insert_before (&gsi, gimple_build_assign (memos[i], build_all_ones_cst (u64)),
			 GSI_SAME_STMT);
    }
  return memos[i];
}

/* GSI is where a condition holds: where it doesn't, MEMO is BLOCK from now on.  */
static void
emit_memo (gimple_stmt_iterator *gsi, tree memo, tree block)
{
  edge holds = single_pred_edge (gsi_bb (*gsi));
  edge fails = EDGE_SUCC (holds->src, EDGE_SUCC (holds->src, 0) == holds);
  gimple_stmt_iterator there = gsi_start_bb (split_edge (fails));
  gsi_insert_after (&there, gimple_build_assign (memo, block), GSI_NEW_STMT);
}

tree
trace_emit_sample_bits (const trace_context *context, gimple_stmt_iterator *gsi, tree block,
			location_t location)
{
  tree u64 = unsigned_intDI_type_node;
  tree hash = trace_emit_binary (gsi, MULT_EXPR, block,
			   build_int_cstu (u64, UMMGR_TRACE_SAMPLE_FACTOR),
			   location);
  tree mask = make_ssa_name (u64);
  gassign *load
    = gimple_build_assign (mask, build_simple_mem_ref (context->thread));
  gimple_set_location (load, location);
  gsi_insert_before (gsi, load, GSI_SAME_STMT);
  return trace_emit_binary (gsi, BIT_AND_EXPR, hash, mask, location);
}

bool
trace_emit_after (gimple *stmt, gimple_stmt_iterator *gsi)
{
  basic_block bb = gimple_bb (stmt);
  if (!stmt_ends_bb_p (stmt))
    {
      *gsi = gsi_for_stmt (stmt);
      gsi_next (gsi);
      return true;
    }
  edge e = find_fallthru_edge (bb->succs);
  if (!e || (e->flags & EDGE_COMPLEX))
    return false;
  *gsi = gsi_start_bb (split_edge (e));
  return true;
}

/* The report of REF itself, before GSI.  */
static void
emit_report (trace_context *context, gimple_stmt_iterator *gsi,
	     const trace_ref *ref, tree address, tree size,
	     location_t location)
{
  tree u64 = unsigned_intDI_type_node, u32 = unsigned_intSI_type_node;
  gcall *call;
  bool single = tree_fits_uhwi_p (size) && tree_to_uhwi (size) > 0
		&& tree_to_uhwi (size) <= SINGLE_BYTES_MAX
		&& (tree_to_uhwi (size) <= 8 || ref->kind & TRACE_ATOMIC
		    || (ref->ref
			&& is_gimple_reg_type (TREE_TYPE (ref->ref))));
  if (single)
    {
      tree memo = ref->loops ? memo_new (context) : NULL_TREE;
      tree block = memo ? trace_emit_block (gsi, address, location) : NULL_TREE;
      if (memo)
	trace_emit_if (gsi, NE_EXPR, block, memo, location);
      if (ref_has_line (ref, size))
	emit_seen_check (context, gsi, ref->kind, address, location);
      if (!block)
	block = trace_emit_block (gsi, address, location);
      trace_emit_if (gsi, EQ_EXPR, trace_emit_sample_bits (context, gsi, block, location),
		     build_zero_cst (u64), location);
      if (memo)
	emit_memo (gsi, memo, block);
      tree how = build_int_cstu (u32, UMMGR_TRACE_HOW (tree_to_uhwi (size),
						       ref->kind
						       | (ref->joins
							  ? UMMGR_TRACE_JOINS : 0)));
      call = gimple_build_call
	(trace_decl_function ("__ummgr_trace_access", void_type_node, true,
			      thread_type (), u64, u32, NULL_TREE),
	 3, context->thread, address, how);
    }
  else
    call = gimple_build_call
      (trace_decl_function ("__ummgr_trace_range", void_type_node, true,
			    thread_type (), u64, u64, u32, NULL_TREE),
       4, context->thread, address, size, build_int_cst (u32, ref->kind));
  gimple *place = trace_place_store (context->thread, trace_place_of (ref->stmt));
  gimple_set_location (place, location);
  gsi_insert_before (gsi, place, GSI_SAME_STMT);
  gimple_set_location (call, location);
  gsi_insert_before (gsi, call, GSI_SAME_STMT);
}

void
trace_emit_ref (trace_context *context, const trace_ref *ref)
{
  tree u64 = unsigned_intDI_type_node;
  location_t location = gimple_location (ref->stmt);
  gimple_stmt_iterator gsi = gsi_for_stmt (ref->stmt);
  if (ref->after && !trace_emit_after (ref->stmt, &gsi))
    return;
  trace_emit_guard (context, &gsi, location);
  tree size = fold_convert (u64, unshare_expr (trace_ref_size (ref)));
  size = force_gimple_operand_gsi (&gsi, size, true, NULL_TREE, true,
				   GSI_SAME_STMT);
  tree address = force_gimple_operand_gsi (&gsi, trace_ref_address (ref),
					   true, NULL_TREE, true,
					   GSI_SAME_STMT);
  /* Of no constant: the call's argument is an address.  */
  tree number = make_ssa_name (u64);
  gassign *convert = gimple_build_assign (number, NOP_EXPR, address);
  gimple_set_location (convert, location);
  gsi_insert_before (&gsi, convert, GSI_SAME_STMT);
  emit_report (context, &gsi, ref, number, size, location);
}
