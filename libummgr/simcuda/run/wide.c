/* Launches with as many threads as a GPU's.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns what was asked for, and the launch's geometry.  */

#include "config.h"
#include "simcuda/run/wide.h"

#include "simcuda/run/crew.h"
#include "simcuda/run/gomp.h"
#include "base/log.h"
#include "device/sim-api.h"

#include <Judy.h>
#include <limits.h>
#include <stdlib.h>

__thread bool sim_wide_here;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*ended) (void);	/* NULL: not asked for.  */
static unsigned team_threads;	/* Of a team; before ENDED is set.  */
static void *expected;		/* Iterations by function; under LOCK.  */
static void *refused;		/* Functions told of; under LOCK.  */

static struct
{
  uint64_t iterations;		/* 0: not known.  */
  unsigned resident;		/* Threads that the device holds.  */
  unsigned limit;
  int max_threads;		/* What libgomp said when it began.  */
} launch;

bool
sim_wide_set (void (*callback) (void), unsigned threads)
{
  pthread_mutex_lock (&lock);
  bool first = !ended;
  if (first)
    {
      team_threads = threads;
      ended = callback;
    }
  pthread_mutex_unlock (&lock);
  return first;
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

/* One note for each FUNCTION that can't.  */
static bool
can_run (struct sim_function *function)
{
  char name[64];
  if (sim_crew_can (function, sim_crew_knows, name, sizeof name))
    return true;
  pthread_mutex_lock (&lock);
  PPvoid_t slot = JudyLIns (&refused, (Word_t) function->host, PJE0);
  bool first = slot && slot != PPJERR && !*slot;
  if (first)
    *slot = function;
  pthread_mutex_unlock (&lock);
  if (first)
    ummgr_warn ("simcuda: kernel %s: its accesses are not traced in a GPU's "
		"order, but as they come: %s%s", function->name,
		*name ? "it may call " : "its code was not found", name);
  return false;
}

static int
max_threads (void)
{
  return sim_gomp.get_max_threads ? sim_gomp.get_max_threads () : 0;
}

void
sim_wide_begin (struct sim_function *function, unsigned limit)
{
  pthread_mutex_lock (&lock);
  bool wanted = ended != NULL;
  PPvoid_t slot = JudyLGet (expected, (Word_t) function->host, PJE0);
  launch.iterations
    = slot && slot != PPJERR ? (uint64_t) (uintptr_t) *slot : 0;
  pthread_mutex_unlock (&lock);
  if (!wanted || !can_run (function))
    return;
  const struct ummgr_figures *d
    = &sim_profile.device[function->module->context->device];
  launch.resident = (unsigned) d->sm_count * (unsigned) d->max_threads_per_sm;
  launch.limit = limit && limit < SIM_CREW_MOST ? limit : SIM_CREW_MOST;
  launch.max_threads = max_threads ();
  sim_wide_here = sim_crew_here = true;
  sim_wide_team_begin ();
}

bool
sim_wide_asked (void)
{
  return __atomic_load_n (&ended, __ATOMIC_ACQUIRE) != NULL;
}

void
sim_wide_tell (void)
{
  if (sim_wide_asked ())
    ended ();
}

void
sim_wide_end (void)
{
  if (!sim_wide_here)
    return;
  sim_wide_here = sim_crew_here = false;
  sim_teams_here.step = 0;
  ended ();
}

void
sim_wide_team_begin (void)
{
  sim_teams_here.step = 1;
}

unsigned
sim_wide_threads (unsigned wanted)
{
  int now = max_threads ();
  if (!wanted)
    wanted = now == launch.max_threads ? team_threads : (unsigned) now;
  return wanted < launch.limit ? wanted : launch.limit;
}

unsigned
sim_wide_teams (unsigned lower, unsigned limit)
{
  if (limit && limit < launch.limit)
    launch.limit = limit;
  uint64_t threads = sim_wide_threads (0);
  uint64_t wanted = launch.iterations ? launch.iterations : launch.resident;
  uint64_t teams = (wanted + threads - 1) / threads;
  if (teams > INT_MAX)
    teams = INT_MAX;
  return teams < lower ? lower : teams ? (unsigned) teams : 1;
}
