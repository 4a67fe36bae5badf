/* Leaving out the report of a short loop that sampling has nothing of.
   SPDX-License-Identifier: GPL-3.0-or-later

   With --sample most loops of a few iterations touch no block that is let through, and all that
   the recorder does is to find that out.  So the report stands behind

     if (some reference's first or last block is sampled, or lies far from the other)

   or, for references whose elements may lie apart and are at most ELEMENTS_MAX, their blocks:
   nothing in between is then left to ask for.  In a full trace every block is sampled.

   Example: for (v = 0; v < 5; v++) s.u[v] = variables[v * n + i] asks for five blocks.

   Holds no state.  */

#include "trace/trace.h"
#include "ummgr-trace-abi.h"

/* Elements that are asked for one by one, of a reference; blocks, of a loop.  */
#define ELEMENTS_MAX 8
#define BLOCKS_MAX 16

/* Which blocks say all of a reference.  */
enum skip_way
{
  SKIP_NEVER,
  SKIP_ENDS,		/* Its first and last element's, unless they lie far apart.  */
  SKIP_ELEMENTS		/* Each element's.  */
};

/* Does no element of REF, of SIZE bytes, lie in two blocks?  */
static bool
ref_is_aligned (const trace_ref *ref, unsigned HOST_WIDE_INT size)
{
  return pow2p_hwi (size) && size * BITS_PER_UNIT <= get_object_alignment (ref->ref);
}

static skip_way
candidate_way (const trace_hoister *h, const trace_candidate *c, unsigned *blocks)
{
  const trace_ref *ref = &(*h->refs)[c->ref];
  unsigned HOST_WIDE_INT size = tree_to_uhwi (trace_ref_size (ref));
  if (c->inner || !ref_is_aligned (ref, size))
    return SKIP_NEVER;
  if (TREE_CODE (c->stride) == INTEGER_CST
      && absu_hwi (tree_to_shwi (c->stride)) <= 1 << UMMGR_TRACE_SAMPLE_SHIFT)
    {
      *blocks += 2;
      return SKIP_ENDS;
    }
  if (tree_fits_uhwi_p (c->count) && tree_to_uhwi (c->count) <= ELEMENTS_MAX)
    {
      *blocks += tree_to_uhwi (c->count);
      return SKIP_ELEMENTS;
    }
  return SKIP_NEVER;
}

/* What is asked, before GSI: ANY is true if something says that the report is wanted.  */
struct skip_question
{
  const trace_context *context;
  gimple_stmt_iterator *gsi;
  location_t location;
  tree any;
};

/* EXPR as a number.  */
static tree
value (skip_question *q, tree expr)
{
  return force_gimple_operand_gsi (q->gsi, fold_convert (unsigned_intDI_type_node,
							 unshare_expr (expr)),
				   true, NULL_TREE, true, GSI_SAME_STMT);
}

/* Or LHS CODE RHS.  */
static void
any_add (skip_question *q, tree_code code, tree lhs, tree rhs)
{
  tree test = trace_emit_binary (q->gsi, code, lhs, rhs, q->location);
  q->any = q->any ? trace_emit_binary (q->gsi, BIT_IOR_EXPR, q->any, test, q->location) : test;
}

/* Or ADDRESS's block, which is returned, is sampled.  */
static tree
block_ask (skip_question *q, tree address)
{
  tree block = trace_emit_block (q->gsi, address, q->location);
  any_add (q, EQ_EXPR, trace_emit_sample_bits (q->context, q->gsi, block, q->location),
	   build_zero_cst (unsigned_intDI_type_node));
  return block;
}

static void
candidate_ask (skip_question *q, const trace_candidate *c, skip_way way)
{
  tree u64 = unsigned_intDI_type_node;
  tree first = value (q, trace_candidate_address (c)), stride = value (q, c->stride);
  if (way == SKIP_ELEMENTS)
    {
      for (unsigned i = 0; i < tree_to_uhwi (c->count); i++)
	block_ask (q, value (q, fold_build2 (PLUS_EXPR, u64, first,
					     fold_build2 (MULT_EXPR, u64, stride,
							  build_int_cstu (u64, i)))));
      return;
    }
  tree steps = fold_build2 (MINUS_EXPR, u64, fold_convert (u64, c->count), build_one_cst (u64));
  tree last = value (q, fold_build2 (PLUS_EXPR, u64, first,
				     fold_build2 (MULT_EXPR, u64, stride, steps)));
  tree a = block_ask (q, first), b = block_ask (q, last);
  /* B - A is -1, 0 or 1.  */
  tree apart = trace_emit_binary (q->gsi, PLUS_EXPR,
				  trace_emit_binary (q->gsi, MINUS_EXPR, b, a, q->location),
				  build_one_cst (u64), q->location);
  any_add (q, GT_EXPR, apart, build_int_cst (u64, 2));
}

bool
trace_skip_emit (const trace_hoister *h, gimple_stmt_iterator *gsi, location_t location)
{
  auto_vec<skip_way> ways;
  unsigned blocks = 0;
  for (unsigned i = 0; i < h->candidates.length (); i++)
    {
      ways.safe_push (candidate_way (h, &h->candidates[i], &blocks));
      if (ways[i] == SKIP_NEVER || blocks > BLOCKS_MAX)
	return false;
    }
  skip_question q = { h->context, gsi, location, NULL_TREE };
  for (unsigned i = 0; i < h->candidates.length (); i++)
    candidate_ask (&q, &h->candidates[i], ways[i]);
  trace_emit_if (gsi, NE_EXPR, q.any, boolean_false_node, location);
  return true;
}
