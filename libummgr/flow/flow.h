/* How often each region is launched, and how soon another follows.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The tables of all units are composed into one Markov chain of the program:
   functions by name, a call enters its callee and comes back to where it was.
   Of that chain the answers are exact, but the chain itself is an estimate
   wherever the compiler had to guess a branch; ummgr_flow_flags tells.

   Two numbers follow SC'19: the invocation frequency RF (launches in one run of
   main) and the target reuse distance.  Distances count the launch that they
   lead to: two regions in sequence are at distance 1, as in the text of the
   paper (section 4.3 and Fig. 3), although its Listing 2 begins with 0.

   The listing adds probability times distance over all successors, with INF
   where a region can't be reached.  As printed that can't be right: one way
   out of the program, be its probability ever so small, makes the sum
   infinite, for every pair.  So distance is two numbers here: the probability
   that the region is launched again at all, and the expected number of
   launches up to it in the runs where it is.  It is infinite where the
   probability is below UMMGR_FLOW_NEVER.

   NaN stands for not known: a region without a table, or one whose launches
   were not seen.  Any thread, with no lock of libummgr's held but those that
   ummgr_tables_scan's callers hold; the first question about a region computes,
   under a lock, later ones take none.  */

#pragma once

#include "tables/decode.h"

#include <stddef.h>

#define UMMGR_FLOW_NEVER 1e-6

enum ummgr_flow_flag
{
  UMMGR_FLOW_KNOWN = 1 << 0,	/* Launches of it were seen.  */
  UMMGR_FLOW_EXACT = 1 << 1,	/* The frequency depends on no guess.  */
  UMMGR_FLOW_RECURSIVE = 1 << 2,	/* In a recursion, or called from one. */
  UMMGR_FLOW_CLAMPED = 1 << 3,	/* That would not end by the guesses, and was
				   cut to ten activations.  */
  UMMGR_FLOW_ASSUMED = 1 << 4,	/* Not reached from main: counted for one call
				   of the outermost function known.  */
  UMMGR_FLOW_UNFINISHED = 1 << 5,	/* Time ran out before the answer had
					   converged.  */
  UMMGR_FLOW_COUNTED = 1 << 6	/* The frequency was counted, in a run.  */
};

/* The program that consists of the COUNT units, which must outlive it, in the
   order of linking: of several copies of an inline function the first counts.
   NULL without memory.  */
struct ummgr_flow;
struct ummgr_flow *
ummgr_flow_new (const struct ummgr_table_unit *const *units, size_t count);
void ummgr_flow_free (struct ummgr_flow *flow);

/* Launches of REGION in a run of main: what was counted, unless it is exact.  The chain
   is then made to agree (flow/fit.c).  */
double ummgr_flow_frequency_in (struct ummgr_flow *flow,
				const struct ummgr_table_region *region);

/* enum ummgr_flow_flag, ored.  */
unsigned ummgr_flow_flags_in (struct ummgr_flow *flow,
			      const struct ummgr_table_region *region);

/* Expected launches from a launch of FROM (NULL: from the start of main) until
   the next of TO, that one included, if there is one; the probability of that
   in *PROBABILITY unless it is NULL.  */
double ummgr_flow_distance_in (struct ummgr_flow *flow,
			       const struct ummgr_table_region *from,
			       const struct ummgr_table_region *to,
			       double *probability);

/* The number of launches, from a launch of FROM on, after which one of the N
   regions USERS is launched next, where that is so in more than half of the
   ways through the program; INFINITY where none follows in more than half of
   them.  NaN: neither, or not known.  */
double
ummgr_flow_likely_in (const struct ummgr_flow *flow,
		      const struct ummgr_table_region *from,
		      const struct ummgr_table_region *const *users, size_t n);

/* Call FUNCTION for each call that may launch REGION by way of a function, which BY names,
   and is not counted: it is not known what it reaches.  False without memory.  */
typedef void (*ummgr_flow_uncounted_function) (const struct ummgr_table_taken *by,
					       const struct ummgr_table_call *call,
					       void *data);
bool ummgr_flow_uncounted (const struct ummgr_flow *flow,
			   const struct ummgr_table_region *region,
			   ummgr_flow_uncounted_function function, void *data);

/* The same for the loaded program.  */
double ummgr_flow_frequency (const struct ummgr_table_region *region);
unsigned ummgr_flow_flags (const struct ummgr_table_region *region);
double ummgr_flow_distance (const struct ummgr_table_region *from,
			    const struct ummgr_table_region *to,
			    double *probability);

/* The target reuse distance of an object at FROM: the least distance to one of
   the N regions that use it (FROM may be among them).  Infinite where none
   follows, NaN where none of the distances is known.  */
double ummgr_flow_reuse (const struct ummgr_table_region *from,
			 const struct ummgr_table_region *const *users,
			 size_t n);

/* When it is used next, as one number of launches: a prediction to be right as
   often as possible, not on average.  The distance that more than half of all
   ways through the program have (ummgr_flow_likely_in); where there is none,
   REUSE, which is what ummgr_flow_reuse says, rounded.

   SC'19 has both.  Listing 2 computes the expectation; of Fig. 3 the text says
   (section 3.4) that the reuse distance of F in TR2 is 1, "because in most cases,
   it is reused by TR1 in the next iteration".  The expectation there is 1.31,
   which no launch ever has: an estimate of loops' ends goes into it, of which
   most iterations know nothing.  But when an inner loop lies between two uses,
   many distances are about equally likely, and the most likely one is that of a
   loop that ends at once: then the expectation is better, and it is exact where
   the number of iterations is a constant.  NaN where REUSE is not known and
   neither is the other.  */
double ummgr_flow_next_use (const struct ummgr_table_region *from,
			    const struct ummgr_table_region *const *users,
			    size_t n, double reuse);
