/* What the simulated driver itself calls of libgomp, and a thread's control
   variables.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <stdbool.h>

/* Functions of the program's libgomp: what sim_gomp_controls_* need, besides one
   of the two that set a limit; and what crew.c needs besides.  */
#define SIM_GOMP_CONTROLS(CALL)                                               \
  CALL (int, get_max_threads, omp_get_max_threads, (void))                    \
  CALL (void, set_num_threads, omp_set_num_threads, (int))                    \
  CALL (int, get_dynamic, omp_get_dynamic, (void))                            \
  CALL (void, set_dynamic, omp_set_dynamic, (int))                            \
  CALL (int, get_levels, omp_get_max_active_levels, (void))                   \
  CALL (void, set_levels, omp_set_max_active_levels, (int))                   \
  CALL (int, get_thread_limit, omp_get_thread_limit, (void))                  \
  CALL (int, get_device, omp_get_default_device, (void))                      \
  CALL (void, set_device, omp_set_default_device, (int))                      \
  CALL (void, get_schedule, omp_get_schedule, (int *, int *))                 \
  CALL (void, set_schedule, omp_set_schedule, (int, int))
#define SIM_GOMP_LIMITS(CALL)                                                 \
  CALL (bool, teams4, GOMP_teams4, (unsigned, unsigned, unsigned, bool))      \
  CALL (void, teams_old, GOMP_teams, (unsigned, unsigned))
#define SIM_GOMP_TEAMS(CALL)                                                  \
  CALL (int, get_thread_num, omp_get_thread_num, (void))                      \
  CALL (int, get_num_threads, omp_get_num_threads, (void))                    \
  CALL (int, get_num_procs, omp_get_num_procs, (void))                        \
  CALL (int, get_level, omp_get_level, (void))                                \
  CALL (int, in_parallel, omp_in_parallel, (void))                            \
  CALL (void, parallel, GOMP_parallel, (void (*) (void *), void *, unsigned, unsigned)) \
  CALL (void, barrier, GOMP_barrier, (void))

/* NULL where there is none such.  Constant after sim_gomp_find.  */
struct sim_gomp
{
#define CALL(RETURN, NAME, SYMBOL, ARGS) RETURN (*NAME) ARGS;
  SIM_GOMP_CONTROLS (CALL)
  SIM_GOMP_LIMITS (CALL)
  SIM_GOMP_TEAMS (CALL)
#undef CALL
  bool controls;		/* All that sim_gomp_controls_* need.  */
  bool teams;			/* All that crew.c needs.  */
};
extern struct sim_gomp sim_gomp;

/* Once libgomp is there.  Under the lock of launches.  */
void sim_gomp_find (void);

/* The internal control variables a region may set for its own duration: a
   GPU starts every launch with fresh ones, and the launch thread is used
   again.  */
struct sim_gomp_controls
{
  int threads, dynamic, levels, thread_limit, device;
  int schedule, chunk;
};

/* The calling thread's.  */
void sim_gomp_controls_get (struct sim_gomp_controls *out);
void sim_gomp_controls_restore (const struct sim_gomp_controls *controls);
void sim_gomp_set_thread_limit (int limit);
