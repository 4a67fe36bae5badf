/* What comes after the launches and calls of one function, for one return.
   SPDX-License-Identifier: GPL-3.0-or-later

   Backwards over the blocks until nothing changes.  What a block does to a root
   depends on that root alone, so only those of which more is known after it are
   looked at again.  Owns nothing but what is in the function handed in.  */

#include "flow/flow.h"
#include "live/live.h"

#define SWEEPS_MAX 400
/* Block by block and sweep by sweep.  */
#define STEPS_MAX 200000
/* A probability that changes by less is right: what it decides is whether to
   announce something, which is right more often than not.  */
#define NEXT_ENOUGH 1e-3f

/* What a block does, for a return as the run has it.  */
struct block_state
{
  bool made;
  live_set stale;		/* Roots of which more is known after it.  */
  live_pair transfer;
  live_values in;
};

/* FUNCTION's blocks, in a run for the return EXIT.  */
struct run
{
  live_function *f;
  const flow_chain *chain;
  const live_value *exit;
  vec<block_state> states;
};

static void
values_set (live_value *values, unsigned char may, unsigned char must,
	    float next)
{
  for (unsigned i = 0; i < LIVE_ROOTS; i++)
    values[i] = { may, must, next };
}

static void
extreme_set (live_value *values, bool all)
{
  values_set (values, all ? LIVE_HOST | LIVE_NEEDED : 0,
	      all ? LIVE_HOST | LIVE_NEXT : 0, all);
}

static void
block_apply (live_function *f, basic_block block, live_value *values,
	     const live_value *exit)
{
  for (gimple_stmt_iterator gsi = gsi_last_bb (block); !gsi_end_p (gsi);
       gsi_prev (&gsi))
    live_statement (f, gsi_stmt (gsi), values, exit);
}

/* All roots of F.  */
static live_set
roots_all (const live_function *f)
{
  return (live_set) -1 >> (LIVE_ROOTS - f->roots.length ());
}

#define FOR_EACH_ROOT(I, SET)						\
  for (live_set left_ = (SET); left_ && ((I) = ctz_hwi (left_), true);	\
       left_ &= left_ - 1)

/* What comes after BLOCK for the roots SET.  */
static void
block_out (const run *r, basic_block block, live_set set, live_value *out)
{
  unsigned i;
  FOR_EACH_ROOT (i, set)
    out[i] = { 0, LIVE_HOST | LIVE_NEXT, 0 };
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->succs)
    {
      const live_value *in = e->dest->index == EXIT_BLOCK
			     ? r->exit : r->states[e->dest->index].in;
      FOR_EACH_ROOT (i, set)
	{
	  out[i].may |= in[i].may;
	  out[i].must &= in[i].must;
	}
    }
  const vec<flow_edge> &ways = r->chain->out[block->index];
  for (unsigned j = 0; j < ways.length (); j++)
    if (ways[j].to != FLOW_LOST)
      {
	const live_value *in = ways[j].to == FLOW_RETURN
			       ? r->exit : r->states[ways[j].to].in;
	FOR_EACH_ROOT (i, set)
	  out[i].next += ways[j].p * in[i].next;
      }
}

/* More is known of SET before BLOCK, and so after those that lead to it.  */
static void
block_pass_on (run *r, basic_block block, live_set set)
{
  edge e;
  edge_iterator ei;
  FOR_EACH_EDGE (e, ei, block->preds)
    {
      r->states[e->src->index].stale |= set;
      /* A loop that is entered for sure is entered behind its test.  */
      if (e->src == e->src->loop_father->header)
	{
	  edge before;
	  edge_iterator bi;
	  FOR_EACH_EDGE (before, bi, e->src->preds)
	    r->states[before->src->index].stale |= set;
	}
    }
}

/* Another turn over BLOCK; true if something changed.  */
static bool
block_update (run *r, basic_block block)
{
  block_state &state = r->states[block->index];
  live_set set = state.stale, changed = 0;
  state.stale = 0;
  if (!state.made)
    for (unsigned all = 0; all < 2; all++)
      {
	extreme_set (state.transfer.at[all], all);
	block_apply (r->f, block, state.transfer.at[all], r->exit);
      }
  bool first = !state.made;
  state.made = true;
  live_values out;
  block_out (r, block, set, out);
  unsigned i;
  FOR_EACH_ROOT (i, set)
    {
      live_value v = live_apply (state.transfer.at[0][i],
				 state.transfer.at[1][i], out[i]);
      if (v.may != state.in[i].may || v.must != state.in[i].must
	  || v.next > state.in[i].next + NEXT_ENOUGH
	  || v.next < state.in[i].next - NEXT_ENOUGH)
	changed |= live_bit_of (i);
      state.in[i] = v;
    }
  if (changed)
    block_pass_on (r, block, changed);
  return changed || first;
}

static live_site *
site_get (live_function *f, gcall *call, live_function *callee)
{
  for (unsigned i = 0; i < f->sites.length (); i++)
    if (f->sites[i]->call == call)
      return f->sites[i];
  live_site *site = new live_site ();
  site->call = call;
  site->callee = callee;
  f->sites.safe_push (site);
  return site;
}

/* Note what comes after the launches and calls of BLOCK.  */
static void
block_sites (const run *r, basic_block block, unsigned all)
{
  live_values values;
  values_set (values, 0, LIVE_HOST | LIVE_NEXT, 0);
  block_out (r, block, roots_all (r->f), values);
  for (gimple_stmt_iterator gsi = gsi_last_bb (block); !gsi_end_p (gsi);
       gsi_prev (&gsi))
    {
      unsigned first;
      gcall *call = dyn_cast <gcall *> (gsi_stmt (gsi));
      live_call_kind kind = call ? live_call_kind_of (call) : LIVE_CALL_NONE;
      if (kind == LIVE_CALL_SEEN || kind == LIVE_CALL_LAUNCH)
	{
	  live_site *site
	    = site_get (r->f, call, kind == LIVE_CALL_SEEN
				    ? live_callee (call, &first) : NULL);
	  memcpy (site->after.at[all], values, sizeof values);
	}
      live_statement (r->f, gsi_stmt (gsi), values, r->exit);
    }
}

void
live_run (live_function *f, const flow_chain *chain, unsigned all)
{
  live_values exit;
  extreme_set (exit, all);
  run r = { f, chain, exit, vNULL };
  r.states.safe_grow_cleared (last_basic_block_for_fn (f->fun));
  for (unsigned i = 0; i < r.states.length (); i++)
    {
      /* What happens to nothing but the return is then right at once.  */
      values_set (r.states[i].in, 0, LIVE_HOST | LIVE_NEXT, all);
      r.states[i].stale = roots_all (f);
    }
  int *order = XNEWVEC (int, n_basic_blocks_for_fn (f->fun));
  int count = post_order_compute (order, false, false);
  bool changed = true;
  unsigned steps = 0;
  for (unsigned sweep = 0; changed && sweep < SWEEPS_MAX; sweep++)
    {
      changed = false;
      for (int i = 0; i < count; i++)
	if (r.states[order[i]].stale)
	  {
	    changed |= block_update (&r, BASIC_BLOCK_FOR_FN (f->fun, order[i]));
	    steps++;
	  }
      /* What is left by then is how probable something is.  */
      if (steps > STEPS_MAX && sweep > 50)
	break;
    }
  for (int i = 0; i < count; i++)
    block_sites (&r, BASIC_BLOCK_FOR_FN (f->fun, order[i]), all);
  values_set (f->entry.at[all], 0, LIVE_HOST | LIVE_NEXT, 0);
  block_out (&r, ENTRY_BLOCK_PTR_FOR_FN (f->fun), roots_all (f),
	     f->entry.at[all]);
  XDELETEVEC (order);
  r.states.release ();
}
