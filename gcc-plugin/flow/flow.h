/* The flow of control between target regions, as the table has it.
   SPDX-License-Identifier: GPL-3.0-or-later

   flow.cc finds the events of functions (launches, calls) and which functions
   matter; flow/chain.cc makes a Markov chain of a function's blocks and takes
   those without events out of it.  */

#pragma once

#include "ummgr-plugin.h"

struct flow_event
{
  gcall *call;
  int block;			/* Index of its basic block, once the chain is
				   made.  */
  enum ummgr_event_kind kind;
  unsigned region;		/* Launched, or UMMGR_EVENT_NO_REGION.  */
  tree callee;			/* Called.  */
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

/* The chain of FUN's blocks without those that have no event, but with its
   entry block.  False where it is too large.  Free it in either case.  */
bool flow_chain_make (function *fun, vec<flow_event> *events,
		      flow_chain *chain);
void flow_chain_free (flow_chain *chain);

/* The chain of all of FUN's blocks, none taken out; a loop's test before its
   first turn is left out (flow/chain.cc).  May add empty blocks to FUN.  */
void flow_chain_edges (function *fun, flow_chain *chain);

/* Records of the table's sections.  */
struct flow_tables
{
  auto_vec<double> counted;	/* By region: launches in a run by GCC's profile;
				   negative: not known.  */
  auto_vec<char> functions, blocks, edges, events;
};

typedef hash_map<int_hash<unsigned, 0, UINT_MAX>, unsigned> flow_region_map;

/* Fill OUT for the unit's functions that may reach a region; REGIONS has the
   number of each region by its function's DECL_UID.  */
void flow_analyse (flow_region_map *regions, ummgr_strings *strings,
		   flow_tables *out);
