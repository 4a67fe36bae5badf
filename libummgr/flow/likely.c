/* When an object is most likely used next.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Walks all ways through the program from a launch on, one launch at a time,
   and adds up with which probability a user comes after 1, 2, 3 ... launches, or
   none.  It ends as soon as one of these has more than half of it, or none can
   have any more; so it mostly ends after a few launches.

   A place is a node and the calls that led there from where the walk began.
   Who called the function that it began in is not known: on its return the walk
   goes on after each of its calls, weighted by how often each is made, as in
   flow/column.c.

   Reads what flow/solve.c made, which nobody changes any more; no state.  */

#include "config.h"
#include "flow/chain.h"

#include "ummgr-table.h"

#include <math.h>
#include <stdlib.h>

enum
{
  /* Beyond these nothing is said.  */
  LAUNCHES_MAX = 128, PLACES_MAX = 512, CALLS_MAX = 1024, STEPS_MAX = 1 << 16
};

/* A way that is less likely is not walked.  */
static const double least = 1e-5;

struct call
{
  unsigned outer;		/* Into CALLS, or FLOW_NONE: not known.  */
  const struct flow_node *node;
};

struct place
{
  const struct flow_node *node;
  unsigned call;		/* As OUTER.  */
  bool after;			/* NODE's event has happened.  */
  double p;
};

/* Places of which none is twice, in no order.  */
struct places
{
  struct place list[PLACES_MAX];
  unsigned count;
};

struct walk
{
  const struct ummgr_flow *flow;
  const bool *users;		/* By region.  */
  struct places now, next;	/* Before this launch, after it.  */
  struct call calls[CALLS_MAX];
  unsigned call_count;
  double used;			/* A user is this launch.  */
  double ended;			/* None is launched any more.  */
  bool overflow;
};

static void
place_add (struct walk *w, struct places *to, const struct flow_node *node,
	   unsigned call, bool after, double p)
{
  if (p < least)
    return;
  for (unsigned i = 0; i < to->count; i++)
    {
      struct place *old = &to->list[i];
      if (old->node == node && old->call == call && old->after == after)
	{
	  old->p += p;
	  return;
	}
    }
  if (to->count == PLACES_MAX)
    w->overflow = true;
  else
    to->list[to->count++] = (struct place) { node, call, after, p };
}

/* The call of NODE from within OUTER.  */
static unsigned
call_get (struct walk *w, unsigned outer, const struct flow_node *node)
{
  for (unsigned i = 0; i < w->call_count; i++)
    if (w->calls[i].outer == outer && w->calls[i].node == node)
      return i;
  if (w->call_count == CALLS_MAX)
    {
      w->overflow = true;
      return FLOW_NONE;
    }
  w->calls[w->call_count] = (struct call) { outer, node };
  return w->call_count++;
}

/* The function of PLACE returns with probability P.  */
static void
return_from (struct walk *w, const struct place *place, double p)
{
  const struct ummgr_flow *flow = w->flow;
  const struct flow_function *f = &flow->functions[place->node->function];
  if (place->call != FLOW_NONE)
    {
      const struct call call = w->calls[place->call];
      place_add (w, &w->now, call.node, call.outer, true, p);
      return;
    }
  double left = 1;
  for (unsigned i = 0; i < f->caller_count && f->frequency > 0; i++)
    {
      const struct flow_node *call = flow->callers[f->caller_first + i];
      if (!flow_caller_counts (flow, f, call))
	continue;
      double share = flow->functions[call->function].frequency * call->visits
		     * call->scale / f->frequency;
      place_add (w, &w->now, call, FLOW_NONE, true, p * share);
      left -= share;
    }
  /* From outside: after a constructor comes main, after main nothing.  */
  if (left < least)
    return;
  if (f->table->flags & UMMGR_FUNCTION_CONSTRUCTOR && flow->main != FLOW_NONE)
    place_add (w, &w->now, flow->functions[flow->main].nodes, FLOW_NONE,
	       false, p * left);
  else
    w->ended += p * left;
}

/* NODE's event is over.  */
static void
leave (struct walk *w, const struct place *place)
{
  double left = 1;
  for (unsigned i = 0; i < place->node->edge_count; i++)
    {
      const struct flow_edge *e = &place->node->edges[i];
      left -= e->p;
      if (e->to == FLOW_RETURN)
	return_from (w, place, place->p * e->p);
      else
	place_add (w, &w->now,
		   w->flow->functions[place->node->function].nodes + e->to,
		   place->call, false, place->p * e->p);
    }
  /* The rest is exit or abort.  */
  if (left > 0)
    w->ended += place->p * left;
}

static void
enter (struct walk *w, const struct place *place)
{
  const struct flow_node *node = place->node;
  struct place after = *place;
  after.after = true;
  if (node->kind == FLOW_LAUNCH)
    {
      if (node->target != FLOW_NONE && w->users[node->target])
	w->used += place->p;
      else
	place_add (w, &w->next, node, place->call, true, place->p);
      return;
    }
  if (node->kind == FLOW_CALL)
    {
      const struct flow_function *f = &w->flow->functions[node->target];
      place_add (w, &w->now, f->nodes, call_get (w, place->call, node), false,
		 place->p * node->scale);
      after.p *= 1 - node->scale;
      if (after.p <= 0)
	return;
    }
  leave (w, &after);
}

/* Up to the next launch.  False where that takes too long.  */
static bool
walk_launch (struct walk *w, unsigned *steps)
{
  w->next.count = 0;
  w->used = 0;
  while (w->now.count && !w->overflow)
    {
      struct place place = w->now.list[--w->now.count];
      if (++*steps > STEPS_MAX)
	return false;
      if (place.after)
	leave (w, &place);
      else
	enter (w, &place);
    }
  w->now = w->next;
  return !w->overflow;
}

/* After each launch of REGION.  */
static void
walk_begin (struct walk *w, unsigned region)
{
  const struct ummgr_flow *flow = w->flow;
  for (unsigned i = 0; i < flow->node_count; i++)
    {
      const struct flow_node *node = &flow->nodes[i];
      if (node->target == region && flow_launch_counts (flow, node)
	  && flow->frequency[region] > 0)
	place_add (w, &w->now, node, FLOW_NONE, true,
		   flow->functions[node->function].frequency * node->visits
		   / flow->frequency[region]);
    }
}

/* What is left to be walked.  */
static double
places_sum (const struct places *places)
{
  double sum = 0;
  for (unsigned i = 0; i < places->count; i++)
    sum += places->list[i].p;
  return sum;
}

static double
walk (struct walk *w, unsigned region)
{
  unsigned steps = 0;
  walk_begin (w, region);
  for (unsigned n = 1; n <= LAUNCHES_MAX; n++)
    {
      if (!walk_launch (w, &steps))
	return NAN;
      if (w->used > 0.5)
	return n;
      if (w->ended > 0.5)
	return INFINITY;
      double left = places_sum (&w->now);
      if (left <= 0.5 && left + w->ended <= 0.5)
	return NAN;
    }
  return NAN;
}

double
ummgr_flow_likely_in (const struct ummgr_flow *flow,
		      const struct ummgr_table_region *from,
		      const struct ummgr_table_region *const *users, size_t n)
{
  double likely = NAN;
  unsigned region = flow_region_find (flow, from);
  struct walk *w = malloc (sizeof *w);
  bool *is_user = calloc (flow->region_count + (size_t) 1, sizeof *is_user);
  if (w && is_user && region != FLOW_NONE)
    {
      for (size_t i = 0; i < n; i++)
	{
	  unsigned user = flow_region_find (flow, users[i]);
	  if (user != FLOW_NONE)
	    is_user[user] = true;
	}
      w->flow = flow;
      w->users = is_user;
      w->now.count = w->call_count = 0;
      w->ended = 0;
      w->overflow = false;
      likely = walk (w, region);
    }
  free (w);
  free (is_user);
  return likely;
}
