/* Launches whose teams run side by side.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the fibers of the teams under way; all of it is the launch thread's, but
   that the others of a parallel region read what it runs.  */

#include "config.h"
#include "simcuda/run/batch.h"

#include "simcuda/image/image.h"
#include "simcuda/run/crew.h"
#include "simcuda/fiber/fiber.h"
#include "simcuda/run/gomp.h"

#include <dlfcn.h>
#include <string.h>

/* As many as make a barrier's share of a team small, and their stacks no burden
   for the cache.  */
enum { BATCH = 32 };

struct slot
{
  struct sim_fiber *fiber;
  unsigned team;
  void (*function) (void *);	/* The parallel region that it waits for.  */
  void *data;
  unsigned threads;
};

/* Of the fiber that runs; NULL: none does.  */
static __thread struct slot *slot;

/* What all teams run.  */
static void (*body) (void *);

/* A task may run in any of the batch's regions, and teams have their control
   variables in common.  */
static bool
knows (const char *name, size_t length)
{
  static const char *const others[] = {
    "GOMP_task", "GOMP_parallel_", "omp_set_"
  };
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    {
      size_t n = strlen (others[i]);
      if (length >= n && memcmp (name, others[i], n) == 0)
	return false;
    }
  return sim_crew_knows (name, length);
}

/* AddressSanitizer in the program warns of stacks that it has not made.  */
static bool
is_watched (void)
{
  static int watched = -1;
  if (watched < 0)
    watched = dlsym (RTLD_DEFAULT, "__asan_init") != NULL;
  return watched;
}

bool
sim_batch_can (struct sim_function *function)
{
  if (!sim_gomp.teams || sim_gomp.get_dynamic () || is_watched ())
    return false;
  int threads = sim_gomp.get_max_threads ();
  if (threads < 2 || (unsigned) threads > sim_crew_processors ())
    return false;
  char name[64];
  if (function->batch == SIM_CREW_UNKNOWN)
    function->batch = sim_crew_can (function, knows, name, sizeof name)
		      ? SIM_CREW_CAN : SIM_CREW_CANNOT;
  return function->batch == SIM_CREW_CAN;
}

bool
sim_batch_here (void)
{
  return slot != NULL;
}

bool
sim_batch_parallel (void (*function) (void *), void *data, unsigned threads)
{
  if (!slot)
    return false;
  slot->function = function;
  slot->data = data;
  slot->threads = threads;
  sim_fiber_wait ();
  return true;
}

/* --- the regions that teams wait for ------------------------------------- */

struct group
{
  const struct slot *slots;
  unsigned count;
};

/* In each thread of libgomp's.  */
static void
run_group (void *data)
{
  const struct group *group = data;
  for (unsigned i = 0; i < group->count; i++)
    {
      sim_teams_here.team = group->slots[i].team;
      group->slots[i].function (group->slots[i].data);
    }
}

static void
run_regions (const struct slot *slots, unsigned count)
{
  for (unsigned i = 0; i < count;)
    {
      struct group group = { slots + i, 1 };
      unsigned threads = slots[i].threads;
      sim_teams_here.team = slots[i].team;
      if (!sim_crew_parallel (slots[i].function, slots[i].data, threads, NULL))
	{
	  while (i + group.count < count
		 && slots[i + group.count].threads == threads)
	    group.count++;
	  sim_teams_parallel (run_group, &group, threads);
	}
      i += group.count;
    }
}

/* --- teams --------------------------------------------------------------- */

static void
run_team (void *arguments)
{
  body (arguments);
}

/* Let the fiber of S run, which begins with ARGUMENTS or goes on; true if it waits
   again.  */
static bool
run_slot (struct slot *s, bool begin, void *arguments)
{
  sim_teams_here.team = s->team;
  slot = s;
  bool waits;
  if (begin)
    waits = (s->fiber = sim_fiber_start (run_team, arguments));
  else
    waits = sim_fiber_resume (s->fiber);
  slot = NULL;
  return waits;
}

void
sim_batch_run (void (*function) (void *), void *arguments)
{
  struct slot slots[BATCH];
  unsigned team = 0;
  body = function;
  do
    {
      unsigned count = 0;
      for (; count < BATCH && team < sim_teams_count (); team++)
	{
	  slots[count] = (struct slot) { .team = team };
	  count += run_slot (&slots[count], true, arguments);
	}
      while (count)
	{
	  unsigned waiting = 0;
	  run_regions (slots, count);
	  for (unsigned i = 0; i < count; i++)
	    {
	      slots[waiting] = slots[i];
	      waiting += run_slot (&slots[waiting], false, NULL);
	    }
	  count = waiting;
	}
    }
  while (team < sim_teams_count ());
}
