/* Events that happen on one of several ways, in blocks of their own.
   SPDX-License-Identifier: GPL-3.0-or-later

   A call of one of several functions becomes a block for each, all as likely, and a block
   behind them, which has what follows; a launch that depends on the edge by which control
   came, a block on that edge.  Holds no state.  */

#include "flow/flow.h"

static int
block_new (flow_chain *chain)
{
  chain->out.safe_push (vNULL);
  chain->kept.safe_push (true);
  return chain->out.length () - 1;
}

/* The way of CHAIN out of block FROM to TO, if there is one only; or NULL.  */
static flow_edge *
way_find (flow_chain *chain, int from, int to)
{
  flow_edge *found = NULL;
  for (unsigned i = 0; i < chain->out[from].length (); i++)
    if (chain->out[from][i].to == to)
      {
	if (found)
	  return NULL;
	found = &chain->out[from][i];
      }
  return found;
}

/* Does VALUE change from one time to the next in a loop, through at most DEPTH assignments?  */
static bool
varies (tree value, unsigned depth)
{
  if (TREE_CODE (value) != SSA_NAME || SSA_NAME_IS_DEFAULT_DEF (value))
    return false;
  gimple *def = SSA_NAME_DEF_STMT (value);
  if (gimple_code (def) == GIMPLE_PHI || !depth)
    return true;
  tree used;
  ssa_op_iter iter;
  FOR_EACH_SSA_TREE_OPERAND (used, def, iter, SSA_OP_USE)
    if (varies (used, depth - 1))
      return true;
  return false;
}

/* Is what an if clause tests, so that control comes by VIA, the same each time?  */
static bool
is_constant_choice (edge via)
{
  basic_block bb = via->src;
  gcond *cond;
  while (!(cond = safe_dyn_cast <gcond *> (gsi_stmt (gsi_last_bb (bb)))) && single_pred_p (bb))
    bb = single_pred (bb);
  return cond && !varies (gimple_cond_lhs (cond), 8) && !varies (gimple_cond_rhs (cond), 8);
}

/* BLOCK, on the way of a launch that an if clause lets go to the device, is reached by one way of
   two of which GCC knows nothing.  Who wrote a clause that doesn't change wants it to hold where it
   matters, and what matters of launches is what comes after those that there are: so it nearly
   always holds.  */
static void
launch_expect (flow_chain *chain, int block)
{
  const double likely = profile_probability::very_likely ().to_reg_br_prob_base ()
			/ (double) REG_BR_PROB_BASE;
  for (unsigned steps = 0; steps < 3; steps++)
    {
      int from = -1, found = 0;
      for (unsigned i = 0; i < chain->out.length (); i++)
	for (unsigned j = 0; j < chain->out[i].length (); j++)
	  if (chain->out[i][j].to == block)
	    {
	      from = i;
	      found++;
	    }
      if (found != 1)
	return;
      vec<flow_edge> &ways = chain->out[from];
      if (ways.length () == 2 && !ways[0].exact && ways[0].p == ways[1].p)
	{
	  bool second = ways[1].to == block;
	  ways[second].p = likely;
	  ways[!second].p = 1 - likely;
	  return;
	}
      if (ways.length () != 1)
	return;
      block = from;
    }
}

/* A block on the edge of EVENT; LAST has the block in which each one's ends.  */
static void
via_make (flow_event *event, flow_chain *chain, const vec<int> &last)
{
  int to = event->via->dest->index, from = last[event->via->src->index];
  if (!way_find (chain, from, to))
    {
      event->anywhere = event->region != UMMGR_EVENT_NO_REGION;
      return;
    }
  int block = block_new (chain);
  flow_edge *way = way_find (chain, from, to);
  way->to = block;
  chain->out[block].safe_push ({ to, 1, true });
  event->block = block;
  if (event->region != UMMGR_EVENT_NO_REGION && is_constant_choice (event->via))
    launch_expect (chain, block);
}

/* Blocks for the targets of event I of F, at the end of block AT; returns the block behind
   them.  */
static int
choice_make (flow_events *f, unsigned i, flow_chain *chain, int at)
{
  const flow_event event = f->events[i];
  const double share = 1.0 / (event.target_count + event.idle);
  int behind = block_new (chain);
  std::swap (chain->out[at], chain->out[behind]);
  for (unsigned j = 0; j < event.target_count; j++)
    {
      int block = block_new (chain);
      chain->out[at].safe_push ({ block, share, false });
      chain->out[block].safe_push ({ behind, 1, true });
      flow_event one = {};
      one.call = event.call;
      one.block = block;
      one.kind = UMMGR_EVENT_CALL;
      one.region = UMMGR_EVENT_NO_REGION;
      one.callee = f->targets[event.target_first + j];
      f->events.safe_push (one);
    }
  if (event.idle)
    chain->out[at].safe_push ({ behind, share * event.idle, false });
  f->events[i].block = -1;
  return behind;
}

void
flow_choices_make (flow_events *f, flow_chain *chain)
{
  auto_vec<int> last;
  for (unsigned i = 0; i < chain->out.length (); i++)
    last.safe_push (i);
  const unsigned count = f->events.length ();
  for (unsigned i = 0; i < count; i++)
    {
      flow_event &event = f->events[i];
      int block = gimple_bb (event.call)->index;
      event.block = last[block];
      if (event.kind == UMMGR_EVENT_CALL && !event.callee)
	last[block] = choice_make (f, i, chain, last[block]);
    }
  for (unsigned i = 0; i < count; i++)
    if (f->events[i].via)
      via_make (&f->events[i], chain, last);
}
