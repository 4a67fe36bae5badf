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

static tree
value (gimple_seq *seq, tree expr)
{
  gimple_seq more;
  expr = force_gimple_operand (unshare_expr (expr), &more, true, NULL_TREE);
  gimple_seq_add_seq (seq, more);
  return expr;
}

/* The block of ADDRESS, as a value.  */
static tree
block_of (gimple_seq *seq, tree address)
{
  return value (seq, fold_build2 (RSHIFT_EXPR, unsigned_intDI_type_node, address,
				  build_int_cst (unsigned_type_node,
						 UMMGR_TRACE_SAMPLE_SHIFT)));
}

/* *ANY becomes *ANY or TEST.  */
static void
any_add (gimple_seq *seq, tree *any, tree test)
{
  *any = value (seq, *any ? build2 (BIT_IOR_EXPR, boolean_type_node, *any, value (seq, test))
			  : test);
}

static tree
is_sampled (tree block, tree mask)
{
  tree u64 = unsigned_intDI_type_node;
  tree hash = build2 (MULT_EXPR, u64, block, build_int_cstu (u64, UMMGR_TRACE_SAMPLE_FACTOR));
  return build2 (EQ_EXPR, boolean_type_node, build2 (BIT_AND_EXPR, u64, hash, mask),
		 build_zero_cst (u64));
}

static void
candidate_ask (gimple_seq *seq, const trace_candidate *c, skip_way way, tree mask, tree *any)
{
  tree u64 = unsigned_intDI_type_node;
  tree first = value (seq, fold_convert (u64, trace_candidate_address (c)));
  tree stride = fold_convert (u64, c->stride);
  if (way == SKIP_ELEMENTS)
    {
      for (unsigned i = 0; i < tree_to_uhwi (c->count); i++)
	{
	  tree at = fold_build2 (PLUS_EXPR, u64, first,
				 fold_build2 (MULT_EXPR, u64, stride, build_int_cstu (u64, i)));
	  any_add (seq, any, is_sampled (block_of (seq, at), mask));
	}
      return;
    }
  tree steps = fold_build2 (MINUS_EXPR, u64, fold_convert (u64, c->count), build_one_cst (u64));
  tree last = fold_build2 (PLUS_EXPR, u64, first, fold_build2 (MULT_EXPR, u64, stride, steps));
  tree a = block_of (seq, first), b = block_of (seq, last);
  any_add (seq, any, is_sampled (a, mask));
  any_add (seq, any, is_sampled (b, mask));
  /* B - A is -1, 0 or 1.  */
  tree apart = build2 (PLUS_EXPR, u64, build2 (MINUS_EXPR, u64, b, a), build_one_cst (u64));
  any_add (seq, any, build2 (GT_EXPR, boolean_type_node, apart, build_int_cst (u64, 2)));
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
  gimple_seq seq = NULL;
  tree mask = value (&seq, build_simple_mem_ref (h->context->thread)), any = NULL_TREE;
  for (unsigned i = 0; i < h->candidates.length (); i++)
    candidate_ask (&seq, &h->candidates[i], ways[i], mask, &any);
  for (gimple_stmt_iterator at = gsi_start (seq); !gsi_end_p (at); gsi_next (&at))
    gimple_set_location (gsi_stmt (at), location);
  gsi_insert_seq_before (gsi, seq, GSI_SAME_STMT);
  trace_emit_if (gsi, NE_EXPR, any, boolean_false_node, location);
  return true;
}
