/* The flow of control between target regions, as the table has it.
   SPDX-License-Identifier: GPL-3.0-or-later

   flow/event.cc finds the events of functions (launches, calls), flow.cc which functions
   matter; flow/chain.cc makes a Markov chain of a function's blocks and takes
   those without events out of it, flow/choice.cc gives launches on a condition and
   calls of one of several functions blocks of their own; flow/calls.cc says which
   calls may reach more than is known.  */

#pragma once

#include "callee/callee.h"

struct flow_event
{
  gcall *call;
  int block;			/* Index of its basic block, or one behind those,
				   once the chain is made; -1: it has become
				   others.  */
  enum ummgr_event_kind kind;
  unsigned region;		/* Launched, or UMMGR_EVENT_NO_REGION.  */
  tree callee;			/* Called; NULL_TREE: one of TARGETS.  */
  edge via;			/* A launch, if control came by this edge; or NULL.  */
  unsigned target_first, target_count; /* Of its function's targets.  */
  unsigned idle;		/* So many more that launch nothing.  */
  bool anywhere;		/* A launch of REGION that may go to the host.  */
  location_t around;		/* The outermost loop around it, once the chain is made;
				   UNKNOWN_LOCATION: none.  */
  char *names;			/* malloc'ed: the function's variables that can be named
				   where that loop is; or NULL.  */
};

/* Where an edge of a chain may lead besides to a block.  */
#define FLOW_RETURN (-1)
#define FLOW_LOST (-2)

struct flow_edge
{
  int to;
  double p;
  bool exact;
};

struct flow_chain
{
  vec<vec<flow_edge> > out;	/* By index of the basic block.  */
  vec<bool> kept;		/* Blocks with events, and the entry.  */
};

/* What a function does that matters.  */
struct flow_events
{
  auto_vec<flow_event> events;
  auto_vec<tree> targets;	/* Of calls.  */
};

/* flow/scope.cc: the variables of BLOCK, of those around it in its function, and of FUNCTION's
   parameters if that is it, "a b n": malloc'ed.  */
char *ummgr_flow_names (tree block, tree function);

/* The chain of FUN's blocks without those that have no event, but with its
   entry block.  False where it is too large.  Free it in either case.  */
bool flow_chain_make (function *fun, flow_events *f, flow_chain *chain);
void flow_chain_free (flow_chain *chain);

/* The chain of all of FUN's blocks, none taken out; a loop's test before its
   first turn is left out (flow/chain.cc).  May add empty blocks to FUN.  */
void flow_chain_edges (function *fun, flow_chain *chain);

/* Records of the table's sections.  */
struct flow_tables
{
  auto_vec<double> counted;	/* By region: launches in a run by GCC's profile;
				   negative: not known.  */
  auto_vec<bool> elsewhere;	/* By region: launches may be none.  */
  auto_vec<char> functions, blocks, edges, events, around, calls, taken;
};

typedef hash_map<int_hash<unsigned, 0, UINT_MAX>, unsigned> flow_region_map;

/* flow/event.cc: add to F the events of CALL in FUN, that may matter.  */
void flow_events_add (flow_region_map *regions, function *fun, gcall *call, flow_events *f,
		      ummgr_strings *strings, flow_tables *out);
/* The definition in this unit that a call of DECL reaches, or NULL.  */
cgraph_node *flow_definition_get (tree decl);
/* Is DECL GCC's own, or a system header's?  */
bool flow_is_foreign (tree decl);

/* flow/choice.cc: give each event of F that needs it blocks of its own in CHAIN, of which
   all blocks are there.  */
void flow_choices_make (flow_events *f, flow_chain *chain);

/* flow/calls.cc: a record of CALL in FUN, that may reach more than TARGETS.  */
void flow_call_write (gcall *call, function *fun, const vec<tree> &targets,
		      ummgr_strings *strings, flow_tables *out);
/* Records of the unit's functions that may be called without being named.  */
void flow_taken_write (ummgr_strings *strings, flow_tables *out);
/* May NODE be called without being named?  */
bool flow_is_taken (cgraph_node *node);

/* Fill OUT for the unit's functions that may reach a region; REGIONS has the
   number of each region by its function's DECL_UID.  */
void flow_analyse (flow_region_map *regions, ummgr_strings *strings,
		   flow_tables *out);
