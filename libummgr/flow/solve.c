/* Solving the chain of the whole program, function by function.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   What a call does (flow_value) is solved callees first.  Functions that call
   each other form a group, which is solved again and again, from nothing, until
   no value changes by more than TOLERANCE of itself, or for FLOW_TIME_NS.

   How often a function is called is solved callers first.

   Guessed branches may make a recursion endless: the expected number of calls
   that one activation makes of its own group is then 1 or more.  Such a group
   is cut: its inner calls are taken less often, so that a call from outside
   makes ten activations.  Called before others know of the flow.  */

#include "config.h"
#include "flow/chain.h"

#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define TOLERANCE 1e-9
/* A recursion that a call from outside enters more often than 1 / PIVOT_MIN
   is endless.  */
#define PIVOT_MIN 1e-3
#define CUT 0.9
/* A group larger than this is tested by its row sums only.  */
#define GROUP_TEST 128

static bool
is_close (double a, double b)
{
  return fabs (a - b) <= TOLERANCE * flow_max (fabs (a), fabs (b));
}

bool
flow_is_close (struct flow_dual a, struct flow_dual b)
{
  return is_close (a.p, b.p) && is_close (a.m, b.m);
}

unsigned
flow_group_end (const struct ummgr_flow *flow, unsigned i)
{
  unsigned group = flow->functions[flow->order[i]].group;
  while (i < flow->function_count
	 && flow->functions[flow->order[i]].group == group)
    i++;
  return i;
}

unsigned
flow_group_first (const struct ummgr_flow *flow, unsigned end)
{
  unsigned group = flow->functions[flow->order[--end]].group;
  while (end > 0 && flow->functions[flow->order[end - 1]].group == group)
    end--;
  return end;
}

bool
flow_group_values (struct ummgr_flow *flow, unsigned first, unsigned end,
		   unsigned target, struct flow_value *functions,
		   struct flow_value *values, bool visits)
{
  bool recursive = flow->functions[flow->order[first]].recursive;
  bool good = true, changed;
  uint64_t start = recursive ? ummgr_nanoseconds (CLOCK_MONOTONIC) : 0;
  for (unsigned i = first; i < end; i++)
    memset (&functions[flow->order[i]], 0, sizeof *functions);
  do
    {
      changed = false;
      for (unsigned i = first; i < end; i++)
	{
	  unsigned f = flow->order[i];
	  const struct flow_function *function = &flow->functions[f];
	  struct flow_value *v = values + (function->nodes - flow->nodes);
	  struct flow_value old = functions[f];
	  if (flow_eliminate (function, target, functions, v, visits))
	    functions[f] = v[0];
	  else
	    {
	      functions[f] = (struct flow_value) { { 0, 0 }, { 1, 0 } };
	      good = false;
	    }
	  changed |= !flow_is_close (old.hit, functions[f].hit)
		     || !flow_is_close (old.ret, functions[f].ret);
	}
      if (recursive && changed && flow_is_late (start))
	good = changed = false;
    }
  while (recursive && changed);
  return good;
}

/* The calls that one activation of FROM makes of each member of its group, into
   ROW; returns their sum.  */
static double
inner_calls (const struct ummgr_flow *flow, const struct flow_function *from,
	     const unsigned *place, double *row)
{
  double sum = 0;
  for (unsigned i = 0; i < from->node_count; i++)
    {
      const struct flow_node *node = &from->nodes[i];
      if (node->kind == FLOW_CALL
	  && flow->functions[node->target].group == from->group)
	{
	  if (row)
	    row[place[node->target]] -= node->visits;
	  sum += node->visits;
	}
    }
  return sum;
}

/* Does the recursion of the group end?  I - CALLS is then an M-matrix, which
   is so exactly if no pivot of its elimination is 0 or less.  */
static bool
group_ends (const struct ummgr_flow *flow, unsigned first, unsigned end,
	    double *most)
{
  unsigned n = end - first;
  *most = 0;
  for (unsigned i = first; i < end; i++)
    *most = flow_max (*most,
		      inner_calls (flow, &flow->functions[flow->order[i]],
				   NULL, NULL));
  if (*most < 1 - PIVOT_MIN || n > GROUP_TEST)
    return *most < 1 - PIVOT_MIN;
  double *a = calloc ((size_t) n * n, sizeof *a);
  unsigned *place = calloc (flow->function_count, sizeof *place);
  bool ends = a && place;
  for (unsigned i = 0; ends && i < n; i++)
    place[flow->order[first + i]] = i;
  for (unsigned i = 0; ends && i < n; i++)
    {
      inner_calls (flow, &flow->functions[flow->order[first + i]], place,
		   a + (size_t) i * n);
      a[(size_t) i * n + i] += 1;
    }
  for (unsigned k = 0; ends && k < n; k++)
    {
      double pivot = a[(size_t) k * n + k];
      ends = pivot > PIVOT_MIN;
      for (unsigned i = k + 1; ends && i < n; i++)
	{
	  double factor = a[(size_t) i * n + k] / pivot;
	  for (unsigned j = k; factor != 0 && j < n; j++)
	    a[(size_t) i * n + j] -= factor * a[(size_t) k * n + j];
	}
    }
  free (a);
  free (place);
  return ends;
}

/* Find out whether the group's recursion ends, as if each call returned, and
   cut it if not.  */
static void
group_cut (struct ummgr_flow *flow, unsigned first, unsigned end,
	   struct flow_value *functions)
{
  for (unsigned i = first; i < end; i++)
    functions[flow->order[i]] = (struct flow_value) { { 0, 0 }, { 1, 0 } };
  for (unsigned i = first; i < end; i++)
    {
      struct flow_function *f = &flow->functions[flow->order[i]];
      flow_eliminate (f, FLOW_NONE, functions, f->values, true);
      f->flags |= UMMGR_FLOW_RECURSIVE;
    }
  double most;
  if (group_ends (flow, first, end, &most))
    return;
  for (unsigned i = first; i < end; i++)
    {
      struct flow_function *f = &flow->functions[flow->order[i]];
      f->flags |= UMMGR_FLOW_CLAMPED;
      for (unsigned j = 0; j < f->node_count; j++)
	if (f->nodes[j].kind == FLOW_CALL
	    && flow->functions[f->nodes[j].target].group == f->group)
	  f->nodes[j].scale = CUT / most;
    }
}

bool
flow_caller_counts (const struct ummgr_flow *flow,
		    const struct flow_function *f,
		    const struct flow_node *call)
{
  const struct flow_function *g = &flow->functions[call->function];
  return (g->flags & UMMGR_FLOW_ASSUMED) == (f->flags & UMMGR_FLOW_ASSUMED);
}

/* What the callers of F make of it; returns how often it is called.  */
static double
frequency_get (const struct ummgr_flow *flow, const struct flow_function *f)
{
  double sum = f->root;
  for (unsigned i = 0; i < f->caller_count; i++)
    {
      const struct flow_node *call = flow->callers[f->caller_first + i];
      if (flow_caller_counts (flow, f, call))
	sum += flow->functions[call->function].frequency * call->visits
	       * call->scale;
    }
  return sum;
}

/* The frequencies of the functions that are reached, callers first.  */
static void
frequencies_solve (struct ummgr_flow *flow, unsigned assumed)
{
  for (unsigned end = flow->function_count; end > 0;)
    {
      unsigned first = flow_group_first (flow, end);
      bool recursive = flow->functions[flow->order[first]].recursive;
      uint64_t start = recursive ? ummgr_nanoseconds (CLOCK_MONOTONIC) : 0;
      bool changed, reached = false;
      do
	{
	  changed = false;
	  for (unsigned i = first; i < end; i++)
	    {
	      struct flow_function *f = &flow->functions[flow->order[i]];
	      if ((f->flags & UMMGR_FLOW_ASSUMED) != assumed)
		continue;
	      double old = f->frequency;
	      f->frequency = frequency_get (flow, f);
	      changed |= !is_close (old, f->frequency);
	      reached |= f->frequency > 0;
	    }
	  /* Nobody calls it that we know: take it for the outermost.  */
	  if (assumed && !reached
	      && flow->functions[flow->order[end - 1]].flags & assumed)
	    {
	      flow->functions[flow->order[end - 1]].root = 1;
	      reached = changed = true;
	      continue;
	    }
	  if (recursive && changed && flow_is_late (start))
	    {
	      for (unsigned i = first; i < end; i++)
		flow->functions[flow->order[i]].flags
		  |= UMMGR_FLOW_UNFINISHED;
	      changed = false;
	    }
	}
      while (changed && (recursive || assumed));
      end = first;
    }
}

static void
functions_reach (struct ummgr_flow *flow)
{
  frequencies_solve (flow, 0);
  for (unsigned i = 0; i < flow->function_count; i++)
    if (flow->functions[i].frequency <= 0)
      flow->functions[i].flags |= UMMGR_FLOW_ASSUMED;
  frequencies_solve (flow, UMMGR_FLOW_ASSUMED);
}

/* What a function that may be called without being named calls, may be called so, too.  */
static void
taken_spread (struct ummgr_flow *flow)
{
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (unsigned i = flow->function_count; i-- > 0;)
	{
	  struct flow_function *f = &flow->functions[flow->order[i]];
	  for (unsigned j = 0; j < f->caller_count && !f->taken; j++)
	    if (flow->functions[flow->callers[f->caller_first + j]->function].taken)
	      changed = f->taken = true;
	}
    }
}

/* Exactness and the flags that callees take over, callers first.  */
static bool
flags_solve (struct ummgr_flow *flow, const struct flow_value *functions)
{
  taken_spread (flow);
  const unsigned taken_over = UMMGR_FLOW_RECURSIVE | UMMGR_FLOW_CLAMPED
			      | UMMGR_FLOW_UNFINISHED;
  for (unsigned i = flow->function_count; i-- > 0;)
    {
      struct flow_function *f = &flow->functions[flow->order[i]];
      if (!flow_exact_find (f, functions))
	return false;
      /* One whose address is taken may be called by pointer as well.  */
      f->exact = !f->taken && !(f->table->flags & UMMGR_FUNCTION_TOO_LARGE)
		 && !(f->flags & (UMMGR_FLOW_ASSUMED | taken_over));
      for (unsigned j = 0; j < f->caller_count; j++)
	{
	  const struct flow_node *call = flow->callers[f->caller_first + j];
	  const struct flow_function *g = &flow->functions[call->function];
	  f->exact &= g->exact && call->exact;
	  f->flags |= g->flags & taken_over;
	}
    }
  return true;
}

bool
flow_launch_counts (const struct ummgr_flow *flow,
		    const struct flow_node *node)
{
  return node->kind == FLOW_LAUNCH && node->target != FLOW_NONE
	 && (flow->functions[node->function].flags & UMMGR_FLOW_ASSUMED)
	    == (flow->region_flags[node->target] & UMMGR_FLOW_ASSUMED);
}

static bool
regions_solve (struct ummgr_flow *flow)
{
  flow->frequency = calloc (flow->region_count + (size_t) 1,
			    sizeof *flow->frequency);
  flow->region_flags = calloc (flow->region_count + (size_t) 1,
			       sizeof *flow->region_flags);
  if (!flow->frequency || !flow->region_flags)
    return false;
  /* Assumed launches count only where there are no others.  */
  for (unsigned i = 0; i < flow->region_count; i++)
    flow->region_flags[i] = UMMGR_FLOW_EXACT | UMMGR_FLOW_ASSUMED;
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      const struct flow_node *node = &flow->nodes[i];
      if (node->kind == FLOW_LAUNCH && node->target != FLOW_NONE
	  && node->visits > 0
	  && !(flow->functions[node->function].flags & UMMGR_FLOW_ASSUMED))
	flow->region_flags[node->target] &= ~UMMGR_FLOW_ASSUMED;
    }
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      const struct flow_node *node = &flow->nodes[i];
      const struct flow_function *f = &flow->functions[node->function];
      if (!flow_launch_counts (flow, node))
	{
	  if (node->kind == FLOW_LAUNCH && node->target != FLOW_NONE && f->taken)
	    flow->region_flags[node->target] &= ~UMMGR_FLOW_EXACT;
	  continue;
	}
      unsigned *flags = &flow->region_flags[node->target];
      flow->frequency[node->target] += f->frequency * node->visits;
      *flags |= UMMGR_FLOW_KNOWN | f->flags;
      if (!f->exact || !node->exact
	  || flow->regions[node->target]->flags & UMMGR_REGION_ELSEWHERE)
	*flags &= ~UMMGR_FLOW_EXACT;
    }
  return true;
}

/* Forget what was solved.  */
static void
solve_begin (struct ummgr_flow *flow)
{
  free (flow->frequency);
  free (flow->region_flags);
  flow->frequency = NULL;
  flow->region_flags = NULL;
  for (unsigned i = 0; i < flow->function_count; i++)
    {
      struct flow_function *f = &flow->functions[i];
      /* Nobody calls it but this analysis.  */
      if (f->flags & UMMGR_FLOW_ASSUMED)
	f->root = 0;
      f->flags = 0;
      f->frequency = 0;
    }
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      flow->nodes[i].scale = 1;
      flow->nodes[i].visits = 0;
    }
  memset (flow->values, 0, flow->node_count * sizeof *flow->values);
}

bool
flow_solve (struct ummgr_flow *flow)
{
  struct flow_value *functions
    = calloc (flow->function_count + (size_t) 1, sizeof *functions);
  if (!functions)
    return false;
  solve_begin (flow);
  for (unsigned i = 0, end; i < flow->function_count; i = end)
    {
      end = flow_group_end (flow, i);
      if (flow->functions[flow->order[i]].recursive)
	group_cut (flow, i, end, functions);
      if (!flow_group_values (flow, i, end, FLOW_NONE, functions,
			      flow->values, true))
	for (unsigned j = i; j < end; j++)
	  flow->functions[flow->order[j]].flags |= UMMGR_FLOW_UNFINISHED;
    }
  for (unsigned i = 0; i < flow->function_count; i++)
    flow->functions[i].base = functions[i];
  functions_reach (flow);
  bool good = flags_solve (flow, functions) && regions_solve (flow);
  free (functions);
  return good;
}
