/* Random programs against a slow reference that has a copy of each function for
   every way to call it, and iterates: would break if elimination or the
   summaries of calls lost or invented probability.  SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include <stdbool.h>
#include "flow-build.h"

#include "check.h"

#define FUNCTIONS 4
#define REGIONS 3
#define CONTEXTS 300
#define BLOCKS 4

static unsigned long long seed = 4;

static unsigned
random_below (unsigned n)
{
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned) (seed >> 33) % n;
}

static const char *const names[FUNCTIONS] = { "main", "f", "g", "h" };

/* A block that goes on to up to three others, perhaps with a rest that never
   returns.  One edge leaves the function, so that the reference converges.  */
static void
random_edges (struct build *b, unsigned blocks)
{
  unsigned count = 1 + random_below (3);
  double left = random_below (8) ? 1 : 0.875;
  for (unsigned i = 0; i < count; i++)
    {
      double p = i + 1 == count ? left : left * (1 + random_below (7)) / 8;
      unsigned to = random_below (blocks + 1);
      build_edge (b, to == blocks || i == 0 ? OUT : to, p, false);
      left -= p;
    }
}

/* A function calls later ones only.  */
static void
random_program (struct build *b)
{
  build_begin (b, REGIONS);
  for (unsigned f = 0; f < FUNCTIONS; f++)
    {
      unsigned blocks = 1 + random_below (BLOCKS);
      build_function (b, names[f], f && random_below (2)
				     ? UMMGR_FUNCTION_LOCAL : 0);
      for (unsigned i = 0; i < blocks; i++)
	{
	  build_block (b);
	  for (unsigned e = random_below (4); e > 0; e--)
	    if (f + 1 < FUNCTIONS && random_below (2))
	      build_call (b, names[f + 1 + random_below (FUNCTIONS - f - 1)]);
	    else
	      build_launch (b, random_below (REGIONS));
	  random_edges (b, blocks);
	}
    }
}

/* A function as called from one place in another context.  */
struct context
{
  const struct ummgr_table_function *function;
  int parent;
  unsigned block, event;	/* Where it returns to.  */
  int child[BLOCKS][4];
  double visits[BLOCKS], next[BLOCKS];
  double p[BLOCKS], m[BLOCKS];	/* Of the target, from each block on.  */
};

static struct context contexts[CONTEXTS];
static int context_count;

static bool
contexts_make (const struct build *b)
{
  context_count = 1;
  contexts[0] = (struct context) { .function = &b->functions[0],
				   .parent = -1 };
  for (int c = 0; c < context_count; c++)
    for (unsigned i = 0; i < contexts[c].function->block_count; i++)
      for (unsigned e = 0; e < contexts[c].function->blocks[i].event_count;
	   e++)
	{
	  const struct ummgr_table_event *event
	    = &contexts[c].function->blocks[i].events[e];
	  if (event->kind != UMMGR_EVENT_CALL)
	    continue;
	  if (context_count == CONTEXTS)
	    return false;
	  unsigned f = 0;
	  while (strcmp (names[f], event->function))
	    f++;
	  contexts[c].child[i][e] = context_count;
	  contexts[context_count++] = (struct context) {
	    .function = &b->functions[f], .parent = c, .block = i,
	    .event = e + 1
	  };
	}
  return true;
}

/* From event E of block I in context C on: the next launch of TARGET.  */
static void
look (int c, unsigned i, unsigned e, const struct ummgr_table_region *target,
      double *p, double *m)
{
  const struct context *x = &contexts[c];
  const struct ummgr_table_block *block = &x->function->blocks[i];
  double launches = 0;
  *p = *m = 0;
  for (; e < block->event_count; e++)
    {
      const struct ummgr_table_event *event = &block->events[e];
      if (event->kind == UMMGR_EVENT_CALL)
	{
	  const struct context *callee = &contexts[x->child[i][e]];
	  *p = callee->p[0];
	  *m = callee->m[0] + launches * callee->p[0];
	  return;
	}
      launches++;
      if (event->region == target)
	{
	  *p = 1;
	  *m = launches;
	  return;
	}
    }
  for (unsigned j = 0; j < block->edge_count; j++)
    {
      const struct ummgr_table_edge *edge = &block->edges[j];
      double q = 0, n = 0;
      if (edge->to != OUT)
	{
	  q = x->p[edge->to];
	  n = x->m[edge->to];
	}
      else if (x->parent >= 0)
	look (x->parent, x->block, x->event, target, &q, &n);
      *p += edge->probability * q;
      *m += edge->probability * (n + launches * q);
    }
}

static void
targets_iterate (const struct ummgr_table_region *target)
{
  for (int c = 0; c < context_count; c++)
    for (unsigned i = 0; i < BLOCKS; i++)
      contexts[c].p[i] = contexts[c].m[i] = 0;
  double change = 1;
  while (change > 1e-12)
    {
      change = 0;
      for (int c = context_count; c-- > 0;)
	for (unsigned i = contexts[c].function->block_count; i-- > 0;)
	  {
	    double p, m;
	    look (c, i, 0, target, &p, &m);
	    change += fabs (m - contexts[c].m[i]);
	    contexts[c].p[i] = p;
	    contexts[c].m[i] = m;
	  }
    }
}

/* Push MASS from event E of block I in context C on.  */
static void
push (int c, unsigned i, unsigned e, double mass)
{
  struct context *x = &contexts[c];
  const struct ummgr_table_block *block = &x->function->blocks[i];
  for (; e < block->event_count; e++)
    if (block->events[e].kind == UMMGR_EVENT_CALL)
      {
	contexts[x->child[i][e]].next[0] += mass;
	return;
      }
  for (unsigned j = 0; j < block->edge_count; j++)
    {
      const struct ummgr_table_edge *edge = &block->edges[j];
      if (edge->to != OUT)
	x->next[edge->to] += mass * edge->probability;
      else if (x->parent >= 0)
	push (x->parent, x->block, x->event, mass * edge->probability);
    }
}

static void
visits_iterate (void)
{
  double change = 1;
  while (change > 1e-12)
    {
      change = 0;
      contexts[0].next[0] = 1;
      for (int c = 0; c < context_count; c++)
	for (unsigned i = 0; i < contexts[c].function->block_count; i++)
	  if (contexts[c].visits[i] > 0)
	    push (c, i, 0, contexts[c].visits[i]);
      for (int c = 0; c < context_count; c++)
	for (unsigned i = 0; i < BLOCKS; i++)
	  {
	    change += fabs (contexts[c].next[i] - contexts[c].visits[i]);
	    contexts[c].visits[i] = contexts[c].next[i];
	    contexts[c].next[i] = 0;
	  }
    }
}

/* How often block I of C comes to its event E, after calls that may not
   return.  */
static double
reached (int c, unsigned i, unsigned e)
{
  /* VISITS has the block's beginning; a call's return is pushed on without
     being counted, so count what the callee gives back.  */
  double mass = contexts[c].visits[i];
  for (unsigned k = e; k-- > 0;)
    if (contexts[c].function->blocks[i].events[k].kind == UMMGR_EVENT_CALL)
      {
	const struct context *x = &contexts[contexts[c].child[i][k]];
	mass = 0;
	for (unsigned b = 0; b < x->function->block_count; b++)
	  for (unsigned j = 0; j < x->function->blocks[b].edge_count; j++)
	    if (x->function->blocks[b].edges[j].to == OUT)
	      mass += x->function->blocks[b].edges[j].probability
		      * reached (contexts[c].child[i][k], b,
				 x->function->blocks[b].event_count);
	break;
      }
  return mass;
}

static void
compare (struct ummgr_flow *flow, const struct build *b, unsigned to)
{
  double frequency[REGIONS] = { 0 }, p[REGIONS] = { 0 }, m[REGIONS] = { 0 };
  targets_iterate (&b->regions[to]);
  for (int c = 0; c < context_count; c++)
    for (unsigned i = 0; i < contexts[c].function->block_count; i++)
      for (unsigned e = 0; e < contexts[c].function->blocks[i].event_count;
	   e++)
	{
	  const struct ummgr_table_event *event
	    = &contexts[c].function->blocks[i].events[e];
	  if (event->kind != UMMGR_EVENT_LAUNCH)
	    continue;
	  double q, n, mass = reached (c, i, e);
	  long r = event->region - b->regions;
	  look (c, i, e + 1, &b->regions[to], &q, &n);
	  frequency[r] += mass;
	  p[r] += mass * q;
	  m[r] += mass * n;
	}
  for (unsigned r = 0; r < REGIONS; r++)
    {
      if (frequency[r] <= 0)
	continue;
      CHECK (fabs (ummgr_flow_frequency_in (flow, &b->regions[r])
		   - frequency[r]) < 1e-7 * (1 + frequency[r]));
      if (frequency[to] <= 0)
	continue;
      double probability, distance
	= ummgr_flow_distance_in (flow, &b->regions[r], &b->regions[to],
				  &probability);
      CHECK (fabs (probability - p[r] / frequency[r]) < 1e-7);
      if (p[r] / frequency[r] > 1e-5)
	CHECK (fabs (distance - m[r] / p[r]) < 1e-6 * (1 + distance));
    }
}

int
main (void)
{
  static struct build b;
  unsigned compared = 0;
  for (unsigned n = 0; n < 300; n++)
    {
      random_program (&b);
      if (!contexts_make (&b))
	continue;
      struct ummgr_flow *flow = build_flow (&b, NULL);
      CHECK (flow);
      visits_iterate ();
      for (unsigned to = 0; to < REGIONS; to++)
	compare (flow, &b, to);
      ummgr_flow_free (flow);
      compared++;
    }
  printf ("%u programs compared\n", compared);
  CHECK (compared > 200);
  return 0;
}
