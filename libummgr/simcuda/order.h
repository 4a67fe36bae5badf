/* Launches with as many threads as a GPU's, run for an order of their accesses
   (set_order in sim-api.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All threads of such a launch are the launch thread, one after another, team by
   team.  What a region asks of libgomp about them order-calls.c answers; order.c
   runs them.  A region is run so only if every call of libgomp in it is known to
   do what it should that way; which those are its PTX says.

   Not done: threads that wait for another's write, in a loop, wait for ever, as
   nobody else runs meanwhile (OpenMP promises such a program no more).  */

#ifndef UMMGR_SIM_ORDER_H
#define UMMGR_SIM_ORDER_H

#include "driver.h"
#include "teams.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* As in sim-api.h.  */
bool sim_order_set (void (*ended) (void));
void sim_order_expect (const void *function, uint64_t iterations);

/* The launch thread is about to run FUNCTION, or has; PLACE is its place.  LIMIT:
   threads of a team at most.  Under the lock of launches.  */
void sim_order_begin (struct sim_function *function, unsigned limit,
		      struct ummgr_sim_place *place);
void sim_order_end (void);

/* Is the calling thread running a launch in this way?  */
extern __thread bool sim_order_here;

/* Then: a team begins.  */
void sim_order_team_begin (void);

/* How many teams a construct without num_teams has, with at least LOWER, and at
   most LIMIT threads each (0: any number).  */
unsigned sim_order_teams (unsigned lower, unsigned limit);

/* Iterations or sections that the threads of a team share.  */
struct sim_order_share
{
  unsigned long count;		/* Of them.  */
  unsigned long chunk;		/* Iterations in a row; 0: a thread's all.  */
  long start, step;		/* The first; between two.  */
};

/* The loop from START to before END by STEP.  CHUNK: 0 or less for none.  */
struct sim_order_share sim_order_loop (long start, long end, long step,
				       long chunk);

/* A parallel region.  THREADS: how many, 0: not said.  SHARE: the construct that
   it begins with, or NULL.  */
void sim_order_parallel (void (*function) (void *), void *data,
			 unsigned threads, const struct sim_order_share *share);

/* The innermost parallel region, and the calling thread of it.  */
struct sim_order_member
{
  unsigned number, threads;	/* 0 and 1 outside.  */
  unsigned level;		/* 0 outside.  */
  struct sim_order_share share;
  unsigned long next;		/* Chunk of it.  */
};
struct sim_order_member *sim_order_member (void);
unsigned sim_order_default_threads (void);

/* Wait for the rest of the team.  */
void sim_order_barrier (void);

/* copyprivate: a thread's word to the others.  */
extern void *sim_order_word;

/* order-calls.c: the calls of libgomp inside, as bind.c redirects them.  */
extern struct sim_wrapper sim_order_wrappers[];	/* Ends with a NULL name.  */
/* Is NAME, LENGTH characters, a call that may occur in a region?  */
bool sim_order_knows (const char *name, size_t length);

#endif
