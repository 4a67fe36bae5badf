/* Reporting what affine loops access once, before the loop.
   SPDX-License-Identifier: GPL-3.0-or-later

   An innermost loop all of whose exits are known before it starts to be taken
   after so many iterations (collapsed loops have two), makes the accesses

     address + i * stride, i = 0 ... count - 1

   of each reference whose address is such an expression and that every
   iteration makes.  They are written, in the order of an iteration, into an
   array in the preheader, and reported by one call; the recorder interleaves
   them as the loop does.  So no dependences among them need be known.

   What a loop accesses besides, conditionally or through computed addresses, is
   reported where it happens, after all that was hoisted.  Who wrote last what
   is read would then be wrong if the two touched the same memory; a reference
   that may, of an access of which one is a write, is not hoisted.  Two pointers
   that are not derived from one another are taken to point to different
   objects, as they nearly always do; where they do not (arrays passed twice to
   one function, and written conditionally), facts of the words shared may come
   out as if the loop's parts had run one after the other.

   Loop invariant motion runs first, on the traced version only: pointers loaded
   anew in each iteration (domain->x[i]) would else make nothing affine.

   Holds no state between functions.  */

#include "trace.h"
#include "trace-abi.h"

/* A reference to hoist.  */
struct candidate
{
  unsigned ref;			/* Its index.  */
  tree address, stride, count;	/* Invariants of the loop, as GENERIC.  */
  tree root;			/* The pointer or variable it is based on.  */
};

/* An exit of the loop, and how often its test lets the loop go on.  */
struct counted_exit
{
  basic_block test;
  tree passes;
};

/* Exits considered, at most.  */
#define EXITS_MAX 3

struct hoister
{
  const trace_context *context;
  vec<trace_ref> *refs;
  class loop *loop;
  auto_vec<counted_exit> exits;
  auto_vec<candidate> candidates;
};

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

/* Could A and B be one object, by the rule above?  */
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
body_is_regular (const hoister *h)
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
  if (exit->flags & EDGE_COMPLEX
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

static bool
exits_find (hoister *h)
{
  auto_vec<edge> exits = get_loop_exit_edges (h->loop);
  if (exits.is_empty () || exits.length () > EXITS_MAX)
    return false;
  for (unsigned i = 0; i < exits.length (); i++)
    {
      counted_exit e = { exits[i]->src, exit_passes (h->loop, exits[i]) };
      if (!e.passes)
	return false;
      h->exits.safe_push (e);
    }
  return true;
}

/* How often BB, which dominates the latch, runs in the loop.  Its run in the
   I-th iteration (from 0) comes after I passes of the tests after it, and I + 1
   of those before it.  */
static tree
block_count (const hoister *h, basic_block bb)
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

static bool
invariant_p (const hoister *h, tree expr)
{
  return expr && expr_invariant_in_loop_p (h->loop, expr)
	 && !generic_expr_could_trap_p (expr);
}

/* Add REFS[I], in a block that runs COUNT times, if its address is affine.  */
static void
candidate_consider (hoister *h, unsigned i, tree count)
{
  trace_ref *r = &(*h->refs)[i];
  tree size = trace_ref_size (r);
  if (!r->ref || r->after || r->size || gimple_has_volatile_ops (r->stmt)
      || is_gimple_call (r->stmt) || !tree_fits_uhwi_p (size)
      || tree_to_uhwi (size) > UMMGR_TRACE_HOW_SIZE (~0u))
    return;
  innermost_loop_behavior b;
  memset (&b, 0, sizeof b);
  if (!dr_analyze_innermost (&b, r->ref, h->loop, r->stmt)
      || !invariant_p (h, b.base_address) || !invariant_p (h, b.offset)
      || !invariant_p (h, b.init) || !invariant_p (h, b.step))
    return;
  candidate c;
  c.ref = i;
  c.address = fold_build_pointer_plus
    (fold_convert (ptr_type_node, b.base_address),
     fold_build2 (PLUS_EXPR, sizetype, fold_convert (sizetype, b.offset),
		  fold_convert (sizetype, b.init)));
  c.stride = b.step;
  c.count = count;
  c.root = pointer_origin (b.base_address);
  h->candidates.safe_push (c);
}

/* Consider the references of the blocks that every iteration runs, in the
   order in which it runs them: the dominators of the latch.  */
static void
candidates_find (hoister *h)
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
      tree count = block_count (h, bb);
      for (unsigned i = 0; i < h->refs->length (); i++)
	if (gimple_bb ((*h->refs)[i].stmt) == bb)
	  candidate_consider (h, i, count);
    }
}

/* May hoisting C past REF, which stays in the loop, show a reader the wrong
   writer?  */
static bool
candidate_conflicts (const hoister *h, const candidate *c,
		     const trace_ref *ref)
{
  const trace_ref *hoisted = &(*h->refs)[c->ref];
  if (!((hoisted->kind | ref->kind) & TRACE_WRITE)
      || !origins_may_equal (c->root, ref_origin (ref)))
    return false;
  return !ref->ref || refs_may_alias_p (hoisted->ref, ref->ref);
}

static bool
is_candidate (const hoister *h, unsigned ref)
{
  for (unsigned i = 0; i < h->candidates.length (); i++)
    if (h->candidates[i].ref == ref)
      return true;
  return false;
}

/* Drop the candidates that conflict with what stays, until none does.  */
static void
conflicts_drop (hoister *h)
{
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (unsigned i = 0; i < h->refs->length (); i++)
	{
	  const trace_ref *ref = &(*h->refs)[i];
	  if (!flow_bb_inside_loop_p (h->loop, gimple_bb (ref->stmt))
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
pure_calls_drop (hoister *h)
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

/* The call in the preheader.  */
static void
loop_report (hoister *h)
{
  tree u64 = unsigned_intDI_type_node, u32 = unsigned_intSI_type_node;
  unsigned n = h->candidates.length ();
  tree array = create_tmp_var (build_array_type_nelts (u64, 4 * n),
			       "ummgr_refs");
  TREE_ADDRESSABLE (array) = 1;
  gimple_seq seq = NULL;
  for (unsigned i = 0; i < n; i++)
    {
      const candidate *c = &h->candidates[i];
      trace_ref *r = &(*h->refs)[c->ref];
      unsigned HOST_WIDE_INT how
	= UMMGR_TRACE_HOW (tree_to_uhwi (trace_ref_size (r)), r->kind);
      word_store (&seq, array, 4 * i, c->address);
      word_store (&seq, array, 4 * i + 1, c->stride);
      word_store (&seq, array, 4 * i + 2, c->count);
      word_store (&seq, array, 4 * i + 3,
		  build_int_cstu (u64, BYTES_BIG_ENDIAN ? how << 32 : how));
      r->hoisted = true;
    }
  tree decl = trace_decl_function ("__ummgr_trace_loop", void_type_node, true,
				   TREE_TYPE (h->context->thread),
				   build_pointer_type (u64), u32, NULL_TREE);
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
  gsi_insert_seq_on_edge_immediate (loop_preheader_edge (h->loop), seq);
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
  /* A copied function has none.  */
  compute_may_aliases ();
  if (number_of_loops (cfun) > 1)
    {
      scev_initialize ();
      ummgr_invariants_move (cfun);
      scev_reset ();
    }
}

void
trace_loops_hoist (const trace_context *context, vec<trace_ref> *refs)
{
  if (number_of_loops (cfun) <= 1)
    return;
  calculate_dominance_info (CDI_DOMINATORS);
  auto_vec<class loop *> loops;
  ummgr_innermost_loops (&loops);
  for (unsigned i = 0; i < loops.length (); i++)
    {
      hoister h;
      h.context = context;
      h.refs = refs;
      h.loop = loops[i];
      if (!exits_find (&h) || !body_is_regular (&h))
	continue;
      candidates_find (&h);
      pure_calls_drop (&h);
      conflicts_drop (&h);
      if (h.candidates.is_empty ())
	continue;
      loop_report (&h);
      context->counts->hoisted += h.candidates.length ();
    }
}

void
trace_loops_end (void)
{
  if (number_of_loops (cfun) > 1)
    scev_finalize ();
  loop_optimizer_finalize ();
}
