/* How many teams and threads launches have that are modelled by their reports.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what was asked for, and the launch's geometry.  */

#include "config.h"
#include "simcuda/run/wide.h"

#include "simcuda/run/crew.h"
#include "simcuda/run/gomp.h"

#include <Judy.h>
#include <limits.h>
#include <stdlib.h>

__thread bool sim_wide_here;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned team_threads;	/* Of a team of CUDA's; 0: a launch is libgomp's.  */
static void *expected;		/* Iterations by function; under LOCK.  */

static struct
{
  uint64_t iterations;		/* 0: not known.  */
  unsigned resident;		/* Threads that the device holds.  */
  unsigned threads, limit;	/* Of a team, if it asks for none; at most.  */
  int max_threads;		/* What libgomp said when it began.  */
  uint64_t spent;
} launch;

void
sim_wide_set (unsigned threads)
{
  team_threads = threads;
}

void
sim_wide_expect (const void *function, uint64_t iterations)
{
  pthread_mutex_lock (&lock);
  PPvoid_t slot = JudyLIns (&expected, (Word_t) function, PJE0);
  if (slot && slot != PPJERR)
    *slot = (void *) (uintptr_t) iterations;
  pthread_mutex_unlock (&lock);
}

/* --- a launch ------------------------------------------------------------ */

static int
max_threads (void)
{
  return sim_gomp.get_max_threads ? sim_gomp.get_max_threads () : 0;
}

void
sim_wide_begin (struct sim_function *function, unsigned threads, bool asked)
{
  pthread_mutex_lock (&lock);
  PPvoid_t slot = JudyLGet (expected, (Word_t) function->host, PJE0);
  launch.iterations
    = slot && slot != PPJERR ? (uint64_t) (uintptr_t) *slot : 0;
  pthread_mutex_unlock (&lock);
  const struct ummgr_figures *d
    = &sim_profile.device[function->module->context->device];
  launch.resident = (unsigned) d->sm_count * (unsigned) d->max_threads_per_sm;
  launch.threads = team_threads ? team_threads : threads;
  launch.limit = asked || !team_threads ? threads : SIM_CREW_MOST;
  launch.max_threads = max_threads ();
  launch.spent = 0;
  sim_wide_here = sim_crew_here = true;
  sim_wide_team_begin ();
}

void
sim_wide_end (void)
{
  sim_wide_here = sim_crew_here = false;
  sim_teams_here.step = 0;
}

void
sim_wide_team_begin (void)
{
  sim_teams_here.step = 1;
  sim_wide_spend (SIM_WIDE_LAUNCH);
}

void
sim_wide_spend (unsigned instructions)
{
  if (sim_wide_here && !team_threads)
    launch.spent += instructions;
}

uint64_t
sim_wide_spent (void)
{
  uint64_t spent = launch.spent;
  launch.spent = 0;
  return spent;
}

unsigned
sim_wide_threads (unsigned wanted)
{
  int now = max_threads ();
  if (!wanted)
    wanted = now == launch.max_threads ? launch.threads : (unsigned) now;
  return wanted < launch.limit ? wanted : launch.limit;
}

unsigned
sim_wide_teams (unsigned lower, unsigned limit)
{
  if (limit && limit < launch.limit)
    launch.limit = limit;
  if (!team_threads)
    return 0;
  uint64_t threads = sim_wide_threads (0);
  uint64_t wanted = launch.iterations ? launch.iterations : launch.resident;
  uint64_t teams = (wanted + threads - 1) / threads;
  if (teams > INT_MAX)
    teams = INT_MAX;
  return teams < lower ? lower : teams ? (unsigned) teams : 1;
}
