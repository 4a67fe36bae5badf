/* Groups of functions that call each other, and the order of solving.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Tarjan's search, with stacks of its own: a corrupt table may nest deeper than
   the stack of a thread.  Holds no state.  */

#include "config.h"
#include "flow/chain.h"

#include <stdlib.h>

struct search
{
  struct ummgr_flow *flow;
  unsigned *index, *low, *next, *path, *stack;
  unsigned count, path_depth, stack_depth, groups, ordered;
};

static void
group_close (struct search *s, unsigned f)
{
  struct flow_function *functions = s->flow->functions;
  unsigned member, size = 0;
  do
    {
      member = s->stack[--s->stack_depth];
      functions[member].group = s->groups;
      s->low[member] = FLOW_NONE;
      s->flow->order[s->ordered++] = member;
      size++;
    }
  while (member != f);
  for (unsigned i = s->ordered - size; size > 1 && i < s->ordered; i++)
    functions[s->flow->order[i]].recursive = true;
  s->groups++;
}

static void
search_enter (struct search *s, unsigned f)
{
  s->index[f] = s->low[f] = s->count++;
  s->path[s->path_depth++] = f;
  s->stack[s->stack_depth++] = f;
}

/* Walk on from the last function of the path.  */
static void
search_step (struct search *s)
{
  unsigned f = s->path[s->path_depth - 1];
  struct flow_function *function = &s->flow->functions[f];
  if (s->next[f] < function->node_count)
    {
      const struct flow_node *node = &function->nodes[s->next[f]++];
      if (node->kind != FLOW_CALL)
	return;
      unsigned to = node->target;
      if (to == f)
	function->recursive = true;
      if (s->index[to] == FLOW_NONE)
	search_enter (s, to);
      else if (s->low[to] != FLOW_NONE && s->index[to] < s->low[f])
	s->low[f] = s->index[to];
      return;
    }
  s->path_depth--;
  unsigned low = s->low[f];
  if (low == s->index[f])
    group_close (s, f);
  if (s->path_depth)
    {
      unsigned caller = s->path[s->path_depth - 1];
      if (s->low[f] != FLOW_NONE && low < s->low[caller])
	s->low[caller] = low;
    }
}

bool
flow_groups_find (struct ummgr_flow *flow)
{
  const size_t n = flow->function_count + (size_t) 1;
  struct search s = { .flow = flow };
  unsigned *room = calloc (5 * n, sizeof *room);
  flow->order = calloc (n, sizeof *flow->order);
  if (!room || !flow->order)
    {
      free (room);
      return false;
    }
  s.index = room;
  s.low = room + n;
  s.next = room + 2 * n;
  s.path = room + 3 * n;
  s.stack = room + 4 * n;
  for (unsigned i = 0; i < flow->function_count; i++)
    s.index[i] = FLOW_NONE;
  for (unsigned i = 0; i < flow->function_count; i++)
    {
      if (s.index[i] == FLOW_NONE)
	search_enter (&s, i);
      while (s.path_depth)
	search_step (&s);
    }
  free (room);
  return true;
}
