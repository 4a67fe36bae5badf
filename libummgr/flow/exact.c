/* Which nodes of a function are reached as often whatever was guessed.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where the ways out of a node were guessed, how often those blocks run that lie on
   one of them is a guess, up to the first block that all ways lead to: the node's
   immediate postdominator.  That one, and what follows it, runs as often as control
   came this way, whichever way it took.  A call that may not return has a way to the
   end of all, and so has a node whose ways don't add up to 1.

   Postdominators are found as in Cooper, Harvey and Kennedy, "A Simple, Fast
   Dominance Algorithm", on the reversed graph.  Holds no state.  */

#include "config.h"
#include "flow/chain.h"

#include <stdlib.h>

/* A function's nodes, and behind them its end, with what leads to each.  */
struct walk
{
  struct flow_function *f;
  const struct flow_value *functions;
  unsigned end;
  unsigned *before_first, *before;
  unsigned *order, order_count;	/* From the end on, each after one that it leads to.  */
  unsigned *place;		/* Of each in that order.  */
  unsigned *after;		/* The immediate postdominator, or FLOW_NONE.  */
  unsigned *stack, *next, *seen;
};

/* May control get lost in NODE?  */
static bool
is_leak (const struct walk *w, const struct flow_node *node)
{
  double sum = 0;
  for (unsigned i = 0; i < node->edge_count; i++)
    sum += node->edges[i].p;
  return sum < 1 - UMMGR_FLOW_NEVER
	 || (node->kind == FLOW_CALL
	     && w->functions[node->target].ret.p < 1 - UMMGR_FLOW_NEVER);
}

/* Way I out of node N, or FLOW_NONE behind the last.  */
static unsigned
way_get (const struct walk *w, unsigned n, unsigned i)
{
  if (n == w->end)
    return FLOW_NONE;
  const struct flow_node *node = &w->f->nodes[n];
  if (i < node->edge_count)
    return node->edges[i].to == FLOW_RETURN ? w->end : node->edges[i].to;
  return i == node->edge_count && is_leak (w, node) ? w->end : FLOW_NONE;
}

static void
before_fill (struct walk *w)
{
  for (unsigned n = 0; n < w->end; n++)
    for (unsigned i = 0, to; (to = way_get (w, n, i)) != FLOW_NONE; i++)
      w->before_first[to + 1]++;
  for (unsigned n = 0; n <= w->end; n++)
    w->before_first[n + 1] += w->before_first[n];
  for (unsigned n = 0; n <= w->end; n++)
    w->next[n] = w->before_first[n];
  for (unsigned n = 0; n < w->end; n++)
    for (unsigned i = 0, to; (to = way_get (w, n, i)) != FLOW_NONE; i++)
      w->before[w->next[to]++] = n;
}

/* The reverse postorder of the reversed graph.  */
static void
order_fill (struct walk *w)
{
  unsigned depth = 0, at = w->end + 1;
  for (unsigned n = 0; n <= w->end; n++)
    {
      w->next[n] = w->before_first[n];
      w->place[n] = FLOW_NONE;
      w->seen[n] = 0;
    }
  w->stack[depth++] = w->end;
  w->seen[w->end] = 1;
  while (depth)
    {
      unsigned n = w->stack[depth - 1];
      if (w->next[n] == w->before_first[n + 1])
	{
	  w->order[--at] = n;
	  depth--;
	  continue;
	}
      unsigned from = w->before[w->next[n]++];
      if (!w->seen[from])
	{
	  w->seen[from] = 1;
	  w->stack[depth++] = from;
	}
    }
  w->order_count = w->end + 1 - at;
  for (unsigned i = 0; i < w->order_count; i++)
    {
      w->order[i] = w->order[at + i];
      w->place[w->order[i]] = i;
    }
}

static unsigned
common_after (const struct walk *w, unsigned a, unsigned b)
{
  while (a != b)
    if (w->place[a] > w->place[b])
      a = w->after[a];
    else
      b = w->after[b];
  return a;
}

static void
after_fill (struct walk *w)
{
  for (unsigned n = 0; n <= w->end; n++)
    w->after[n] = FLOW_NONE;
  w->after[w->end] = w->end;
  bool changed = true;
  while (changed)
    {
      changed = false;
      for (unsigned k = 1; k < w->order_count; k++)
	{
	  unsigned n = w->order[k], found = FLOW_NONE;
	  for (unsigned i = 0, to; (to = way_get (w, n, i)) != FLOW_NONE; i++)
	    if (w->after[to] != FLOW_NONE)
	      found = found == FLOW_NONE ? to : common_after (w, found, to);
	  changed |= w->after[n] != found;
	  w->after[n] = found;
	}
    }
}

/* What lies between node N, whose ways out were guessed, and what they all lead to.  Of one way
   the guess is that there is no other.  */
static void
guess_spread (struct walk *w, unsigned n)
{
  unsigned depth = 0, join = way_get (w, n, 1) == FLOW_NONE ? w->end : w->after[n];
  w->stack[depth++] = n;
  while (depth)
    {
      unsigned from = w->stack[--depth];
      for (unsigned i = 0, to; (to = way_get (w, from, i)) != FLOW_NONE; i++)
	if (to != join && to != w->end && w->seen[to] != n + 1)
	  {
	    w->seen[to] = n + 1;
	    w->f->nodes[to].exact = false;
	    w->stack[depth++] = to;
	  }
    }
}

static bool
is_guess (const struct walk *w, const struct flow_node *node)
{
  if (node->kind == FLOW_CALL
      && w->functions[node->target].ret.p < 1 - UMMGR_FLOW_NEVER)
    return true;
  for (unsigned i = 0; i < node->edge_count; i++)
    if (!node->edges[i].exact)
      return true;
  return false;
}

bool
flow_exact_find (struct flow_function *f, const struct flow_value *functions)
{
  size_t nodes = f->node_count + (size_t) 3, ways = 1;
  for (unsigned i = 0; i < f->node_count; i++)
    ways += f->nodes[i].edge_count + (size_t) 1;
  unsigned *room = calloc (7 * nodes + ways, sizeof *room);
  if (!room)
    return false;
  struct walk w = {
    .f = f, .functions = functions, .end = f->node_count,
    .before_first = room, .order = room + nodes, .place = room + 2 * nodes,
    .after = room + 3 * nodes, .stack = room + 4 * nodes, .next = room + 5 * nodes,
    .seen = room + 6 * nodes, .before = room + 7 * nodes
  };
  before_fill (&w);
  order_fill (&w);
  after_fill (&w);
  for (unsigned i = 0; i < f->node_count; i++)
    {
      f->nodes[i].exact = true;
      w.seen[i] = 0;
    }
  for (unsigned i = 0; i < f->node_count; i++)
    if (is_guess (&w, &f->nodes[i]))
      guess_spread (&w, i);
  free (room);
  return true;
}
