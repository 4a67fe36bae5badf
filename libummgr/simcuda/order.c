/* Running a launch's threads one after another in its thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the launch's geometry and the team under way.  A team's threads run in
   one fiber after another's end; where one waits at a barrier, a new fiber goes
   on with the next.  When all wait, all are let go on, in their order.  */

#include "config.h"
#include "order.h"

#include "fiber.h"
#include "image.h"
#include "log.h"
#include "sim-api.h"

#include <Judy.h>
#include <limits.h>
#include <stdlib.h>

enum
{
  THREADS = 128,		/* Of a team, as CUDA's programs often have.  */
  MOST = 1024			/* Of a block on any GPU yet.  */
};

__thread bool sim_order_here;
void *sim_order_word;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*ended) (void);	/* NULL: not asked for.  */
static void *expected;		/* Iterations by function; under LOCK.  */
static void *refused;		/* Functions told of; under LOCK.  */

/* A member that is under way, and the fiber in which it waits.  */
struct seat
{
  struct sim_order_member member;
  struct sim_fiber *fiber;
};

struct team
{
  void (*function) (void *);
  void *data;
  unsigned next;		/* Threads that have begun.  */
  unsigned done;
  struct seat seats[MOST];
};

static struct
{
  struct ummgr_sim_place *place;
  uint64_t iterations;		/* 0: not known.  */
  unsigned resident;		/* Threads that the device holds.  */
  unsigned limit;
  int max_threads;		/* What libgomp said when it began.  */
} launch;

static struct team team;
static struct sim_order_member outside = { .threads = 1 };
static struct sim_order_member *member = &outside;

bool
sim_order_set (void (*callback) (void))
{
  pthread_mutex_lock (&lock);
  bool first = !ended;
  if (first)
    ended = callback;
  pthread_mutex_unlock (&lock);
  return first;
}

void
sim_order_expect (const void *function, uint64_t iterations)
{
  pthread_mutex_lock (&lock);
  PPvoid_t slot = JudyLIns (&expected, (Word_t) function, PJE0);
  if (slot && slot != PPJERR)
    *slot = (void *) (uintptr_t) iterations;
  pthread_mutex_unlock (&lock);
}

/* --- a launch ------------------------------------------------------------ */

/* Is all that FUNCTION calls known?  One note for each that has an unknown
   call.  */
static bool
can_run (struct sim_function *function)
{
  char name[64];
  pthread_mutex_lock (&sim_driver_lock);
  bool can = sim_ptx_calls_only (function->module->image, function->name,
				 sim_order_knows, name, sizeof name);
  pthread_mutex_unlock (&sim_driver_lock);
  if (can)
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

void
sim_order_begin (struct sim_function *function, unsigned limit,
		 struct ummgr_sim_place *place)
{
  pthread_mutex_lock (&lock);
  bool wanted = ended != NULL;
  PPvoid_t slot = JudyLGet (expected, (Word_t) function->host, PJE0);
  launch.iterations
    = slot && slot != PPJERR ? (uint64_t) (uintptr_t) *slot : 0;
  pthread_mutex_unlock (&lock);
  if (!wanted || !can_run (function))
    return;
  const struct sim_profile_device *d
    = &sim_profile.device[function->module->context->device];
  launch.resident = (unsigned) d->sm_count * (unsigned) d->max_threads_per_sm;
  launch.limit = limit && limit < MOST ? limit : MOST;
  launch.place = place;
  launch.max_threads = sim_teams_max_threads ();
  member = &outside;
  sim_order_here = true;
  sim_order_team_begin ();
}

void
sim_order_end (void)
{
  if (!sim_order_here)
    return;
  sim_order_here = false;
  launch.place->step = 0;
  ended ();
}

void
sim_order_team_begin (void)
{
  launch.place->step = 1;
}

unsigned
sim_order_default_threads (void)
{
  int now = sim_teams_max_threads ();
  unsigned threads = now == launch.max_threads ? THREADS : (unsigned) now;
  return threads < launch.limit ? threads : launch.limit;
}

unsigned
sim_order_teams (unsigned lower, unsigned limit)
{
  if (limit && limit < launch.limit)
    launch.limit = limit;
  uint64_t threads = sim_order_default_threads ();
  uint64_t wanted = launch.iterations ? launch.iterations : launch.resident;
  uint64_t teams = (wanted + threads - 1) / threads;
  if (teams > INT_MAX)
    teams = INT_MAX;
  return teams < lower ? lower : teams ? (unsigned) teams : 1;
}

/* --- a team -------------------------------------------------------------- */

struct sim_order_member *
sim_order_member (void)
{
  return member;
}

static void
take_seat (unsigned number)
{
  member = &team.seats[number].member;
  launch.place->thread = number;
}

/* In a fiber: members, until one waits and others go on elsewhere.  */
static void
run_members (void *data)
{
  unsigned threads = team.seats[0].member.threads;
  (void) data;
  while (team.next < threads)
    {
      take_seat (team.next++);
      team.function (team.data);
      team.done++;
    }
}

/* All that wait go on.  */
static void
release (unsigned threads)
{
  launch.place->step++;
  for (unsigned i = 0; i < threads; i++)
    {
      struct sim_fiber *fiber = team.seats[i].fiber;
      team.seats[i].fiber = NULL;
      if (!fiber)
	continue;
      take_seat (i);
      if (sim_fiber_resume (fiber))
	team.seats[i].fiber = fiber;
    }
}

static void
run_team (void)
{
  unsigned threads = team.seats[0].member.threads;
  while (team.done < threads)
    if (team.next < threads)
      {
	struct sim_fiber *fiber = sim_fiber_start (run_members, NULL);
	if (fiber)
	  team.seats[team.next - 1].fiber = fiber;
      }
    else
      release (threads);
}

void
sim_order_barrier (void)
{
  if (member->threads > 1)
    sim_fiber_wait ();
}

/* A parallel region of one thread, within another or not.  */
static void
run_alone (void (*function) (void *), void *data,
	   const struct sim_order_member *first)
{
  struct sim_order_member one = *first, *outer = member;
  one.threads = 1;
  member = &one;
  function (data);
  member = outer;
}

void
sim_order_parallel (void (*function) (void *), void *data, unsigned threads,
		    const struct sim_order_share *share)
{
  struct sim_order_member first = { .level = member->level + 1 };
  if (share)
    first.share = *share;
  first.threads = threads && threads < launch.limit ? threads
    : threads ? launch.limit : sim_order_default_threads ();
  if (member->level || first.threads == 1)
    {
      run_alone (function, data, &first);
      return;
    }
  team.function = function;
  team.data = data;
  team.next = team.done = 0;
  for (unsigned i = 0; i < first.threads; i++)
    {
      first.number = first.next = i;
      team.seats[i] = (struct seat) { first, NULL };
    }
  launch.place->step++;
  run_team ();
  launch.place->step++;
  launch.place->thread = 0;
  member = &outside;
}
