/* Reporting what affine loops access once, before the loop.
   SPDX-License-Identifier: GPL-3.0-or-later

   A loop all of whose exits are known before it starts to be taken after so
   many iterations (collapsed loops have two), makes the accesses

     address + i * stride, i = 0 ... count - 1

   of each reference whose address is such an expression and that every
   iteration makes, outside of inner loops (for those: trace/nest.cc).  They are
   written, in the order of an iteration, into an array in the preheader, and
   reported by one call; the recorder interleaves them as the loop does.  So no
   dependences among them need be known.

   What a loop accesses besides, conditionally or through computed addresses, is
   reported where it happens, after all that was hoisted.  But nothing is hoisted
   past a loop inside, run by every iteration, that keeps reports: what follows
   it in an iteration would come before what it accesses in all of them, and the
   pages of a trace in another order than the program's.  Who wrote last what
   is read would then be wrong if the two touched the same memory; a reference
   that may, of an access of which one is a write, is not hoisted.  Two pointers
   that are not derived from one another are taken to point to different
   objects, as they nearly always do; where they do not (arrays passed twice to
   one function, and written conditionally), facts of the words shared may come
   out as if the loop's parts had run one after the other.

   Loop invariant motion runs first, on the traced version only: pointers loaded
   anew in each iteration (domain->x[i]) would else make nothing affine.

   Holds no state between functions.  */

#include "trace/trace.h"
#include "ummgr-trace-abi.h"

/* Exits considered, at most.  */
#define EXITS_MAX 3

/* References of a nest that the recorder takes together.  */
#define NEST_REFS_MAX 32

/* The variable or the SSA name that POINTER is derived from.  */
static tree
pointer_origin (tree pointer)
{
  for (;;)
    {
      STRIP_NOPS (pointer);
      if (TREE_CODE (pointer) == POINTER_PLUS_EXPR)
	pointer = TREE_OPERAND (pointer, 0);
      else if (TREE_CODE (pointer) == ADDR_EXPR)
	{
	  tree base = get_base_address (TREE_OPERAND (pointer, 0));
	  if (!base || TREE_CODE (base) != MEM_REF)
	    return base ? base : pointer;
	  pointer = TREE_OPERAND (base, 0);
	}
      else if (TREE_CODE (pointer) == SSA_NAME)
	{
	  gimple *def = SSA_NAME_DEF_STMT (pointer);
	  if (!is_gimple_assign (def)
	      || !POINTER_TYPE_P (TREE_TYPE (gimple_assign_rhs1 (def)))
	      || (gimple_assign_rhs_code (def) != POINTER_PLUS_EXPR
		  && !gimple_assign_cast_p (def)
		  && gimple_assign_rhs_code (def) != ADDR_EXPR
		  && gimple_assign_rhs_code (def) != SSA_NAME))
	    return pointer;
	  pointer = gimple_assign_rhs1 (def);
	}
      else
	return pointer;
    }
}

static tree
ref_origin (const trace_ref *ref)
{
  if (!ref->ref)
    return pointer_origin (ref->pointer);
  tree base = get_base_address (ref->ref);
  return TREE_CODE (base) == MEM_REF || TREE_CODE (base) == TARGET_MEM_REF
	 ? pointer_origin (TREE_OPERAND (base, 0)) : base;
}

/* Could A and B be one object?  Pointers that are not derived from one another are
   taken to point to different ones.  */
static bool
origins_may_equal (tree a, tree b)
{
  if (a == b)
    return true;
  if (TREE_CODE (a) != SSA_NAME || TREE_CODE (b) != SSA_NAME)
    return false;
  gimple *da = SSA_NAME_DEF_STMT (a), *db = SSA_NAME_DEF_STMT (b);
  /* One of several: perhaps the other.  */
  if (gimple_code (da) == GIMPLE_PHI || gimple_code (db) == GIMPLE_PHI)
    return true;
  return gimple_assign_load_p (da) && gimple_assign_load_p (db)
	 && operand_equal_p (gimple_assign_rhs1 (da), gimple_assign_rhs1 (db));
}

/* May CALL stand in a loop that accesses are hoisted from?  It must return, and
   must not let other threads or other code see how far the loop is.  */
static bool
call_is_harmless (gcall *call)
{
  int flags = gimple_call_flags (call);
  if (flags & (ECF_NORETURN | ECF_RETURNS_TWICE | ECF_LOOPING_CONST_OR_PURE)
      || !gimple_call_nothrow_p (call))
    return false;
  if (flags & (ECF_CONST | ECF_PURE | ECF_NOVOPS))
    return true;
  if (!gimple_call_builtin_p (call, BUILT_IN_NORMAL) || !(flags & ECF_LEAF)
      || flags & ECF_MALLOC)
    return false;
  char buffer[TRACE_LIB_NAME];
  const char *name = trace_lib_name (gimple_call_fndecl (call), buffer);
  return *name && strncmp (name, "GOMP_", 5) != 0
	 && strncmp (name, "GOACC_", 6) != 0 && strcmp (name, "free") != 0
	 && strcmp (name, "realloc") != 0;
}

/* Does every statement of the loop run through to the next?  */
static bool
body_is_regular (const trace_hoister *h)
{
  basic_block *body = get_loop_body (h->loop);
  bool regular = true;
  for (unsigned i = 0; i < h->loop->num_nodes && regular; i++)
    {
      regular = !(body[i]->flags & BB_IRREDUCIBLE_LOOP);
      for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]);
	   regular && !gsi_end_p (gsi); gsi_next (&gsi))
	{
	  gimple *stmt = gsi_stmt (gsi);
	  if (gcall *call = dyn_cast <gcall *> (stmt))
	    regular = call_is_harmless (call);
	  else if (const gasm *text = dyn_cast <const gasm *> (stmt))
	    regular = !gimple_asm_volatile_p (text);
	}
    }
  free (body);
  return regular;
}

/* How often the test of EXIT lets LOOP go on, if no other exit is taken first;
   or NULL_TREE.  */
static tree
exit_passes (class loop *loop, edge exit)
{
  class tree_niter_desc desc;
  if (exit->flags & EDGE_COMPLEX || exit->src->loop_father != loop
      || !number_of_iterations_exit (loop, exit, &desc, false)
      || !desc.niter || chrec_contains_undetermined (desc.niter)
      || TYPE_PRECISION (TREE_TYPE (desc.niter)) > 64)
    return NULL_TREE;
  tree u64 = unsigned_intDI_type_node;
  tree n = fold_convert (u64, desc.niter);
  if (desc.may_be_zero && !integer_zerop (desc.may_be_zero))
    n = fold_build3 (COND_EXPR, u64, desc.may_be_zero, build_zero_cst (u64), n);
  return generic_expr_could_trap_p (n) ? NULL_TREE : n;
}

bool
trace_exits_find (trace_hoister *h)
{
  auto_vec<edge> exits = get_loop_exit_edges (h->loop);
  if (exits.is_empty () || exits.length () > EXITS_MAX)
    return false;
  for (unsigned i = 0; i < exits.length (); i++)
    {
      trace_exit e = { exits[i]->src, exit_passes (h->loop, exits[i]) };
      if (!e.passes)
	return false;
      h->exits.safe_push (e);
    }
  return true;
}

/* BB's run in the I-th iteration (from 0) comes after I passes of the tests
   after it, and I + 1 of those before it.  */
tree
trace_block_count (const trace_hoister *h, basic_block bb)
{
  tree u64 = unsigned_intDI_type_node, count = NULL_TREE;
  for (unsigned i = 0; i < h->exits.length (); i++)
    {
      tree n = unshare_expr (h->exits[i].passes);
      if (dominated_by_p (CDI_DOMINATORS, h->exits[i].test, bb))
	n = fold_build2 (PLUS_EXPR, u64, n, build_one_cst (u64));
      count = count ? fold_build2 (MIN_EXPR, u64, count, n) : n;
    }
  return count;
}

bool
trace_invariant_p (const trace_hoister *h, tree expr)
{
  return expr && expr_invariant_in_loop_p (h->loop, expr)
	 && !generic_expr_could_trap_p (expr);
}

/* Add REFS[I], in a block that runs COUNT times, if its address is affine.  */
static void
candidate_consider (trace_hoister *h, unsigned i, tree count)
{
  trace_ref *r = &(*h->refs)[i];
  tree size = trace_ref_size (r);
  if (r->hoisted || !r->ref || r->after || r->size || gimple_has_volatile_ops (r->stmt)
      || is_gimple_call (r->stmt) || !tree_fits_uhwi_p (size)
      || tree_to_uhwi (size) > UMMGR_TRACE_HOW_SIZE (~0u))
    return;
  innermost_loop_behavior b;
  memset (&b, 0, sizeof b);
  if (!dr_analyze_innermost (&b, r->ref, h->loop, r->stmt)
      || !trace_invariant_p (h, b.base_address) || !trace_invariant_p (h, b.offset)
      || !trace_invariant_p (h, b.init) || !trace_invariant_p (h, b.step))
    return;
  trace_candidate c = {};
  c.ref = i;
  c.base = b.base_address;
  c.offset = fold_build2 (PLUS_EXPR, sizetype, fold_convert (sizetype, b.offset),
			  fold_convert (sizetype, b.init));
  c.stride = b.step;
  c.count = count;
  c.root = pointer_origin (b.base_address);
  h->candidates.safe_push (c);
}

/* Consider the references of the blocks that every iteration runs, in the
   order in which it runs them: the dominators of the latch.  The header of an
   inner loop among them stands for all of that.  */
void
trace_candidates_find (trace_hoister *h)
{
  auto_vec<basic_block> blocks;
  for (basic_block bb = h->loop->latch;;
       bb = get_immediate_dominator (CDI_DOMINATORS, bb))
    {
      blocks.safe_push (bb);
      if (bb == h->loop->header)
	break;
    }
  while (!blocks.is_empty ())
    {
      basic_block bb = blocks.pop ();
      class loop *inner = bb->loop_father;
      if (inner != h->loop)
	{
	  if (bb == inner->header && loop_outer (inner) == h->loop)
	    trace_nest_candidates_find (h, inner);
	  continue;
	}
      tree count = trace_block_count (h, bb);
      for (unsigned i = 0; i < h->refs->length (); i++)
	if (gimple_bb ((*h->refs)[i].stmt) == bb)
	  candidate_consider (h, i, count);
    }
}

/* May hoisting C past REF, which stays in the loop, show a reader the wrong
   writer?  */
static bool
candidate_conflicts (const trace_hoister *h, const trace_candidate *c,
		     const trace_ref *ref)
{
  const trace_ref *hoisted = &(*h->refs)[c->ref];
  if (!((hoisted->kind | ref->kind) & TRACE_WRITE)
      || !origins_may_equal (c->root, ref_origin (ref)))
    return false;
  return !ref->ref || refs_may_alias_p (hoisted->ref, ref->ref);
}

static bool
is_candidate (const trace_hoister *h, unsigned ref)
{
  for (unsigned i = 0; i < h->candidates.length (); i++)
    if (h->candidates[i].ref == ref)
      return true;
  return false;
}

/* Drop the candidates that conflict with what stays, until none does.  */
static void
conflicts_drop (trace_hoister *h)
{
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (unsigned i = 0; i < h->refs->length (); i++)
	{
	  const trace_ref *ref = &(*h->refs)[i];
	  if (ref->hoisted
	      || !flow_bb_inside_loop_p (h->loop, gimple_bb (ref->stmt))
	      || is_candidate (h, i))
	    continue;
	  for (unsigned j = 0; j < h->candidates.length ();)
	    if (candidate_conflicts (h, &h->candidates[j], ref))
	      {
		h->candidates.ordered_remove (j);
		changed = true;
	      }
	    else
	      j++;
	}
    }
}

/* Drop the writes of what a pure function called in the loop may read.  */
static void
pure_calls_drop (trace_hoister *h)
{
  basic_block *body = get_loop_body (h->loop);
  for (unsigned i = 0; i < h->loop->num_nodes; i++)
    for (gimple_stmt_iterator gsi = gsi_start_bb (body[i]); !gsi_end_p (gsi);
	 gsi_next (&gsi))
      {
	gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi));
	if (!call || !(gimple_call_flags (call) & ECF_PURE))
	  continue;
	for (unsigned j = 0; j < h->candidates.length ();)
	  {
	    const trace_ref *r = &(*h->refs)[h->candidates[j].ref];
	    if (r->kind & TRACE_WRITE
		&& ref_maybe_used_by_stmt_p (call, r->ref))
	      h->candidates.ordered_remove (j);
	    else
	      j++;
	  }
      }
  free (body);
}

/* Does every iteration of H's loop run a loop inside that keeps reports?  */
static bool
inner_loop_reports (const trace_hoister *h)
{
  for (unsigned i = 0; i < h->refs->length (); i++)
    {
      const trace_ref *ref = &(*h->refs)[i];
      class loop *inner = gimple_bb (ref->stmt)->loop_father;
      if (ref->hoisted || inner == h->loop
	  || !flow_loop_nested_p (h->loop, inner) || is_candidate (h, i))
	continue;
      while (loop_outer (inner) != h->loop)
	inner = loop_outer (inner);
      if (dominated_by_p (CDI_DOMINATORS, h->loop->latch, inner->header))
	return true;
    }
  return false;
}

/* Store VALUE in the INDEX-th 64 bits of ARRAY, at the end of SEQ.  */
static void
word_store (gimple_seq *seq, tree array, unsigned index, tree value)
{
  tree u64 = unsigned_intDI_type_node;
  gimple_seq more;
  value = force_gimple_operand (fold_convert (u64, unshare_expr (value)),
				&more, true, NULL_TREE);
  gimple_seq_add_seq (seq, more);
  /* The recorder reads these words as struct ummgr_trace_ref.  */
  tree type = build_pointer_type_for_mode (u64, ptr_mode, true);
  tree place = build2 (MEM_REF, u64, build_fold_addr_expr (array),
		       build_int_cst (type, 8 * index));
  gimple_seq_add_stmt (seq, gimple_build_assign (place, value));
}

tree
trace_candidate_address (const trace_candidate *c)
{
  return fold_build_pointer_plus (fold_convert (ptr_type_node, c->base),
				  fold_convert (sizetype, c->offset));
}

/* Store C, of the size and kind HOW, which WORK other operations come before, from the
   INDEX-th 64 bits of ARRAY on, as struct ummgr_trace_ref or, with NEST,
   ummgr_trace_nest_ref.  The number of words.  */
static unsigned
candidate_store (gimple_seq *seq, tree array, unsigned index,
		 const trace_candidate *c, unsigned HOST_WIDE_INT how,
		 unsigned HOST_WIDE_INT work, bool nest)
{
  tree u64 = unsigned_intDI_type_node;
  unsigned n = index;
  unsigned HOST_WIDE_INT inner = c->inner;
  unsigned HOST_WIDE_INT last
    = BYTES_BIG_ENDIAN ? how << 32 | (nest ? inner << 16 | work : work)
		       : how | (nest ? inner << 32 | work << 48 : work << 32);
  word_store (seq, array, n++, trace_candidate_address (c));
  word_store (seq, array, n++, c->stride);
  if (nest)
    word_store (seq, array, n++,
		c->inner ? c->inner_stride : build_zero_cst (u64));
  word_store (seq, array, n++, c->count);
  if (nest)
    word_store (seq, array, n++,
		c->inner ? c->inner_count : build_one_cst (u64));
  word_store (seq, array, n++, build_int_cstu (u64, last));
  return n - index;
}

static bool
is_nest (const trace_hoister *h)
{
  for (unsigned i = 0; i < h->candidates.length (); i++)
    if (h->candidates[i].inner)
      return true;
  return false;
}

/* The call in the preheader.  */
static void
loop_report (trace_hoister *h)
{
  tree u64 = unsigned_intDI_type_node, u32 = unsigned_intSI_type_node;
  unsigned n = h->candidates.length (), words = 0;
  bool nest = is_nest (h);
  tree array
    = create_tmp_var (build_array_type_nelts (u64, (nest ? 6 : 4) * n),
		      "ummgr_refs");
  TREE_ADDRESSABLE (array) = 1;
  gimple_seq seq = NULL;
  auto_vec<gimple *> stmts;
  for (unsigned i = 0; i < n; i++)
    {
      const trace_candidate *c = &h->candidates[i];
      trace_ref *r = &(*h->refs)[c->ref];
      stmts.safe_push (r->stmt);
      words += candidate_store (&seq, array, words, c,
				UMMGR_TRACE_HOW (tree_to_uhwi
						   (trace_ref_size (r)),
						 r->kind & ~TRACE_ORDERS),
				trace_work_take (h, i, UINT16_MAX), nest);
      r->hoisted = true;
    }
  tree decl = trace_decl_function (nest ? "__ummgr_trace_nest"
					: "__ummgr_trace_loop",
				   void_type_node, true,
				   TREE_TYPE (h->context->thread),
				   build_pointer_type (u64), u32, NULL_TREE);
  gimple_seq_add_stmt (&seq, trace_place_store (h->context->thread,
						trace_places_of (stmts.address (), n)));
  gimple_seq_add_stmt (&seq, gimple_build_call (decl, 3, h->context->thread,
						build_fold_addr_expr (array),
						build_int_cst (u32, n)));
  gimple_seq_add_stmt (&seq,
		       gimple_build_assign (array,
					    build_clobber
					      (TREE_TYPE (array))));
  location_t location
    = gimple_location ((*h->refs)[h->candidates[0].ref].stmt);
  for (gimple_stmt_iterator gsi = gsi_start (seq); !gsi_end_p (gsi);
       gsi_next (&gsi))
    gimple_set_location (gsi_stmt (gsi), location);
  gimple_stmt_iterator gsi = gsi_start_bb (split_edge (loop_preheader_edge (h->loop)));
  trace_skip_emit (h, &gsi, location);
  gsi_insert_seq_before (&gsi, seq, GSI_SAME_STMT);
}

/* A copied function has no points-to information.  */
static void
points_to_find (void)
{
  /* It says things that are of no interest here.  */
  FILE *file = dump_file;
  dump_file = NULL;
  compute_may_aliases ();
  dump_file = file;
}

/* Drop what a loop's header has of a variable that the loop leaves alone, as rows of collapsed loops do: GCC 14
   doesn't see that it stays what it was.  */
static void
unchanged_drop (void)
{
  basic_block bb;
  FOR_EACH_BB_FN (bb, cfun)
    for (gphi_iterator gsi = gsi_start_phis (bb); bb == bb->loop_father->header && !gsi_end_p (gsi);)
      {
	tree result = gimple_phi_result (gsi.phi ()), value = degenerate_phi_result (gsi.phi ());
	if (value && !virtual_operand_p (result) && !SSA_NAME_OCCURS_IN_ABNORMAL_PHI (result)
	    && (TREE_CODE (value) != SSA_NAME || !SSA_NAME_OCCURS_IN_ABNORMAL_PHI (value)))
	  {
	    replace_uses_by (result, value);
	    remove_phi_node (&gsi, true);
	  }
	else
	  gsi_next (&gsi);
      }
}

void
trace_loops_begin (void)
{
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  trace_latches_divide ();
  loop_optimizer_finalize ();
  loop_optimizer_init (LOOPS_NORMAL | LOOPS_HAVE_RECORDED_EXITS);
  if (need_ssa_update_p (cfun))
    update_ssa (TODO_update_ssa_only_virtuals);
  unchanged_drop ();
  points_to_find ();
  if (number_of_loops (cfun) > 1)
    {
      scev_initialize ();
      ummgr_invariants_move (cfun);
      scev_reset ();
    }
}

/* Do all loops inside LOOP end?  */
static bool
inner_loops_end (class loop *loop)
{
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    if (!finite_loop_p (inner) || !inner_loops_end (inner))
      return false;
  return true;
}

/* More than the recorder takes: leave out the inner loops.  */
static void
nest_limit (trace_hoister *h)
{
  if (h->candidates.length () <= NEST_REFS_MAX)
    return;
  for (unsigned i = 0; i < h->candidates.length ();)
    if (h->candidates[i].inner)
      h->candidates.ordered_remove (i);
    else
      i++;
}

static void
loop_hoist (const trace_context *context, vec<trace_ref> *refs,
	    class loop *loop)
{
  const char *why = NULL;
  trace_hoister h;
  h.context = context;
  h.refs = refs;
  h.loop = loop;
  h.inner_loops = 0;
  if (!loop->latch || !inner_loops_end (loop))
    why = "a loop inside may not end";
  else if (!trace_exits_find (&h))
    why = "its iterations are not known before it";
  else if (!body_is_regular (&h))
    why = "it calls or waits";
  else
    {
      trace_candidates_find (&h);
      nest_limit (&h);
      pure_calls_drop (&h);
      conflicts_drop (&h);
      if (inner_loop_reports (&h))
	{
	  why = "a loop inside reports by itself";
	  h.candidates.truncate (0);
	}
    }
  if (h.candidates.is_empty ())
    {
      if (dump_file && why)
	fprintf (dump_file, ";; ummgr: trace loop %d of %s: not hoisted: %s\n",
		 loop->num, function_name (cfun), why);
      return;
    }
  loop_report (&h);
  context->counts->hoisted += h.candidates.length ();
}

/* Outer loops first: what can be hoisted out of them needs no report in an
   inner one.  */
static void
loop_and_inner_hoist (const trace_context *context, vec<trace_ref> *refs,
		      class loop *loop)
{
  loop_hoist (context, refs, loop);
  for (class loop *inner = loop->inner; inner; inner = inner->next)
    loop_and_inner_hoist (context, refs, inner);
}

void
trace_loops_hoist (const trace_context *context, vec<trace_ref> *refs)
{
  if (number_of_loops (cfun) <= 1)
    return;
  calculate_dominance_info (CDI_DOMINATORS);
  for (class loop *loop = current_loops->tree_root->inner; loop;
       loop = loop->next)
    loop_and_inner_hoist (context, refs, loop);
}

void
trace_loops_end (void)
{
  if (number_of_loops (cfun) > 1)
    scev_finalize ();
  loop_optimizer_finalize ();
}
