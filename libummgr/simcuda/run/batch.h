/* Launches whose teams run side by side, so that few of libgomp's parallel regions
   are needed for many of theirs.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The first thread of each team is a fiber of the launch thread.  Where it comes to
   a parallel region it waits; when BATCH teams do, or no team is left to begin, all
   those regions run in one of libgomp's, whose thread T is thread T of each of them,
   one after the other.  What ends each team's region in libgomp, a barrier, then
   ends those of a batch.  Only a launch of whose calls of libgomp all are known to
   do what they should that way is run so.  */

#pragma once

#include "simcuda/driver/driver.h"

#include <stdbool.h>

/* May FUNCTION, about to be launched, be run so, and is there something to gain?
   In the launch thread, after sim_crew_launch.  */
bool sim_batch_can (struct sim_function *function);

/* Run FUNCTION (ARGUMENTS) once for each team of the launch.  */
void sim_batch_run (void (*function) (void *), void *arguments);

/* Is the calling code a team's first thread in such a launch?  */
bool sim_batch_here (void);

/* If so: the parallel region FUNCTION (DATA), of THREADS threads (0: not said), has
   run.  False: it has not.  */
bool sim_batch_parallel (void (*function) (void *), void *data, unsigned threads);
