/* Running a team's threads as fibers, in few host threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the team under way: there is one, since regions within it have one thread
   each, as on a GPU.  The threads of a part run in one fiber after another's
   end; where one waits, a new fiber goes on with the next.  When all of all parts
   wait at a barrier, all are let go on, in their order.  */

#include "config.h"
#include "simcuda/run/crew.h"

#include "simcuda/fiber/fiber.h"
#include "simcuda/run/gomp.h"
#include "simcuda/run/told.h"
#include "simcuda/image/image.h"
#include "simcuda/run/wide.h"
#include "base/tsan.h"

#include <sched.h>

__thread bool sim_crew_here;

/* A member that is under way, and the fiber in which it waits.  */
struct seat
{
  struct sim_crew_member member;
  struct sim_fiber *fiber;
  bool at_barrier;
};

/* Written by the launch thread before the others come; a seat only by who
   carries it.  */
static struct
{
  void (*function) (void *);
  void *data;
  unsigned threads;
  struct seat seats[SIM_CREW_MOST];
} team;

/* What this host thread carries of it.  */
static __thread struct
{
  unsigned first, last;		/* Seats, before LAST.  */
  unsigned next;		/* To begin.  */
  unsigned done, waiting;	/* How many have ended; wait at the barrier.  */
  bool alone;			/* There are no other parts.  */
  struct seat *seat;		/* Under way; NULL: none is.  */
  unsigned long turns;
} part;

static struct sim_crew_member outside = { .threads = 1 };
static __thread struct sim_crew_member *member;

static struct sim_function *launched;
/* What omp_get_num_procs says of the launch's thread, which asks the kernel each
   time; 0: not asked yet.  */
static unsigned processors;

void
sim_crew_launch (struct sim_function *function)
{
  launched = function;
  processors = 0;
}

unsigned
sim_crew_processors (void)
{
  if (!processors)
    processors = (unsigned) sim_gomp.get_num_procs ();
  return processors;
}

bool
sim_crew_can (struct sim_function *function,
	      bool (*known) (const char *name, size_t length), char *name,
	      size_t size)
{
  pthread_mutex_lock (&sim_driver_lock);
  bool can = sim_ptx_calls_only (function->module->image, function->name,
				 known, name, size);
  pthread_mutex_unlock (&sim_driver_lock);
  return can;
}

/* --- the calling member -------------------------------------------------- */

struct sim_crew_member *
sim_crew_member (void)
{
  return member ? member : &outside;
}

const void *
sim_crew_self (void)
{
  return part.seat;
}

unsigned long
sim_crew_turn (void)
{
  return part.seat ? part.turns : 0;
}

static void
take_seat (struct seat *seat)
{
  part.turns++;
  part.seat = seat;
}

/* In a fiber: back to who carries the part, until that has it go on.  */
static void
wait_here (void)
{
  struct seat *seat = part.seat;
  struct sim_crew_member *inner = member;
  unsigned thread = sim_teams_here.thread;
  sim_fiber_wait ();
  take_seat (seat);
  member = inner;
  sim_teams_here.thread = thread;
}

void
sim_crew_barrier (void)
{
  if (sim_crew_member ()->threads == 1)
    return;
  sim_told_pause ();
  part.seat->at_barrier = true;
  part.waiting++;
  wait_here ();
  sim_wide_spend (SIM_WIDE_BARRIER);
}

void
sim_crew_yield (void)
{
  if (part.seat)
    wait_here ();
  else
    sched_yield ();
}

/* --- a part -------------------------------------------------------------- */

/* In a fiber: members, until one waits and others go on elsewhere.  */
static void
run_members (void *unused)
{
  (void) unused;
  while (part.next < part.last)
    {
      struct seat *seat = &team.seats[part.next++];
      take_seat (seat);
      member = &seat->member;
      sim_teams_here.thread = seat->member.number;
      /* The first of a team has begun, others begin with its first region.  */
      if (seat->member.number && sim_teams_here.step == 2)
	sim_wide_spend (SIM_WIDE_LAUNCH);
      sim_wide_spend (SIM_WIDE_PARALLEL);
      team.function (team.data);
      sim_told_pause ();
      part.done++;
    }
}

static void
begin_next (void)
{
  struct sim_fiber *fiber = sim_fiber_start (run_members, NULL);
  if (fiber)
    part.seat->fiber = fiber;
}

/* All that can go on do.  */
static void
go_on (void)
{
  bool together = part.waiting == part.last - part.first - part.done;
  if (together)
    {
      part.waiting = 0;
      UMMGR_TSAN_RELEASE (&team);
      if (!part.alone)
	sim_gomp.barrier ();
      UMMGR_TSAN_ACQUIRE (&team);
      if (sim_wide_here)
	sim_teams_here.step++;
    }
  else
    sched_yield ();		/* What they wait for another part may have.  */
  for (unsigned i = part.first; i < part.last; i++)
    {
      struct seat *seat = &team.seats[i];
      struct sim_fiber *fiber = seat->fiber;
      if (!fiber || (seat->at_barrier && !together))
	continue;
      seat->fiber = NULL;
      seat->at_barrier = false;
      if (sim_fiber_resume (fiber))
	seat->fiber = fiber;
    }
}

/* Carry part NUMBER of PARTS.  */
static void
carry (unsigned number, unsigned parts)
{
  part.first = part.next = team.threads * number / parts;
  part.last = team.threads * (number + 1) / parts;
  part.done = part.waiting = 0;
  part.alone = parts == 1;
  while (part.done < part.last - part.first)
    if (part.next < part.last)
      begin_next ();
    else
      go_on ();
  part.seat = NULL;
  member = NULL;
}

/* In each of the host threads that share the team.  */
static void
carry_share (void *unused)
{
  (void) unused;
  sim_crew_here = true;
  sim_preempt_begin (team.function);
  carry (sim_gomp.get_thread_num (), sim_gomp.get_num_threads ());
  sim_preempt_end ();
  sim_crew_here = false;
}

/* --- parallel regions ---------------------------------------------------- */

/* A parallel region of one thread, within another or not.  An order is that of
   the GPU's threads, whichever region they are in.  */
static void
run_alone (void (*function) (void *), void *data,
	   const struct sim_crew_member *first)
{
  struct sim_crew_member one = *first, *outer = member;
  unsigned thread = sim_teams_here.thread;
  one.threads = 1;
  member = &one;
  if (!sim_wide_here)
    sim_teams_here.thread = 0;
  function (data);
  sim_teams_here.thread = thread;
  member = outer;
}

/* How many host threads are to carry a team of THREADS in a launch that no order
   is asked of; 0: none, as libgomp's own threads do.  */
static unsigned
carriers (unsigned threads)
{
  if (!sim_gomp.teams || sim_gomp.in_parallel () || sim_gomp.get_dynamic ())
    return 0;
  if (threads == 1)
    return 0;
  if (threads <= sim_crew_processors ())
    return 0;
  if (launched->crew == SIM_CREW_UNKNOWN)
    {
      char name[64];
      launched->crew
	= sim_crew_can (launched, sim_crew_knows, name, sizeof name)
	  ? SIM_CREW_CAN : SIM_CREW_CANNOT;
    }
  return launched->crew == SIM_CREW_CAN ? processors : 0;
}

static unsigned
team_size (unsigned wanted)
{
  if (sim_wide_here)
    return sim_wide_threads (wanted);
  if (!sim_gomp.teams)
    return 1;
  unsigned limit = (unsigned) sim_gomp.get_thread_limit ();
  if (limit > SIM_CREW_MOST)
    limit = SIM_CREW_MOST;
  if (!wanted)
    wanted = (unsigned) sim_gomp.get_max_threads ();
  return wanted < limit ? wanted : limit;
}

static void
fill_seats (void (*function) (void *), void *data,
	    struct sim_crew_member *first)
{
  team.function = function;
  team.data = data;
  team.threads = first->threads;
  for (unsigned i = 0; i < first->threads; i++)
    {
      first->number = first->next = i;
      team.seats[i] = (struct seat) { .member = *first };
    }
}

bool
sim_crew_parallel (void (*function) (void *), void *data, unsigned threads,
		   const struct sim_crew_share *share)
{
  struct sim_crew_member first = { .level = sim_crew_member ()->level + 1 };
  if (share)
    first.share = *share;
  if (sim_crew_here && first.level > 1)
    {
      run_alone (function, data, &first);
      return true;
    }
  first.threads = team_size (threads);
  if (sim_wide_here && first.threads == 1)
    run_alone (function, data, &first);
  else if (sim_wide_here)
    {
      fill_seats (function, data, &first);
      sim_teams_here.step++;
      carry (0, 1);
      sim_teams_here.step++;
      sim_teams_here.thread = 0;
    }
  else
    {
      unsigned parts = carriers (first.threads);
      if (!parts)
	return false;
      first.level = (unsigned) sim_gomp.get_level () + 1;
      fill_seats (function, data, &first);
      sim_teams_parallel (carry_share, NULL, parts);
    }
  return true;
}
