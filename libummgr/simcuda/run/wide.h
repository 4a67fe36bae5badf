/* How many teams and threads launches have that are modelled by their reports (told.h).
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   All threads of such a launch are the launch thread, one after another, team by
   team: a crew (crew.h) that one host thread carries.  */

#pragma once

#include "simcuda/driver/driver.h"

#include <stdbool.h>
#include <stdint.h>

/* As `model' and `expect' in device/device.h have it.  */
void sim_wide_set (unsigned threads);
void sim_wide_expect (const void *function, uint64_t iterations);

/* The launch thread is about to run FUNCTION, or has.  THREADS: those of libgomp's launch,
   and, if it ASKED for them, of any.  Under the lock of launches.  */
void sim_wide_begin (struct sim_function *function, unsigned threads, bool asked);
void sim_wide_end (void);

/* Is the calling thread running a launch in this way?  */
extern __thread bool sim_wide_here;

/* Then: a team begins.  */
void sim_wide_team_begin (void);

/* Instructions of libgomp's own on a GPU, which no report counts: a warp's for a launch, a
   parallel region and a barrier, as GCC 12's libgomp for nvptx has them.  Counted by
   --kernels=ptx --fidelity=access on regions that do nothing else: 131.0 each without a
   parallel region, 439.9 with one, 726.7 with two, 677.6 with one that has a barrier; threads
   that wait for others make some of these in loops.  */
enum
{
  SIM_WIDE_LAUNCH = 131,
  SIM_WIDE_PARALLEL = 298,
  SIM_WIDE_BARRIER = 238
};

/* The calling thread spends these; nothing where launches are CUDA's.  */
void sim_wide_spend (unsigned instructions);
/* What was spent since.  */
uint64_t sim_wide_spent (void);

/* How many teams a construct without num_teams has, with at least LOWER, and at
   most LIMIT threads each (0: any number).  0: as many as libgomp's launch.  */
unsigned sim_wide_teams (unsigned lower, unsigned limit);

/* How many threads a parallel region has that asks for WANTED; 0: for none.  */
unsigned sim_wide_threads (unsigned wanted);
