/* Counting what is done between reports.
   SPDX-License-Identifier: GPL-3.0-or-later

   Operations that access no memory (ops/ops.h), of functions for the device.  What the
   blocks of a hoisted loop do in each iteration is said by its references; other blocks
   begin with

     T->work += OPERATIONS;

   Holds the counts of the function at hand.  */

#include "ops/ops.h"
#include "trace/trace.h"
#include "ummgr-trace-abi.h"

static auto_vec<unsigned> work;	/* By block; what was taken is 0.  */

void
trace_work_begin (bool loops)
{
  auto_vec<ops_counts> counts;
  /* What a copied function has of loops is not up to date.  */
  if (!loops)
    loop_optimizer_init (AVOID_CFG_MODIFICATIONS);
  ops_count (&counts);
  if (!loops)
    loop_optimizer_finalize ();
  work.truncate (0);
  for (unsigned i = 0; i < counts.length (); i++)
    work.safe_push (counts[i].flops + counts[i].integers);
}

static unsigned
block_take (basic_block bb)
{
  if ((unsigned) bb->index >= work.length ())
    return 0;
  unsigned n = work[bb->index];
  work[bb->index] = 0;
  return n;
}

static class loop *
loop_of (const trace_hoister *h, unsigned i)
{
  return gimple_bb ((*h->refs)[h->candidates[i].ref].stmt)->loop_father;
}

unsigned
trace_work_take (const trace_hoister *h, unsigned i, unsigned most)
{
  class loop *loop = loop_of (h, i);
  basic_block to = gimple_bb ((*h->refs)[h->candidates[i].ref].stmt);
  bool last = true;
  for (unsigned k = i + 1; k < h->candidates.length (); k++)
    last &= loop_of (h, k) != loop;
  if (last)
    to = loop->latch;
  unsigned taken = 0;
  for (basic_block bb = to;; bb = get_immediate_dominator (CDI_DOMINATORS, bb))
    {
      if (bb->loop_father == loop)
	taken += block_take (bb);
      if (bb == loop->header)
	break;
    }
  return MIN (taken, most);
}

/* T->work += N at the start of BB.  */
static void
block_emit (const trace_context *context, basic_block bb, unsigned n)
{
  tree u64 = unsigned_intDI_type_node;
  tree place = build2 (MEM_REF, u64, context->thread,
		       build_int_cst (TREE_TYPE (context->thread),
				      offsetof (struct ummgr_trace_thread, work)));
  tree before = make_ssa_name (u64), after = make_ssa_name (u64);
  gimple_stmt_iterator gsi = gsi_after_labels (bb);
  gsi_insert_before (&gsi, gimple_build_assign (before, place), GSI_SAME_STMT);
  gsi_insert_before (&gsi, gimple_build_assign (after, PLUS_EXPR, before,
						build_int_cst (u64, n)),
		     GSI_SAME_STMT);
  gsi_insert_before (&gsi, gimple_build_assign (unshare_expr (place), after),
		     GSI_SAME_STMT);
}

void
trace_work_emit (const trace_context *context)
{
  basic_block bb;
  basic_block start = gimple_bb (SSA_NAME_DEF_STMT (context->thread));
  FOR_EACH_BB_FN (bb, cfun)
    if (unsigned n = bb == start ? 0 : block_take (bb))
      block_emit (context, bb, n);
}
