/* Making the chain launch as often as was counted.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Counts of launches say how often regions ran, and not in which order.  What the
   compiler guessed stays where they say nothing; elsewhere the ways that lead to a
   region are taken more or less often, by as much as its launches lack, until the
   chain launches as often as was counted.

   A block that should be reached F times as often as it is has the factor F: of a
   launch its count over what the chain gives, of others the mean of the ways on, of a
   call half of that and half of what its callee's entry asks for, as logarithms.  Each
   way's probability is multiplied by the factor of where it leads, and the ways out of a
   block are made to add up again.  Whether a function is called more often or has more
   turns itself, counts don't tell.  A return has half of what the entry asks for: so the
   function does a half itself, its callers do the other, and in the next round either
   does what the other can't.  Ways that are exact stay as they are.

   Ends after ROUNDS_MAX, or fewer in a large program; the best chain is kept.  Called
   before others know of the flow.  */

#include "config.h"
#include "flow/chain.h"

#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS_MAX = 400, EDGES_MAX = 1000000, SWEEPS_MAX = 50 };

/* So much of a count may be missing.  */
static const double good_enough = 1e-5;
/* Launches of what was never launched: with other inputs it may be.  */
static const double launches_least = 1e-3;
static const double factor_least = 1e-6, factor_most = 1e6;

struct fit
{
  struct ummgr_flow *flow;
  double *factors;		/* By node.  */
  double *best;			/* Probabilities, by edge.  */
  double missing;		/* What those lack.  */
  unsigned edge_count;
};

/* Is it known how often REGION is to be launched, and is it on a way from main?  */
static bool
is_wanted (const struct ummgr_flow *flow, unsigned region)
{
  return flow->counted[region] >= 0 && flow->frequency[region] > 0
	 && !(flow->region_flags[region] & UMMGR_FLOW_ASSUMED);
}

static double
region_factor (const struct ummgr_flow *flow, unsigned region)
{
  return flow_max (flow->counted[region], launches_least) / flow->frequency[region];
}

/* The most that a region's launches are off.  */
static double
missing_get (const struct ummgr_flow *flow)
{
  double worst = 0;
  for (unsigned i = 0; i < flow->region_count; i++)
    if (is_wanted (flow, i))
      {
	double off = region_factor (flow, i);
	worst = flow_max (worst, flow_max (off, 1 / off) - 1);
      }
  return worst;
}

/* What F asks of those that call it: what its entry does.  */
static double
asked_of_callers (const struct fit *fit, const struct flow_function *f)
{
  return f->root > 0 ? 1 : fit->factors[f->nodes - fit->flow->nodes];
}

/* Where E of F leads.  */
static double
edge_factor (const struct fit *fit, const struct flow_function *f, const struct flow_edge *e)
{
  return e->to == FLOW_RETURN ? sqrt (asked_of_callers (fit, f))
			      : fit->factors[f->nodes - fit->flow->nodes + e->to];
}

static double
node_factor (const struct fit *fit, const struct flow_function *f, const struct flow_node *node)
{
  const struct ummgr_flow *flow = fit->flow;
  if (flow_launch_counts (flow, node) && is_wanted (flow, node->target))
    return region_factor (flow, node->target);
  double sum = 0, p = 0;
  for (unsigned i = 0; i < node->edge_count; i++)
    {
      sum += node->edges[i].p * edge_factor (fit, f, &node->edges[i]);
      p += node->edges[i].p;
    }
  double onward = p > 0 ? sum / p : 1;
  if (node->kind != FLOW_CALL)
    return onward;
  return sqrt (onward * asked_of_callers (fit, &flow->functions[node->target]));
}

/* The factors of F's blocks, its callees' being there.  */
static void
factors_fill (struct fit *fit, const struct flow_function *f)
{
  double *factors = fit->factors + (f->nodes - fit->flow->nodes);
  bool changed = true;
  for (unsigned sweep = 0; changed && sweep < SWEEPS_MAX; sweep++)
    {
      changed = false;
      for (unsigned i = f->node_count; i-- > 0;)
	{
	  double old = factors[i];
	  factors[i] = fmin (flow_max (node_factor (fit, f, &f->nodes[i]), factor_least),
			     factor_most);
	  changed |= fabs (factors[i] - old) > 1e-9 * old;
	}
    }
}

/* Multiply the ways out of NODE of F.  What they lack of 1 goes nowhere, as before.  */
static void
ways_multiply (const struct fit *fit, const struct flow_function *f, struct flow_node *node)
{
  double sum = 0, before = 0;
  bool exact = node->edge_count < 2;
  for (unsigned i = 0; i < node->edge_count; i++)
    {
      exact |= node->edges[i].exact;
      before += node->edges[i].p;
      sum += node->edges[i].p * edge_factor (fit, f, &node->edges[i]);
    }
  for (unsigned i = 0; i < node->edge_count && !exact && sum > 0; i++)
    node->edges[i].p *= edge_factor (fit, f, &node->edges[i]) * before / sum;
}

/* One step towards the counts; false where that can't be computed.  */
static bool
fit_step (struct fit *fit)
{
  struct ummgr_flow *flow = fit->flow;
  for (unsigned i = 0; i < flow->node_count; i++)
    fit->factors[i] = 1;
  for (unsigned i = 0; i < flow->function_count; i++)
    factors_fill (fit, &flow->functions[flow->order[i]]);
  for (unsigned i = 0; i < flow->node_count; i++)
    ways_multiply (fit, &flow->functions[flow->nodes[i].function], &flow->nodes[i]);
  return flow_solve (flow);
}

/* Keep the chain's probabilities if none before were better.  */
static void
fit_keep (struct fit *fit)
{
  double missing = missing_get (fit->flow);
  if (!(missing < fit->missing))
    return;
  fit->missing = missing;
  for (unsigned i = 0; i < fit->edge_count; i++)
    fit->best[i] = fit->flow->edges[i].p;
}

bool
flow_fit (struct ummgr_flow *flow)
{
  if (missing_get (flow) < good_enough)
    return true;
  struct fit fit = { .flow = flow, .missing = INFINITY };
  for (unsigned i = 0; i < flow->node_count; i++)
    fit.edge_count += flow->nodes[i].edge_count;
  fit.factors = calloc (flow->node_count + (size_t) 1, sizeof *fit.factors);
  fit.best = calloc (fit.edge_count + (size_t) 1, sizeof *fit.best);
  bool good = fit.factors && fit.best;
  if (good)
    fit_keep (&fit);
  for (unsigned i = 0; good && i < ROUNDS_MAX && fit.missing >= good_enough
	 && i < EDGES_MAX / (fit.edge_count + 1); i++)
    {
      good = fit_step (&fit);
      if (good)
	fit_keep (&fit);
    }
  for (unsigned i = 0; good && i < fit.edge_count; i++)
    flow->edges[i].p = fit.best[i];
  good = good && flow_solve (flow);
  free (fit.factors);
  free (fit.best);
  return good;
}
