/* Solving the Markov chain of one function by elimination of its states.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Nodes are eliminated in postorder of a depth-first search: what is left in
   the row of an eliminated node are then the heads of the loops around it, so
   rows stay as short as loops are deep (in code with goto they may grow).
   Direct, since iteration needs as many rounds as the longest loop turns.

   After Grassmann, Taksar and Heyman: the probability 1 - p of leaving a state
   is summed up from the ways out, never subtracted, so nothing cancels when a
   loop turns a million times.

   Holds no state.  */

#include "config.h"
#include "flow/chain.h"

#include <stdlib.h>

/* More entries than any program has; a corrupt table might.  */
#define ENTRIES_MAX (1u << 21)

/* A loop without a way out ends by a call that does not return, or never.
   Taken to turn so often, and then to be lost.  */
#define ENDLESS 1e-6

struct entry
{
  unsigned node;
  struct flow_dual x;
};

/* Entries of rows, one row after the other.  */
struct matrix
{
  struct entry *entries;
  unsigned count, room;
  unsigned *first;		/* Of each row, by rank; one more at the end. */
};

/* Where a row ends up outside the function's nodes.  */
struct outside
{
  struct flow_dual hit, ret;
  double lost;
};

struct elimination
{
  const struct flow_function *f;
  unsigned reached;		/* Nodes that the entry reaches.  */
  unsigned *order;		/* Of elimination: rank to node.  */
  unsigned *rank;		/* FLOW_NONE: not reached.  */
  struct flow_dual *sum;	/* The row in work, by node; 0 between rows. */
  unsigned *touched;		/* Nodes with a sum.  */
  unsigned touched_count;
  struct matrix rest;		/* What is left of each row.  */
  struct matrix factors;	/* How often each row was put into later ones. */
  struct outside *outside;	/* By rank.  */
  double *leave;		/* By rank: the probability of not staying.  */
};

static bool
matrix_add (struct matrix *matrix, unsigned node, struct flow_dual x)
{
  if (matrix->count == matrix->room)
    {
      unsigned room = matrix->room ? 2 * matrix->room : 256;
      struct entry *entries = room > ENTRIES_MAX ? NULL
			      : realloc (matrix->entries,
					 room * sizeof *entries);
      if (!entries)
	return false;
      matrix->entries = entries;
      matrix->room = room;
    }
  matrix->entries[matrix->count++] = (struct entry) { node, x };
  return true;
}

/* Postorder from the entry on.  TOUCHED serves as the stack, REST.FIRST as the
   next edge of each node.  */
static void
order_make (struct elimination *e)
{
  unsigned depth = 0;
  unsigned *next = e->rest.first;
  for (unsigned i = 0; i < e->f->node_count; i++)
    {
      e->rank[i] = FLOW_NONE;
      next[i] = 0;
    }
  e->touched[depth++] = 0;
  e->rank[0] = 0;
  while (depth)
    {
      unsigned at = e->touched[depth - 1];
      const struct flow_node *node = &e->f->nodes[at];
      if (next[at] < node->edge_count)
	{
	  const struct flow_edge *edge = &node->edges[next[at]++];
	  if (edge->to != FLOW_RETURN && edge->p > 0
	      && e->rank[edge->to] == FLOW_NONE)
	    {
	      e->rank[edge->to] = 0;
	      e->touched[depth++] = edge->to;
	    }
	  continue;
	}
      e->rank[at] = e->reached;
      e->order[e->reached++] = at;
      depth--;
    }
}

static void
sum_add (struct elimination *e, unsigned node, struct flow_dual x)
{
  if (x.p <= 0)
    return;
  if (e->sum[node].p == 0)
    e->touched[e->touched_count++] = node;
  e->sum[node].p += x.p;
  e->sum[node].m += x.m;
}

static void
outside_add (struct outside *to, struct flow_dual factor,
	     const struct outside *x)
{
  flow_add (&to->hit, 1, flow_times (factor, x->hit));
  flow_add (&to->ret, 1, flow_times (factor, x->ret));
  to->lost += factor.p * x->lost;
}

/* NODE's row as the program has it: its event, then its edges.  */
static void
row_begin (struct elimination *e, const struct flow_node *node,
	   unsigned target, const struct flow_value *functions,
	   struct outside *out)
{
  struct flow_dual pass = { 1, 0 };
  *out = (struct outside) { { 0, 0 }, { 0, 0 }, 0 };
  if (node->kind == FLOW_LAUNCH && node->target == target
      && target != FLOW_NONE)
    {
      out->hit = (struct flow_dual) { 1, 1 };
      return;
    }
  if (node->kind == FLOW_LAUNCH)
    pass.m = 1;
  else if (node->kind == FLOW_CALL)
    {
      const struct flow_value *callee = &functions[node->target];
      double s = node->scale;
      pass = (struct flow_dual) { 1 - s, 0 };
      flow_add (&pass, s, callee->ret);
      flow_add (&out->hit, s, callee->hit);
      double lost = s * (1 - callee->ret.p - callee->hit.p);
      out->lost = lost > 1e-13 ? lost : 0;
    }
  double total = 0;
  for (unsigned i = 0; i < node->edge_count; i++)
    {
      const struct flow_edge *edge = &node->edges[i];
      total += edge->p;
      if (edge->to == FLOW_RETURN)
	flow_add (&out->ret, edge->p, pass);
      else
	sum_add (e, edge->to, (struct flow_dual) { edge->p * pass.p,
						   edge->p * pass.m });
    }
  if (total < 1 - 1e-13)
    out->lost += pass.p * (1 - total);
}

/* The touched node of least rank below RANK, taken off the list, or
   FLOW_NONE.  */
static unsigned
touched_take (struct elimination *e, unsigned rank)
{
  unsigned best = FLOW_NONE;
  for (unsigned i = 0; i < e->touched_count; i++)
    if (e->rank[e->touched[i]] < rank
	&& (best == FLOW_NONE
	    || e->rank[e->touched[i]] < e->rank[e->touched[best]]))
      best = i;
  if (best == FLOW_NONE)
    return FLOW_NONE;
  unsigned node = e->touched[best];
  e->touched[best] = e->touched[--e->touched_count];
  return node;
}

/* Put the rows of the eliminated nodes into the one in work.  */
static bool
row_reduce (struct elimination *e, unsigned rank, struct outside *out)
{
  unsigned node;
  while ((node = touched_take (e, rank)) != FLOW_NONE)
    {
      struct flow_dual factor = e->sum[node];
      unsigned r = e->rank[node];
      e->sum[node] = (struct flow_dual) { 0, 0 };
      if (!matrix_add (&e->factors, node, factor))
	return false;
      for (unsigned i = e->rest.first[r]; i < e->rest.first[r + 1]; i++)
	sum_add (e, e->rest.entries[i].node,
		 flow_times (factor, e->rest.entries[i].x));
      outside_add (out, factor, &e->outside[r]);
    }
  return true;
}

/* Close the row in work over its own loop and keep it.  */
static bool
row_end (struct elimination *e, unsigned rank, struct outside *out)
{
  unsigned self = e->order[rank];
  double leave = out->hit.p + out->ret.p + out->lost;
  for (unsigned i = 0; i < e->touched_count; i++)
    if (e->touched[i] != self)
      leave += e->sum[e->touched[i]].p;
  if (leave <= 0)
    leave = out->lost = ENDLESS;
  struct flow_dual loop = { 1 / leave, e->sum[self].m / (leave * leave) };
  e->leave[rank] = leave;
  bool good = true;
  for (unsigned i = 0; i < e->touched_count; i++)
    {
      unsigned node = e->touched[i];
      if (node != self)
	good &= matrix_add (&e->rest, node, flow_times (loop, e->sum[node]));
      e->sum[node] = (struct flow_dual) { 0, 0 };
    }
  e->touched_count = 0;
  e->outside[rank] = (struct outside) { { 0, 0 }, { 0, 0 }, 0 };
  outside_add (&e->outside[rank], loop, out);
  e->rest.first[rank + 1] = e->rest.count;
  e->factors.first[rank + 1] = e->factors.count;
  return good;
}

static void
values_get (const struct elimination *e, struct flow_value *values)
{
  for (unsigned i = 0; i < e->f->node_count; i++)
    values[i] = (struct flow_value) { { 0, 0 }, { 0, 0 } };
  for (unsigned r = e->reached; r-- > 0;)
    {
      struct flow_value v = { e->outside[r].hit, e->outside[r].ret };
      for (unsigned i = e->rest.first[r]; i < e->rest.first[r + 1]; i++)
	{
	  const struct entry *entry = &e->rest.entries[i];
	  flow_add (&v.hit, 1, flow_times (entry->x, values[entry->node].hit));
	  flow_add (&v.ret, 1, flow_times (entry->x, values[entry->node].ret));
	}
      values[e->order[r]] = v;
    }
}

/* The entry is eliminated last, so visits go from high ranks to low.  */
static void
visits_get (const struct elimination *e)
{
  struct flow_node *nodes = e->f->nodes;
  for (unsigned i = 0; i < e->f->node_count; i++)
    nodes[i].visits = 0;
  nodes[0].visits = 1;
  for (unsigned r = e->reached; r-- > 0;)
    {
      struct flow_node *node = &nodes[e->order[r]];
      node->visits /= e->leave[r];
      for (unsigned i = e->factors.first[r]; i < e->factors.first[r + 1]; i++)
	{
	  const struct entry *entry = &e->factors.entries[i];
	  nodes[entry->node].visits += node->visits * entry->x.p;
	}
    }
}

static bool
rows_solve (struct elimination *e, unsigned target,
	    const struct flow_value *functions)
{
  order_make (e);
  e->rest.first[0] = 0;
  e->factors.first[0] = 0;
  for (unsigned r = 0; r < e->reached; r++)
    {
      struct outside out;
      row_begin (e, &e->f->nodes[e->order[r]], target, functions, &out);
      if (!row_reduce (e, r, &out) || !row_end (e, r, &out))
	return false;
    }
  return true;
}

bool
flow_eliminate (const struct flow_function *f, unsigned target,
		const struct flow_value *functions, struct flow_value *values,
		bool visits)
{
  const size_t n = f->node_count;
  struct elimination e = { .f = f };
  e.order = malloc (n * sizeof *e.order);
  e.rank = malloc (n * sizeof *e.rank);
  e.sum = calloc (n, sizeof *e.sum);
  e.touched = malloc (n * sizeof *e.touched);
  e.rest.first = malloc ((n + 1) * sizeof *e.rest.first);
  e.factors.first = malloc ((n + 1) * sizeof *e.factors.first);
  e.outside = malloc (n * sizeof *e.outside);
  e.leave = malloc (n * sizeof *e.leave);
  bool good = e.order && e.rank && e.sum && e.touched && e.rest.first
	      && e.factors.first && e.outside && e.leave;
  good = good && rows_solve (&e, target, functions);
  if (good)
    values_get (&e, values);
  if (good && visits)
    visits_get (&e);
  free (e.order);
  free (e.rank);
  free (e.sum);
  free (e.touched);
  free (e.rest.first);
  free (e.rest.entries);
  free (e.factors.first);
  free (e.factors.entries);
  free (e.outside);
  free (e.leave);
  return good;
}
