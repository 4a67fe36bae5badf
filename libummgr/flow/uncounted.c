/* Launches that are not counted: by calls of which it is not known what they reach.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Such a call may reach any function whose address is taken somewhere, or that is virtual,
   and that takes and returns what the call has.  Holds no state.  */

#include "config.h"
#include "flow/chain.h"

#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

/* Mark in REACHED, by function, those from which REGION may be launched; STACK has room for
   all functions.  */
static void
reached_fill (const struct ummgr_flow *flow, unsigned region, bool *reached, unsigned *stack)
{
  unsigned depth = 0;
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      const struct flow_node *node = &flow->nodes[i];
      if (node->kind == FLOW_LAUNCH && node->target == region && !reached[node->function])
	{
	  reached[node->function] = true;
	  stack[depth++] = node->function;
	}
    }
  while (depth)
    {
      const struct flow_function *f = &flow->functions[stack[--depth]];
      for (unsigned i = 0; i < f->caller_count; i++)
	{
	  unsigned caller = flow->callers[f->caller_first + i]->function;
	  if (!reached[caller])
	    {
	      reached[caller] = true;
	      stack[depth++] = caller;
	    }
	}
    }
}

/* May call N reach TAKEN, and is that not counted?  The records behind it say what is.  */
static bool
may_reach (const struct ummgr_flow *flow, size_t n, const struct ummgr_table_taken *taken)
{
  const struct ummgr_table_call *call = flow->calls[n];
  bool virtual = taken->flags & UMMGR_TAKEN_VIRTUAL;
  if (*call->target || virtual != (call->kind == UMMGR_CALL_VIRTUAL))
    return false;
  if (strcmp (call->signature, taken->signature) != 0 && *call->signature != '?'
      && *taken->signature != '?')
    return false;
  for (size_t i = n + 1; i < flow->call_count && *flow->calls[i]->target; i++)
    if (strcmp (flow->calls[i]->target, taken->function) == 0)
      return false;
  return true;
}

/* Has another unit said the same of the Nth that may be called so?  */
static bool
is_said (const struct ummgr_flow *flow, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (flow->taken[i].function == flow->taken[n].function
	&& flow->taken[i].table->flags == flow->taken[n].table->flags)
      return true;
  return false;
}

bool
ummgr_flow_uncounted (const struct ummgr_flow *flow, const struct ummgr_table_region *region,
		      ummgr_flow_uncounted_function function, void *data)
{
  unsigned number = flow_region_find (flow, region);
  if (number == FLOW_NONE || flow->call_count == 0)
    return true;
  bool *reached = calloc (flow->function_count + (size_t) 1, sizeof *reached);
  unsigned *stack = calloc (flow->function_count + (size_t) 1, sizeof *stack);
  if (reached && stack)
    {
      reached_fill (flow, number, reached, stack);
      for (size_t i = 0; i < flow->taken_count; i++)
	for (size_t j = 0; j < flow->call_count; j++)
	  if (reached[flow->taken[i].function] && !is_said (flow, i)
	      && may_reach (flow, j, flow->taken[i].table))
	    function (flow->taken[i].table, flow->calls[j], data);
    }
  bool good = reached && stack;
  free (reached);
  free (stack);
  return good;
}
