/* One graph of the program from the tables of its units.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A local function is looked up in its own unit only; of a function that
   several units have, the first counts, as it does for the linker.  A call of
   a function that no table has launches nothing and returns.

   Fills struct ummgr_flow but for what flow/solve.c computes.  */

#include "config.h"
#include "flow/chain.h"

#include "ummgr-table.h"

#include <stdlib.h>
#include <string.h>

/* Names to functions, by open addressing, half full at most.  */
struct names
{
  const struct ummgr_flow *flow;
  unsigned *slots;
  unsigned mask;
};

static unsigned
mask_for (size_t count)
{
  unsigned size = 16;
  while (size < 2 * count)
    size *= 2;
  return size - 1;
}

static unsigned *
slots_new (unsigned mask)
{
  unsigned *slots = malloc ((mask + (size_t) 1) * sizeof *slots);
  for (size_t i = 0; slots && i <= mask; i++)
    slots[i] = FLOW_NONE;
  return slots;
}

/* The slot of the function NAME: UNIT's own where UNIT is not NULL.  */
static unsigned *
name_slot (const struct names *names, const char *name,
	   const struct ummgr_table_unit *unit)
{
  unsigned hash = 2166136261u ^ (unsigned) ((uintptr_t) unit >> 4);
  for (const char *p = name; *p; p++)
    hash = (hash ^ (unsigned char) *p) * 16777619u;
  for (unsigned i = hash & names->mask;; i = (i + 1) & names->mask)
    {
      if (names->slots[i] == FLOW_NONE)
	return &names->slots[i];
      const struct flow_function *f = &names->flow->functions[names->slots[i]];
      bool local = f->table->flags & UMMGR_FUNCTION_LOCAL;
      if ((unit ? local && f->unit == unit : !local)
	  && strcmp (f->table->name, name) == 0)
	return &names->slots[i];
    }
}

static void
functions_enter (struct ummgr_flow *flow, struct names *names,
		 const struct ummgr_table_unit *unit)
{
  for (size_t i = 0; i < unit->function_count; i++)
    {
      const struct ummgr_table_function *table = &unit->functions[i];
      bool local = table->flags & UMMGR_FUNCTION_LOCAL;
      unsigned *slot = name_slot (names, table->name, local ? unit : NULL);
      if (*slot != FLOW_NONE)
	continue;
      struct flow_function *f = &flow->functions[flow->function_count];
      f->table = table;
      f->unit = unit;
      f->taken = table->flags & UMMGR_FUNCTION_ADDRESS_TAKEN;
      if (table->flags & UMMGR_FUNCTION_CONSTRUCTOR)
	f->root = 1;
      if (!local && strcmp (table->name, "main") == 0)
	{
	  flow->main = flow->function_count;
	  f->root = 1;
	}
      *slot = flow->function_count++;
    }
}

static unsigned *
region_slot (const struct ummgr_flow *flow,
	     const struct ummgr_table_region *region)
{
  uintptr_t hash = (uintptr_t) region / sizeof *region * 0x9e3779b1u;
  for (unsigned i = hash & flow->region_mask;; i = (i + 1) & flow->region_mask)
    if (flow->region_slots[i] == FLOW_NONE
	|| flow->regions[flow->region_slots[i]] == region)
      return &flow->region_slots[i];
}

unsigned
flow_region_find (const struct ummgr_flow *flow,
		  const struct ummgr_table_region *region)
{
  return region ? *region_slot (flow, region) : FLOW_NONE;
}

/* Every block has a node for each event, or one for none.  */
static unsigned
block_nodes (const struct ummgr_table_block *block)
{
  return block->event_count ? block->event_count : 1;
}

static bool
graph_room (struct ummgr_flow *flow)
{
  size_t nodes = 0, edges = 0;
  for (unsigned i = 0; i < flow->function_count; i++)
    {
      const struct ummgr_table_function *table = flow->functions[i].table;
      for (unsigned b = 0; b < table->block_count; b++)
	{
	  nodes += block_nodes (&table->blocks[b]);
	  edges += block_nodes (&table->blocks[b]) - 1
		   + table->blocks[b].edge_count;
	}
      /* One that was too large returns at once.  */
      if (!table->block_count)
	nodes++, edges++;
    }
  /* The same records may stand in many functions of a corrupt table.  */
  if (nodes > 1u << 24 || edges > 1u << 24)
    return false;
  flow->nodes = calloc (nodes + 1, sizeof *flow->nodes);
  flow->edges = calloc (edges + 1, sizeof *flow->edges);
  flow->values = calloc (nodes + 1, sizeof *flow->values);
  flow->callers = calloc (nodes + 1, sizeof (struct flow_node *));
  return flow->nodes && flow->edges && flow->values && flow->callers;
}

static void
event_enter (struct ummgr_flow *flow, const struct names *names,
	     const struct flow_function *f, struct flow_node *node,
	     const struct ummgr_table_event *event)
{
  node->kind = FLOW_PLAIN;
  node->target = FLOW_NONE;
  if (event->kind == UMMGR_EVENT_LAUNCH)
    {
      node->kind = FLOW_LAUNCH;
      node->target = flow_region_find (flow, event->region);
    }
  else if (event->kind == UMMGR_EVENT_CALL)
    {
      unsigned callee = *name_slot (names, event->function, f->unit);
      if (callee == FLOW_NONE)
	callee = *name_slot (names, event->function, NULL);
      if (callee != FLOW_NONE)
	{
	  node->kind = FLOW_CALL;
	  node->target = callee;
	}
    }
}

static void
edge_add (struct flow_node *node, unsigned to, double p, bool exact)
{
  node->edges[node->edge_count++] = (struct flow_edge) { to, exact, p };
}

/* The nodes of BLOCK, the first of which is NODE; FIRST has that of each
   block.  Returns the free edges.  */
static struct flow_edge *
block_enter (struct ummgr_flow *flow, const struct names *names, unsigned f,
	     const struct ummgr_table_block *block, struct flow_node *node,
	     const unsigned *first, struct flow_edge *edges)
{
  const struct flow_function *function = &flow->functions[f];
  unsigned count = block_nodes (block);
  for (unsigned i = 0; i < count; i++, node++)
    {
      node->function = f;
      node->scale = 1;
      node->target = FLOW_NONE;
      node->edges = edges;
      if (i < block->event_count)
	event_enter (flow, names, function, node, &block->events[i]);
      if (i + 1 < count)
	edge_add (node, (unsigned) (node - function->nodes) + 1, 1, true);
      else
	for (unsigned j = 0; j < block->edge_count; j++)
	  {
	    const struct ummgr_table_edge *edge = &block->edges[j];
	    edge_add (node, edge->to == UMMGR_EDGE_RETURN ? FLOW_RETURN
			    : first[edge->to], edge->probability,
		      edge->flags & UMMGR_EDGE_EXACT);
	  }
      edges += node->edge_count;
    }
  return edges;
}

static bool
graph_enter (struct ummgr_flow *flow, const struct names *names)
{
  struct flow_edge *edges = flow->edges;
  for (unsigned i = 0; i < flow->function_count; i++)
    {
      struct flow_function *f = &flow->functions[i];
      f->nodes = flow->nodes + flow->node_count;
      f->values = flow->values + flow->node_count;
      unsigned *first = malloc ((f->table->block_count + (size_t) 1)
				* sizeof *first);
      if (!first)
	return false;
      for (unsigned b = 0; b < f->table->block_count; b++)
	{
	  first[b] = f->node_count;
	  f->node_count += block_nodes (&f->table->blocks[b]);
	}
      for (unsigned b = 0; b < f->table->block_count; b++)
	edges = block_enter (flow, names, i, &f->table->blocks[b],
			     f->nodes + first[b], first, edges);
      free (first);
      if (!f->node_count)
	{
	  f->node_count = 1;
	  f->nodes[0] = (struct flow_node) { .target = FLOW_NONE,
					     .function = i, .scale = 1,
					     .edges = edges++ };
	  edge_add (&f->nodes[0], FLOW_RETURN, 1, false);
	}
      flow->node_count += f->node_count;
    }
  return true;
}

/* The call nodes, sorted by what they call.  */
static void
callers_enter (struct ummgr_flow *flow)
{
  for (unsigned i = 0; i < flow->node_count; i++)
    if (flow->nodes[i].kind == FLOW_CALL)
      flow->functions[flow->nodes[i].target].caller_count++;
  unsigned at = 0;
  for (unsigned i = 0; i < flow->function_count; i++)
    {
      flow->functions[i].caller_first = at;
      at += flow->functions[i].caller_count;
      flow->functions[i].caller_count = 0;
    }
  for (unsigned i = 0; i < flow->node_count; i++)
    if (flow->nodes[i].kind == FLOW_CALL)
      {
	struct flow_function *callee
	  = &flow->functions[flow->nodes[i].target];
	flow->callers[callee->caller_first + callee->caller_count++]
	  = &flow->nodes[i];
      }
}

/* What may be called without being named, and what calls so.  False without memory.  */
static bool
taken_enter (struct ummgr_flow *flow, const struct names *names,
	     const struct ummgr_table_unit *const *units, size_t count)
{
  size_t taken = 0, calls = 0;
  for (size_t i = 0; i < count; i++)
    {
      taken += units[i]->taken_count;
      calls += units[i]->call_count;
    }
  flow->taken = calloc (taken + 1, sizeof *flow->taken);
  flow->calls = calloc (calls + 1, sizeof *flow->calls);
  if (!flow->taken || !flow->calls)
    return false;
  for (size_t i = 0; i < count; i++)
    {
      for (size_t j = 0; j < units[i]->call_count; j++)
	flow->calls[flow->call_count++] = &units[i]->calls[j];
      for (size_t j = 0; j < units[i]->taken_count; j++)
	{
	  const struct ummgr_table_taken *table = &units[i]->taken[j];
	  unsigned f = *name_slot (names, table->function,
				   table->flags & UMMGR_TAKEN_LOCAL ? units[i] : NULL);
	  if (f == FLOW_NONE)
	    continue;
	  flow->functions[f].taken = true;
	  flow->taken[flow->taken_count++] = (struct flow_taken) { f, table };
	}
    }
  return true;
}

bool
flow_compose (struct ummgr_flow *flow,
	      const struct ummgr_table_unit *const *units, size_t count)
{
  size_t functions = 0, regions = 0;
  for (size_t i = 0; i < count; i++)
    {
      functions += units[i]->function_count;
      regions += units[i]->region_count;
    }
  flow->main = FLOW_NONE;
  flow->functions = calloc (functions + 1, sizeof *flow->functions);
  flow->regions = calloc (regions + 1, sizeof *flow->regions);
  flow->counted = calloc (regions + 1, sizeof *flow->counted);
  flow->region_mask = mask_for (regions);
  flow->region_slots = slots_new (flow->region_mask);
  struct names names = { .flow = flow, .mask = mask_for (functions) };
  names.slots = slots_new (names.mask);
  bool good = flow->functions && flow->regions && flow->counted && flow->region_slots
	      && names.slots;
  for (size_t i = 0; good && i < count; i++)
    {
      for (size_t j = 0; j < units[i]->region_count; j++)
	{
	  flow->regions[flow->region_count] = &units[i]->regions[j];
	  flow->counted[flow->region_count]
	    = units[i]->regions[j].count.source == UMMGR_COUNT_NONE
	      ? -1 : units[i]->regions[j].count.launches;
	  *region_slot (flow, &units[i]->regions[j]) = flow->region_count++;
	}
      functions_enter (flow, &names, units[i]);
    }
  good = good && graph_room (flow) && graph_enter (flow, &names)
	 && taken_enter (flow, &names, units, count);
  if (good)
    callers_enter (flow);
  free (names.slots);
  return good;
}
