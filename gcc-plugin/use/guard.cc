/* How often, and under what conditions, a function's blocks run.
   SPDX-License-Identifier: GPL-3.0-or-later

   Down the dominator tree: a condition that can be evaluated at a launch, but
   for iteration numbers, becomes a guard; any other one a factor, as runs
   were counted or else from GCC's probabilities where there are any, and kept for
   samples where it is one on data.  Holds no state.  */

#include "use/use.h"

double
use_edge_taken (use_region *region, use_frame *frame, edge e, bool *counted)
{
  count_share share;
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (e->src)));
  *counted = true;
  if (cond && count_share_find (region->region, frame->fun, cond, &share) && share.times > 0)
    return (e->flags & EDGE_TRUE_VALUE ? share.held : share.times - share.held) / share.times;
  *counted = profile_status_for_fn (frame->fun) == PROFILE_READ
	     && e->probability.initialized_p () && e->probability.quality () >= ADJUSTED;
  if (e->probability.initialized_p ())
    return ummgr_edge_probability (e);
  return 1.0 / EDGE_COUNT (e->src->succs);
}

/* The edge by which BLOCK is entered from outside loops that it heads, if there
   is one only.  */
static edge
only_entry (use_frame *frame, basic_block block)
{
  edge e, found = NULL;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->preds)
    {
      if (frame->dead.contains (e) || dominated_by_p (CDI_DOMINATORS, e->src,
						      block))
	continue;
      if (found)
	return NULL;
      found = e;
    }
  return found;
}

/* Is SRC's condition what counts a loop around BLOCK?  */
static bool
is_loop_test (use_region *region, use_frame *frame, basic_block src,
	      basic_block block)
{
  class loop *l = src->loop_father;
  if (!loop_outer (l) || !flow_bb_inside_loop_p (l, block))
    return false;
  use_loop *known = use_loop_get (region, frame, l);
  if (known->transparent)
    {
      edge e;
      edge_iterator ei;
      FOR_EACH_EDGE (e, ei, src->succs)
	if (!flow_bb_inside_loop_p (l, e->dest))
	  return true;
      return false;
    }
  return region->dims[known->main]->test == src;
}

/* E is taken if libgomp has something left to deal out to the thread: then some thread has each
   iteration, if there are any.  */
static bool
place_by_dealing (use_region *region, use_frame *frame, edge e, use_place *place)
{
  use_dealt dealt;
  HOST_WIDE_INT step;
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (e->src)));
  if (!cond || gimple_cond_code (cond) != NE_EXPR || !integer_zerop (gimple_cond_rhs (cond))
      || TREE_CODE (gimple_cond_lhs (cond)) != SSA_NAME || !(e->flags & EDGE_TRUE_VALUE))
    return false;
  gcall *call = dyn_cast <gcall *> (SSA_NAME_DEF_STMT (gimple_cond_lhs (cond)));
  if (!call || !use_dealt_bounds (region, frame, call, &dealt)
      || !use_is_const (dealt.step, &step))
    return false;
  use_poly d = use_expand_one (region, step > 0 ? use_add (dealt.end, dealt.start, -1)
			       : use_add (dealt.start, dealt.end, -1));
  if (use_find (d, USE_NOT_LAUNCH & ~USE_SET (USE_IV)))
    place->certain = false;
  else
    {
      use_guard guard = { d, false, false, 1, true };
      place->guards.safe_push (guard);
    }
  return true;
}

/* Is E taken by one thread, once: to a section, or into `single'?  */
static bool
is_taken_once (edge e)
{
  gimple *last = gsi_stmt (gsi_last_bb (e->src));
  if (gcond *cond = safe_dyn_cast <gcond *> (last))
    {
      tree name = gimple_cond_lhs (cond);
      gimple *call = TREE_CODE (name) == SSA_NAME ? SSA_NAME_DEF_STMT (name) : NULL;
      if (!call || !integer_zerop (gimple_cond_rhs (cond)))
	return false;
      bool nonzero = (gimple_cond_code (cond) == NE_EXPR) == !!(e->flags & EDGE_TRUE_VALUE);
      return nonzero ? strcmp (ummgr_call_name (call), "GOMP_single_start") == 0
	     : strcmp (ummgr_call_name (call), "GOMP_single_copy_start") == 0;
    }
  gswitch *sections = safe_dyn_cast <gswitch *> (last);
  tree name = sections ? gimple_switch_index (sections) : NULL_TREE;
  if (!name || TREE_CODE (name) != SSA_NAME)
    return false;
  gphi *phi = dyn_cast <gphi *> (SSA_NAME_DEF_STMT (name));
  for (unsigned i = 0; phi && i < gimple_phi_num_args (phi); i++)
    {
      tree arg = gimple_phi_arg_def (phi, i);
      if (TREE_CODE (arg) == SSA_NAME && use_is_next (SSA_NAME_DEF_STMT (arg)))
	return true;
    }
  return use_is_next (SSA_NAME_DEF_STMT (name));
}

/* Does BLOCK ask whether a thread, or a team, has a share?  All together have all of it.  Where
   chunks are of 1, an index in the loop derives from the thread's number, too.  */
static bool
is_share_test (use_region *region, use_frame *frame, basic_block block)
{
  gcond *cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (block)));
  bool shared = false;
  for (unsigned i = 0; cond && i < 2; i++)
    {
      tree side = gimple_op (cond, i);
      shared |= TREE_CODE (side) == SSA_NAME && frame->shared.contains (side);
    }
  return shared && !use_is_within_shared (region, frame, block->loop_father);
}

/* A block is entered by E alone, surely where it was PASSED.  */
static void
place_by_edge (use_region *region, use_frame *frame, edge e, bool passed, use_place *place)
{
  use_poly d;
  tree_code code;
  bool counted = true;
  if (single_succ_p (e->src)
      || is_loop_test (region, frame, e->src, e->dest)
      || place_by_dealing (region, frame, e, place) || is_taken_once (e))
    return;
  bool sure = passed || is_share_test (region, frame, e->src);
  double probability = sure ? 1 : use_edge_taken (region, frame, e, &counted);
  bool others = false;
  use_data_guard data;
  edge o;
  edge_iterator ei;
  FOR_EACH_EDGE (o, ei, e->src->succs)
    others |= o != e && !frame->dead.contains (o);
  if (!others)
    return;
  use_poly low;
  use_range range = USE_RANGE_OUT;
  if (use_edge_condition (region, frame, e, &d, &code))
    range = use_edge_range (region, frame, e, &low);
  if (range != USE_RANGE_OUT)
    {
      d = use_expand_one (region, d);
      if (!use_find (d, USE_NOT_LAUNCH & ~USE_SET (USE_IV)))
	{
	  use_guard guard = { d, code == EQ_EXPR, code == NE_EXPR, probability, counted };
	  place->guards.safe_push (guard);
	  if (range == USE_RANGE_IN)
	    {
	      guard.d = use_expand_one (region, low);
	      place->guards.safe_push (guard);
	    }
	  return;
	}
      place->certain = false;
      if (use_data_condition (region, d, code, probability, &data))
	{
	  place->data_guards.safe_push (data);
	  use_source_add (&place->source, place->frequency, counted);
	  place->frequency *= probability;
	  return;
	}
    }
  place->certain = false;
  if (!sure)
    use_source_add (&place->source, place->frequency, counted);
  place->frequency *= probability;
  place->residue *= probability;
}

/* BLOCK is entered by several edges, not always.  */
static void
place_by_edges (use_region *region, use_frame *frame, basic_block block, use_place *place)
{
  edge e;
  edge_iterator ei;
  double sum = 0;
  place->certain = false;
  FOR_EACH_EDGE (e, ei, block->preds)
    if (!frame->dead.contains (e) && !dominated_by_p (CDI_DOMINATORS, e->src, block))
      {
	bool counted;
	const use_place *from = frame->places[e->src->index];
	double taken = use_edge_taken (region, frame, e, &counted);
	if (!single_succ_p (e->src))
	  use_source_add (&place->source, from->frequency, counted);
	/* What is known of the way there is forgotten.  */
	place->source.guessed |= from->source.guessed
				 || from->guards.length () > place->guards.length ();
	sum += from->frequency * taken;
      }
  if (sum < place->frequency)
    place->residue *= sum / place->frequency;
  place->frequency = MIN (place->frequency, sum);
}

static void
place_fill (use_region *region, use_frame *frame, basic_block block)
{
  use_place *place = frame->places[block->index];
  basic_block dom = get_immediate_dominator (CDI_DOMINATORS, block);
  place->frequency = place->residue = 1;
  place->certain = true;
  if (!dom || dom == ENTRY_BLOCK_PTR_FOR_FN (frame->fun))
    return;
  class loop *left = NULL;
  for (class loop *l = dom->loop_father; loop_outer (l); l = loop_outer (l))
    if (!flow_bb_inside_loop_p (l, block))
      left = l;
  edge e = only_entry (frame, block);
  if (e && e->src != dom)
    e = NULL;
  bool always = left && dominated_by_p (CDI_POST_DOMINATORS, left->header,
					block);
  bool passed = left && !always && e
		&& left == dom->loop_father
		&& use_loop_get (region, frame, left)->transparent;
  /* Out of a loop: as often as it is entered.  But a machine's teams are taken
     one by one, in a loop that the work may lie behind.  */
  use_place *from
    = frame->places[(left && !passed ? left->header : dom)->index];
  place->frequency = from->frequency;
  place->residue = from->residue;
  place->certain = from->certain;
  place->source = from->source;
  for (unsigned i = 0; i < from->guards.length (); i++)
    place->guards.safe_push (from->guards[i]);
  for (unsigned i = 0; i < from->data_guards.length (); i++)
    place->data_guards.safe_push (from->data_guards[i]);
  if (left && !passed)
    {
      place->certain &= always;
      return;
    }
  if (dominated_by_p (CDI_POST_DOMINATORS, dom, block))
    return;
  if (e)
    place_by_edge (region, frame, e, passed, place);
  else
    place_by_edges (region, frame, block, place);
}

void
use_places_fill (use_region *region, use_frame *frame)
{
  bool dominators = dom_info_available_p (CDI_DOMINATORS);
  bool post = dom_info_available_p (CDI_POST_DOMINATORS);
  calculate_dominance_info (CDI_DOMINATORS);
  calculate_dominance_info (CDI_POST_DOMINATORS);
  auto_vec<int> order;
  order.safe_grow (n_basic_blocks_for_fn (frame->fun));
  int n = pre_and_rev_post_order_compute_fn (frame->fun, NULL,
					     order.address (), false);
  for (int i = 0; i < n; i++)
    {
      basic_block block = BASIC_BLOCK_FOR_FN (frame->fun, order[i]);
      if (frame->places[block->index]->live)
	place_fill (region, frame, block);
    }
  /* The exits' tests, for references before and after them.  */
  for (int i = 0; i < n; i++)
    {
      basic_block block = BASIC_BLOCK_FOR_FN (frame->fun, order[i]);
      use_place *place = frame->places[block->index];
      for (class loop *l = block->loop_father; l && loop_outer (l);
	   l = loop_outer (l))
	{
	  use_loop *known = use_loop_get (region, frame, l);
	  basic_block test = region->dims[known->main]->test;
	  bool after = test && test != block
		       && dominated_by_p (CDI_DOMINATORS, block, test);
	  place->once_more.safe_push (test && !after);
	}
    }
  if (!post)
    free_dominance_info (CDI_POST_DOMINATORS);
  if (!dominators)
    free_dominance_info (CDI_DOMINATORS);
}
