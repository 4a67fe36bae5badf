/* Teams and parallel regions of a simulated launch.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   On a GPU each thread block is a team.  Here the teams of a launch run one
   after another in the launch thread, or some side by side (batch.h).  The threads of a team are those of the
   host's libgomp, if the host has so many processors; else a crew's (crew.h),
   where that can be.  The host version of a region asks libgomp for its
   team, and the host's libgomp would answer for a host fallback; so its calls
   lead to the wrappers here (bind.c), which answer for the launch if the
   calling thread belongs to one and pass on everything else.

   Owns the state of the one launch that can run at a time.  */

#include "config.h"
#include "simcuda/run/teams.h"
#include "simcuda/run/batch.h"
#include "simcuda/run/crew.h"
#include "simcuda/driver/driver.h"
#include "simcuda/run/gomp.h"
#include "simcuda/run/told.h"
#include "simcuda/run/wide.h"
#include "base/tsan.h"

/* Written by the launch thread before and between the parallel regions whose
   threads read it.  */
static struct
{
  unsigned grid;
  unsigned teams;
  bool again;			/* GOMP_teams wants the region rerun.  */
  bool rerun;			/* This is such a rerun.  */
  int device_number;
  int device;			/* The driver's number.  */
  const char *name;		/* The region's.  */
} launch;

/* Does this thread run a region?  Set for good in the threads that libgomp
   made for a launch thread, since it uses them for nothing else; they may
   still run the region's tasks when the function they were started for has
   returned.  */
static __thread bool gpu_side;

/* In how many regions within it (nested.c).  They have teams of their own, as
   libgomp gives them to one that the host runs.  */
static __thread unsigned inner;

/* Where this thread is, and in how many functions of a region, one within the
   other.  Like GPU_SIDE, the place is left as it is when the outermost function
   of a thread of libgomp's returns: tasks may follow.  */
__thread struct ummgr_device_place sim_teams_here = { .device = -1 };
static __thread unsigned depth;

/* CALL_teams4 and so on.  */
enum
{
#define SIM_TEAMS_CALL(CALL, NAME) CALL_##NAME,
#include "simcuda/run/calls.def"
};
#define REAL(NAME, TYPE) ((TYPE) SIM_REAL (sim_wrappers[CALL_##NAME]))

const struct ummgr_device_place *
sim_teams_place (void)
{
  return &sim_teams_here;
}

unsigned
sim_teams_count (void)
{
  return launch.teams;
}

bool
sim_teams_on_gpu (void)
{
  return gpu_side;
}

const char *
sim_teams_region (void)
{
  return launch.name;
}

bool
sim_teams_inner_begin (void)
{
  inner += gpu_side;
  return gpu_side;
}

void
sim_teams_inner_end (void)
{
  inner--;
}

/* --- teams -------------------------------------------------------------- */

typedef bool teams4_fn (unsigned, unsigned, unsigned, bool);
typedef void teams_fn (unsigned, unsigned);

/* How many teams a teams construct has: GOMP_teams4 of
   libgomp/config/nvptx/target.c, GCC 12.  */
static unsigned
team_count (unsigned lower, unsigned upper, unsigned thread_limit)
{
  unsigned wide = sim_wide_here && !upper ? sim_wide_teams (lower, thread_limit) : 0;
  if (wide)
    return wide;
  if (upper == 0)
    return launch.grid;
  if (launch.grid < lower)
    return lower;
  return launch.grid < upper ? launch.grid : upper;
}

/* A thread limit as far as a GPU goes; 0: none is set.  */
static unsigned
capped (unsigned limit)
{
  return limit < SIM_CREW_MOST ? limit : SIM_CREW_MOST;
}

static bool
teams4 (unsigned lower, unsigned upper, unsigned thread_limit, bool first)
{
  if (!gpu_side || inner)
    return REAL (teams4, teams4_fn *) (lower, upper, thread_limit, first);
  if (!first)
    {
      if (sim_batch_here () || sim_teams_here.team + 1 >= launch.teams)
	return false;
      sim_told_team_end ();
      sim_teams_here.team++;
      if (sim_wide_here)
	sim_wide_team_begin ();
      return true;
    }
  /* For the thread limit, which only libgomp can set.  */
  REAL (teams4, teams4_fn *) (1, 1, capped (thread_limit), true);
  if (!sim_batch_here ())
    sim_teams_here.team = 0;
  launch.teams = team_count (lower, upper, thread_limit);
  return true;
}

/* GCC 11: called once by each team, and never again.  The region runs anew
   for the next team, as every block of a GPU runs it from its start.  */
static void
teams (unsigned num_teams, unsigned thread_limit)
{
  if (!gpu_side || inner)
    {
      REAL (teams, teams_fn *) (num_teams, thread_limit);
      return;
    }
  REAL (teams, teams_fn *) (1, capped (thread_limit));
  if (!launch.rerun)
    {
      if (!sim_batch_here ())
	sim_teams_here.team = 0;
      launch.teams
	= sim_wide_here ? team_count (1, num_teams, thread_limit)
	  : num_teams && num_teams < launch.grid ? num_teams : launch.grid;
    }
  launch.again = sim_teams_here.team + 1 < launch.teams;
}

/* --- queries ------------------------------------------------------------ */

typedef int query_fn (void);

#define QUERY(NAME, ANSWER)                                                   \
  static int NAME (void)                                                      \
  {                                                                           \
    return gpu_side ? (int) (ANSWER) : REAL (NAME, query_fn *) ();            \
  }

#define TEAM_QUERY(NAME, ANSWER)                                              \
  QUERY (NAME, inner ? REAL (NAME, query_fn *) () : (int) (ANSWER))

TEAM_QUERY (team_num, sim_teams_here.team)
TEAM_QUERY (team_num_f, sim_teams_here.team)
TEAM_QUERY (num_teams, launch.teams)
TEAM_QUERY (num_teams_f, launch.teams)
QUERY (is_initial_device, 0)
QUERY (is_initial_device_f, 0)
QUERY (device_num, launch.device_number)
QUERY (device_num_f, launch.device_number)
/* As libgomp/config/nvptx/icv-device.c answers.  */
QUERY (num_devices, 0)
QUERY (num_devices_f, 0)

/* --- parallel regions --------------------------------------------------- */

/* GOMP_parallel_reductions takes the first word of its data for the list of
   reductions, so that comes first here too.  */
struct call
{
  void *reductions;
  void (*function) (void *);
  void *data;
  unsigned inner;
  unsigned team;
};

/* What each thread of a region's team runs.  */
static void
on_gpu (void *data)
{
  struct call *call = data;
  UMMGR_TSAN_ACQUIRE (&launch);
  struct ummgr_device_place outer = sim_teams_here;
  if (!gpu_side)
    {
      gpu_side = true;
      sim_mem_thread_is_gpu (true);
    }
  sim_teams_here.device = launch.device;
  sim_teams_here.team = call->team;
  sim_teams_here.thread
    = sim_gomp.get_thread_num ? sim_gomp.get_thread_num () : 0;
  depth++;
  unsigned was = inner;
  inner = call->inner;
  call->function (call->data);
  inner = was;
  if (--depth)
    sim_teams_here = outer;
  UMMGR_TSAN_RELEASE (&launch);
}

void
sim_teams_parallel (void (*function) (void *), void *data, unsigned threads)
{
  struct call call = { NULL, function, data, 0, sim_teams_here.team };
  UMMGR_TSAN_RELEASE (&launch);
  sim_gomp.parallel (on_gpu, &call, threads, 0);
  UMMGR_TSAN_ACQUIRE (&launch);
}

#define ENTER                                                                 \
  struct call call                                                            \
    = { NULL, function, data, inner, sim_teams_here.team };                   \
  if (gpu_side)                                                               \
    {                                                                         \
      UMMGR_TSAN_RELEASE (&launch);                                           \
      function = on_gpu;                                                      \
      data = &call;                                                           \
    }
#define LEAVE UMMGR_TSAN_ACQUIRE (&launch);

typedef void parallel_fn (void (*) (void *), void *, unsigned, unsigned);
typedef unsigned reductions_fn (void (*) (void *), void *, unsigned, unsigned);
typedef void sections_fn (void (*) (void *), void *, unsigned, unsigned,
			  unsigned);
typedef void loop_fn (void (*) (void *), void *, unsigned, long, long, long,
		      long, unsigned);
typedef void runtime_fn (void (*) (void *), void *, unsigned, long, long, long,
			 unsigned);

static void
parallel (void (*function) (void *), void *data, unsigned threads,
	  unsigned flags)
{
  if (gpu_side
      && (sim_batch_parallel (function, data, threads)
	  || sim_crew_parallel (function, data, threads, NULL)))
    return;
  ENTER
  REAL (parallel, parallel_fn *) (function, data, threads, flags);
  LEAVE
}

static unsigned
parallel_reductions (void (*function) (void *), void *data, unsigned threads,
		     unsigned flags)
{
  ENTER
  if (gpu_side)
    call.reductions = *(void **) call.data;
  unsigned made
    = REAL (parallel_reductions, reductions_fn *) (function, data, threads,
						   flags);
  LEAVE
  return made;
}

static void
parallel_sections (void (*function) (void *), void *data, unsigned threads,
		   unsigned count, unsigned flags)
{
  struct sim_crew_share share = sim_crew_loop (1, (long) count + 1, 1, 1);
  if (gpu_side && sim_crew_parallel (function, data, threads, &share))
    return;
  ENTER
  REAL (parallel_sections, sections_fn *) (function, data, threads, count,
					   flags);
  LEAVE
}

#define LOOP(NAME)                                                            \
  static void NAME (void (*function) (void *), void *data, unsigned threads,  \
		    long start, long end, long step, long chunk,              \
		    unsigned flags)                                           \
  {                                                                           \
    struct sim_crew_share share = sim_crew_loop (start, end, step, chunk);    \
    if (gpu_side && sim_crew_parallel (function, data, threads, &share))      \
      return;                                                                 \
    ENTER                                                                     \
    REAL (NAME, loop_fn *) (function, data, threads, start, end, step,        \
			     chunk, flags);                                   \
    LEAVE                                                                     \
  }

LOOP (loop_static)
LOOP (loop_dynamic)
LOOP (loop_guided)
LOOP (loop_nonmonotonic_dynamic)
LOOP (loop_nonmonotonic_guided)

#define RUNTIME_LOOP(NAME)                                                    \
  static void NAME (void (*function) (void *), void *data, unsigned threads,  \
		    long start, long end, long step, unsigned flags)          \
  {                                                                           \
    struct sim_crew_share share = sim_crew_loop (start, end, step, 1);        \
    if (gpu_side && sim_crew_parallel (function, data, threads, &share))      \
      return;                                                                 \
    ENTER                                                                     \
    REAL (NAME, runtime_fn *) (function, data, threads, start, end, step,     \
				flags);                                       \
    LEAVE                                                                     \
  }

RUNTIME_LOOP (loop_runtime)
RUNTIME_LOOP (loop_nonmonotonic_runtime)
RUNTIME_LOOP (loop_maybe_nonmonotonic_runtime)

/* --- the table ---------------------------------------------------------- */

struct sim_wrapper sim_wrappers[] = {
#define SIM_TEAMS_CALL(CALL, NAME) { #CALL, NAME, NULL },
#include "simcuda/run/calls.def"
  { NULL, NULL, NULL }
};

/* --- a launch ----------------------------------------------------------- */

/* What libgomp's plugin asks for when the program names no thread limit; a
   program that names this very number gets no limit here.  */
#define DEFAULT_THREADS 8

void
sim_teams_run (struct sim_function *function, void *arguments, unsigned grid,
	       unsigned threads, int device_number, int device, bool told)
{
  struct sim_gomp_controls controls;
  sim_gomp_find ();
  if (sim_gomp.controls)
    {
      sim_gomp_controls_get (&controls);
      int limit = threads == DEFAULT_THREADS ? SIM_CREW_MOST : (int) threads;
      if (limit < controls.thread_limit)
	sim_gomp_set_thread_limit (limit);
    }
  launch.grid = grid;
  launch.teams = 1;
  launch.rerun = false;
  launch.device_number = device_number;
  launch.device = device;
  launch.name = function->name;
  sim_teams_here = (struct ummgr_device_place) { .device = device };
  depth = 1;
  gpu_side = true;
  sim_crew_launch (function);
  if (told)
    {
      sim_wide_begin (function, threads, threads != DEFAULT_THREADS);
      sim_told_begin (function);
    }
  if (grid > 1 && !sim_wide_here && sim_batch_can (function))
    sim_batch_run (function->host, arguments);
  else
    do
      {
	launch.again = false;
	function->host (arguments);
	launch.rerun = true;
	sim_told_team_end ();
	sim_teams_here.team++;
	sim_teams_here.step = sim_wide_here;
      }
    while (launch.again);
  if (told)
    {
      sim_told_end ();
      sim_wide_end ();
    }
  gpu_side = false;
  depth = 0;
  sim_teams_here = (struct ummgr_device_place) { .device = -1 };
  if (sim_gomp.controls)
    sim_gomp_controls_restore (&controls);
}
