/* Launches with as many threads as a GPU's, run for an order of their accesses
   (set_order in device/device.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All threads of such a launch are the launch thread, one after another, team by
   team: a crew (crew.h) that one host thread carries.  */

#pragma once

#include "simcuda/driver/driver.h"

#include <stdbool.h>
#include <stdint.h>

/* As in device/device.h.  */
bool sim_wide_set (void (*ended) (void), unsigned threads);
void sim_wide_expect (const void *function, uint64_t iterations);

/* The launch thread is about to run FUNCTION, or has.  LIMIT: threads of a team at
   most.  Under the lock of launches.  */
void sim_wide_begin (struct sim_function *function, unsigned limit);
void sim_wide_end (void);

/* Has anybody asked for an order?  And: a launch has ended that needs no more threads
   than it has, as the GPU's own code runs.  */
bool sim_wide_asked (void);
void sim_wide_tell (void);

/* Is the calling thread running a launch in this way?  */
extern __thread bool sim_wide_here;

/* Then: a team begins.  */
void sim_wide_team_begin (void);

/* How many teams a construct without num_teams has, with at least LOWER, and at
   most LIMIT threads each (0: any number).  */
unsigned sim_wide_teams (unsigned lower, unsigned limit);

/* How many threads a parallel region has that asks for WANTED; 0: for none.  */
unsigned sim_wide_threads (unsigned wanted);
