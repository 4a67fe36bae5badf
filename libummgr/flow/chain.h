/* What the files of the flow analysis share.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   flow/compose.c builds the graph from the tables, flow/groups.c orders its
   functions; flow/eliminate.c solves the chain of one function, flow/solve.c
   that of the program, which flow/fit.c makes launch as often as was counted;
   flow/exact.c says what rests on no guess; flow/column.c finds what leads to a
   region; flow/likely.c walks from one; flow/uncounted.c says what is left
   out; flow.c answers.

   Numbers are pairs: the probability P of some way through the program, and
   its launches, M = E[launches; this way taken].  That is the generating
   function of the launches cut after its linear term, so pairs in sequence
   multiply as dual numbers do, alternatives add, and a loop is 1 / (1 - x).  */

#pragma once

#include "base/clock.h"
#include "flow/flow.h"

#include <stdatomic.h>
#include <stdbool.h>

#define FLOW_NONE ((unsigned) -1)
/* An edge's destination: the function returns.  */
#define FLOW_RETURN ((unsigned) -1)

struct flow_dual
{
  double p, m;
};

/* From a point of a function on: the target is hit before the function
   returns, or it returns without.  What lacks of 1 never returns.  */
struct flow_value
{
  struct flow_dual hit, ret;
};

enum flow_node_kind
{
  FLOW_PLAIN,
  FLOW_LAUNCH,
  FLOW_CALL
};

struct flow_edge
{
  unsigned to;			/* Node of the function, or FLOW_RETURN.  */
  bool exact;
  double p;
};

/* One event, and what follows it.  */
struct flow_node
{
  enum flow_node_kind kind;
  unsigned target;		/* Region or function.  */
  unsigned function;
  unsigned edge_count;
  struct flow_edge *edges;
  double scale;			/* Of a call: the share that is taken; below 1
				   where a recursion was cut.  */
  double visits;		/* In one call of the function.  */
  bool exact;			/* No guess leads here.  */
};

struct flow_function
{
  const struct ummgr_table_function *table;
  const struct ummgr_table_unit *unit;
  struct flow_node *nodes;	/* The first is the entry.  */
  unsigned node_count;
  unsigned group;		/* Callees have lower ones, but in a recursion
				   all have the same.  */
  bool recursive;
  bool taken;			/* May be called without being named, or by what may.  */
  unsigned flags;		/* enum ummgr_flow_flag.  */
  bool exact;
  double root;			/* Calls from outside: of main 1.  */
  double frequency;		/* Calls in a run.  */
  struct flow_value base;	/* Without any target.  */
  struct flow_value *values;	/* The same for each node.  */
  unsigned caller_first, caller_count;	/* Into CALLERS.  */
};

/* A function that may be called without being named, and as what.  */
struct flow_taken
{
  unsigned function;
  const struct ummgr_table_taken *table;
};

/* Answers for one target: for each region as origin, then for main.  */
struct flow_column
{
  bool finished;
  struct flow_dual hit[];
};

struct ummgr_flow
{
  const struct ummgr_table_region **regions;
  unsigned region_count;
  unsigned *region_slots;	/* A hash of their addresses.  */
  unsigned region_mask;
  struct flow_function *functions;
  unsigned function_count;
  unsigned main;		/* Or FLOW_NONE.  */
  struct flow_node *nodes;	/* Of all functions.  */
  unsigned node_count;
  struct flow_edge *edges;
  struct flow_value *values;	/* Of all nodes, without a target.  */
  struct flow_node **callers;	/* The call nodes, by callee.  */
  struct flow_taken *taken;
  size_t taken_count;
  const struct ummgr_table_call **calls; /* Not all that they reach is known.  */
  size_t call_count;
  unsigned *order;		/* Functions, callees first.  */
  double *counted;		/* Launches of regions; negative: nobody counted.  */
  double *frequency;		/* Of regions, by the chain.  */
  unsigned *region_flags;
  _Atomic (struct flow_column *) *columns;
};

/* flow/compose.c: false without memory.  */
bool flow_compose (struct ummgr_flow *flow,
		   const struct ummgr_table_unit *const *units, size_t count);
unsigned flow_region_find (const struct ummgr_flow *flow,
			   const struct ummgr_table_region *region);

/* flow/eliminate.c: the values of F's nodes for the region TARGET (or
   FLOW_NONE), given those of each function it calls; where VISITS, also how
   often each node is reached.  False where it would take too much memory.  */
bool flow_eliminate (const struct flow_function *f, unsigned target,
		     const struct flow_value *functions,
		     struct flow_value *values, bool visits);

/* flow/groups.c: false without memory.  */
bool flow_groups_find (struct ummgr_flow *flow);

/* flow/solve.c: false without memory.  May be called again after edges have changed.  */
bool flow_solve (struct ummgr_flow *flow);

/* flow/exact.c: which nodes of F no guess leads to, given what the functions that it calls
   do; false without memory.  */
bool flow_exact_find (struct flow_function *f, const struct flow_value *functions);

/* flow/fit.c: likewise.  FLOW was solved, and is again.  */
bool flow_fit (struct ummgr_flow *flow);

/* No iteration goes on for longer than this.  */
#define FLOW_TIME_NS 50000000

static inline bool
flow_is_late (uint64_t start)
{
  return ummgr_nanoseconds (CLOCK_MONOTONIC) - start > FLOW_TIME_NS;
}

/* Are they the same within the tolerance of the iterations?  */
bool flow_is_close (struct flow_dual a, struct flow_dual b);

/* The end of the group that begins at I of the order.  */
unsigned flow_group_end (const struct ummgr_flow *flow, unsigned i);
/* Where the group that ends at END begins.  */
unsigned flow_group_first (const struct ummgr_flow *flow, unsigned end);

/* Values of the group [FIRST, END) of the order for TARGET: FUNCTIONS gets its
   functions', VALUES its nodes'.  False where that was not to be had in time;
   what there is then is too little, but nothing is wrong.  */
bool flow_group_values (struct ummgr_flow *flow, unsigned first, unsigned end,
			unsigned target, struct flow_value *functions,
			struct flow_value *values, bool visits);

/* Does CALL of F count?  Only one that is reached from main, where F is.  */
bool flow_caller_counts (const struct ummgr_flow *flow,
			 const struct flow_function *f,
			 const struct flow_node *call);

/* Is NODE a launch of a region, and does it count?  As calls do.  */
bool flow_launch_counts (const struct ummgr_flow *flow,
			 const struct flow_node *node);

/* flow/column.c: NULL without memory.  */
struct flow_column *flow_column_new (struct ummgr_flow *flow, unsigned target);

static inline struct flow_dual
flow_times (struct flow_dual a, struct flow_dual b)
{
  return (struct flow_dual) { a.p * b.p, a.p * b.m + a.m * b.p };
}

static inline void
flow_add (struct flow_dual *to, double factor, struct flow_dual x)
{
  to->p += factor * x.p;
  to->m += factor * x.m;
}

static inline double
flow_max (double a, double b)
{
  return a > b ? a : b;
}

/* What follows NODE's event.  */
static inline struct flow_value
flow_after (const struct flow_node *node, const struct flow_value *values)
{
  struct flow_value v = { { 0, 0 }, { 0, 0 } };
  for (unsigned i = 0; i < node->edge_count; i++)
    {
      const struct flow_edge *e = &node->edges[i];
      if (e->to == FLOW_RETURN)
	v.ret.p += e->p;
      else
	{
	  flow_add (&v.hit, e->p, values[e->to].hit);
	  flow_add (&v.ret, e->p, values[e->to].ret);
	}
    }
  return v;
}
