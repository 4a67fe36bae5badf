/* Teams of more threads than the host has processors, run by fibers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Each of a few host threads (libgomp's, or the launch thread alone) carries a
   part of a team's threads: one after another, each as far as the next barrier.
   What a region asks of libgomp about its threads crew-calls.c answers.  Only a
   region of whose calls of libgomp all are known to do what they should that way
   is run so; which calls it has its PTX says.  Others have threads of libgomp's.

   A launch for an order of accesses (wide.h) has all its threads in the launch
   thread, and one that does not come to its end keeps the others waiting: they
   wait for ever if it waits, in a loop, for what another would write.  In all
   other launches preempt.c has the others go on.  */

#pragma once

#include "simcuda/driver/driver.h"
#include "simcuda/run/teams.h"

#include <stdbool.h>
#include <stddef.h>

/* Threads of a block on any GPU yet.  */
#define SIM_CREW_MOST 1024

/* The launch thread is about to run FUNCTION.  Under the lock of launches.  */
void sim_crew_launch (struct sim_function *function);

/* How many processors the launch's threads have, as libgomp says.  In the launch
   thread.  */
unsigned sim_crew_processors (void);

/* Are all of libgomp that FUNCTION calls KNOWN?  If not, NAME says which is not,
   and is empty if FUNCTION's code was not found.  */
bool sim_crew_can (struct sim_function *function,
		   bool (*known) (const char *name, size_t length), char *name,
		   size_t size);

/* Is the calling thread's code one of a crew's threads, or in a launch for an
   order of accesses?  */
extern __thread bool sim_crew_here;

/* Iterations or sections that the threads of a team share.  */
struct sim_crew_share
{
  unsigned long count;		/* Of them.  */
  unsigned long chunk;		/* Iterations in a row; 0: a thread's all.  */
  long start, step;		/* The first; between two.  */
};

/* The loop from START to before END by STEP.  CHUNK: 0 or less for none.  */
struct sim_crew_share sim_crew_loop (long start, long end, long step,
				     long chunk);

/* A parallel region of the launch.  THREADS: how many, 0: not said.  SHARE: the
   construct that it begins with, or NULL.  False: not for a crew, and not
   run.  */
bool sim_crew_parallel (void (*function) (void *), void *data,
			unsigned threads, const struct sim_crew_share *share);

/* The innermost parallel region, and the calling thread of it.  */
struct sim_crew_member
{
  unsigned number, threads;	/* 0 and 1 outside.  */
  unsigned level;		/* 0 outside.  */
  struct sim_crew_share share;
  unsigned long next;		/* Chunk of it.  */
};
struct sim_crew_member *sim_crew_member (void);

/* Wait for the rest of the team.  */
void sim_crew_barrier (void);

/* Let others of the team go on, those that this host thread carries.  */
void sim_crew_yield (void);

/* The calling thread of the crew: the same in regions within its own.  */
const void *sim_crew_self (void);

/* How often another of the crew's threads took over the calling host thread; 0
   where none is under way.  From a signal handler, too.  */
unsigned long sim_crew_turn (void);

/* crew-calls.c: the calls of libgomp inside, as bind.c redirects them.  */
extern struct sim_wrapper sim_crew_wrappers[];	/* Ends with a NULL name.  */
/* Is NAME, LENGTH characters, a call that may occur in a region?  */
bool sim_crew_knows (const char *name, size_t length);

/* preempt.c: the calling host thread carries a crew's part, until end.  CODE is
   in the program's object: only where the thread runs code of that object does
   it go on with another of its part, if one goes on for long.  */
void sim_preempt_begin (void (*code) (void *));
void sim_preempt_end (void);
