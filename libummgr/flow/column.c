/* What leads to one region: probability and launches, from every other.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   As flow/solve.c does for no target, so here for one: what a call does with
   respect to it, callees first, only for functions that may launch it; then
   what follows each function's return, callers first.  That is averaged over
   the calls, each weighted by how often it is made; which is exact, since what
   a function does does not depend on who called it.

   Called with the flow's lock held; the column is the caller's.  */

#include "config.h"
#include "flow/chain.h"

#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

/* A column in work: by function, by node, and what follows each function's
   return.  */
struct work
{
  struct ummgr_flow *flow;
  struct flow_value *functions;
  struct flow_value *values;
  struct flow_dual *returned;
  bool *reaches;		/* By function: it may launch the target.  */
  bool finished;
};

/* What follows NODE, in its function and after it.  */
static struct flow_dual
hit_after (const struct work *w, const struct flow_node *node)
{
  const struct flow_function *f = &w->flow->functions[node->function];
  struct flow_value after
    = flow_after (node, w->values + (f->nodes - w->flow->nodes));
  flow_add (&after.hit, 1, flow_times (after.ret,
				       w->returned[node->function]));
  return after.hit;
}

static struct flow_dual
returned_get (const struct work *w, unsigned function)
{
  const struct ummgr_flow *flow = w->flow;
  const struct flow_function *f = &flow->functions[function];
  struct flow_dual out = { 0, 0 };
  if (f->frequency <= 0)
    return out;
  for (unsigned i = 0; i < f->caller_count; i++)
    {
      const struct flow_node *call = flow->callers[f->caller_first + i];
      if (flow_caller_counts (flow, f, call))
	flow_add (&out, flow->functions[call->function].frequency
			* call->visits * call->scale / f->frequency,
		  hit_after (w, call));
    }
  /* After a constructor comes main.  */
  if (f->table->flags & UMMGR_FUNCTION_CONSTRUCTOR && flow->main != FLOW_NONE)
    flow_add (&out, f->root / f->frequency, w->functions[flow->main].hit);
  return out;
}

/* Which functions may launch TARGET, and what a call of them does; the others
   are as without a target.  */
static void
column_callees (struct work *w, unsigned target)
{
  struct ummgr_flow *flow = w->flow;
  for (unsigned i = 0, end; i < flow->function_count; i = end)
    {
      end = flow_group_end (flow, i);
      bool reaches = false;
      for (unsigned j = i; j < end; j++)
	{
	  const struct flow_function *f = &flow->functions[flow->order[j]];
	  for (unsigned k = 0; k < f->node_count; k++)
	    reaches |= f->nodes[k].kind == FLOW_LAUNCH
		       ? f->nodes[k].target == target
		       : f->nodes[k].kind == FLOW_CALL
			 && w->reaches[f->nodes[k].target];
	}
      for (unsigned j = i; j < end; j++)
	{
	  w->reaches[flow->order[j]] = reaches;
	  w->functions[flow->order[j]] = flow->functions[flow->order[j]].base;
	}
      if (reaches)
	w->finished &= flow_group_values (flow, i, end, target, w->functions,
					  w->values, false);
    }
}

static void
column_callers (struct work *w)
{
  struct ummgr_flow *flow = w->flow;
  for (unsigned end = flow->function_count; end > 0;)
    {
      unsigned first = flow_group_first (flow, end);
      bool recursive = flow->functions[flow->order[first]].recursive;
      uint64_t start = recursive ? ummgr_nanoseconds (CLOCK_MONOTONIC) : 0;
      bool changed;
      do
	{
	  changed = false;
	  for (unsigned i = first; i < end; i++)
	    {
	      unsigned f = flow->order[i];
	      struct flow_dual old = w->returned[f];
	      w->returned[f] = returned_get (w, f);
	      changed |= !flow_is_close (old, w->returned[f]);
	    }
	  if (recursive && changed && flow_is_late (start))
	    w->finished = changed = false;
	}
      while (recursive && changed);
      end = first;
    }
}

/* The column's rows: each region's launches, weighted by how often each is
   made.  */
static void
column_fill (const struct work *w, struct flow_column *column)
{
  const struct ummgr_flow *flow = w->flow;
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      const struct flow_node *node = &flow->nodes[i];
      if (!flow_launch_counts (flow, node)
	  || flow->frequency[node->target] <= 0)
	continue;
      double share = flow->functions[node->function].frequency * node->visits
		     / flow->frequency[node->target];
      flow_add (&column->hit[node->target], share, hit_after (w, node));
    }
  if (flow->main != FLOW_NONE)
    column->hit[flow->region_count] = w->functions[flow->main].hit;
}

struct flow_column *
flow_column_new (struct ummgr_flow *flow, unsigned target)
{
  const size_t functions = flow->function_count + (size_t) 1;
  const size_t nodes = flow->node_count + (size_t) 1;
  struct flow_column *column
    = calloc (1, sizeof *column + (flow->region_count + (size_t) 1)
				  * sizeof *column->hit);
  struct work w = { .flow = flow, .finished = true };
  w.functions = calloc (functions, sizeof *w.functions);
  w.values = malloc (nodes * sizeof *w.values);
  w.returned = calloc (functions, sizeof *w.returned);
  w.reaches = calloc (functions, sizeof *w.reaches);
  if (column && w.functions && w.values && w.returned && w.reaches)
    {
      memcpy (w.values, flow->values, nodes * sizeof *w.values);
      column_callees (&w, target);
      column_callers (&w);
      column_fill (&w, column);
      column->finished = w.finished;
    }
  else
    {
      free (column);
      column = NULL;
    }
  free (w.functions);
  free (w.values);
  free (w.returned);
  free (w.reaches);
  return column;
}
