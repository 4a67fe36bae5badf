/* What a crew's threads ask of libgomp.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   The answers are those of a team whose thread T takes chunks T, T + N, T + 2 N
   of each loop and each set of sections (or, without chunks, the T-th part), and
   whose thread 0 runs what one is to run: a schedule that libgomp, too, may
   happen to have; a task runs where it is made, at once.  As on a GPU, a parallel
   region within another has one thread.  Calls are those of libgomp/loop.c,
   libgomp/sections.c, libgomp/single.c, libgomp/critical.c, libgomp/task.c and
   libgomp/barrier.c, GCC 11 to 14.

   Owns the critical sections' locks: a GPU's are its own, too, and one that a
   fiber waits for may be held by another of the same host thread.  */

#include "config.h"
#include "simcuda/run/crew.h"

#include "base/log.h"
#include "simcuda/run/wide.h"

#include <stdlib.h>
#include <string.h>

/* CALL_loop_static_start and so on.  */
enum
{
#define SIM_CREW_CALL(CALL, NAME) CALL_##NAME,
#include "simcuda/run/calls.def"
};
#define REAL(NAME, TYPE) ((TYPE) SIM_REAL (sim_crew_wrappers[CALL_##NAME]))

/* --- loops --------------------------------------------------------------- */

struct sim_crew_share
sim_crew_loop (long start, long end, long step, long chunk)
{
  struct sim_crew_share share = { .start = start, .step = step };
  if (step > 0 && start < end)
    share.count = ((unsigned long) end - start - 1) / step + 1;
  else if (step < 0 && start > end)
    share.count = ((unsigned long) start - end - 1) / -(unsigned long) step + 1;
  share.chunk = chunk > 0 ? chunk : 0;
  return share;
}

/* The calling thread's next iterations, from *FIRST to before *LAST.  */
static bool
next_chunk (long *first, long *last)
{
  struct sim_crew_member *m = sim_crew_member ();
  const struct sim_crew_share *s = &m->share;
  unsigned long from, to;
  if (s->chunk)
    {
      if (s->count == 0 || m->next > (s->count - 1) / s->chunk)
	return false;
      from = m->next * s->chunk;
      to = s->count - from < s->chunk ? s->count : from + s->chunk;
    }
  else
    {
      unsigned long part = s->count / m->threads, rest = s->count % m->threads;
      if (m->next >= m->threads)
	return false;
      from = m->next * part + (m->next < rest ? m->next : rest);
      to = from + part + (m->next < rest);
      if (from == to)
	return false;
    }
  m->next += m->threads;
  *first = (long) (s->start + from * (unsigned long) s->step);
  *last = (long) (s->start + to * (unsigned long) s->step);
  return true;
}

static bool
begin_loop (long start, long end, long step, long chunk, long *first,
	    long *last)
{
  struct sim_crew_member *m = sim_crew_member ();
  m->share = sim_crew_loop (start, end, step, chunk);
  m->next = m->number;
  return next_chunk (first, last);
}

typedef bool start_fn (long, long, long, long, long *, long *);
typedef bool start_runtime_fn (long, long, long, long *, long *);
typedef bool next_fn (long *, long *);

#define START(NAME)                                                           \
  static bool NAME (long start, long end, long step, long chunk, long *first, \
		    long *last)                                               \
  {                                                                           \
    return sim_crew_here                                                      \
	     ? begin_loop (start, end, step, chunk, first, last)              \
	     : REAL (NAME, start_fn *) (start, end, step, chunk, first,       \
					 last);                               \
  }
/* A schedule is for libgomp to choose: one iteration at a time.  */
#define START_RUNTIME(NAME)                                                   \
  static bool NAME (long start, long end, long step, long *first, long *last) \
  {                                                                           \
    return sim_crew_here                                                      \
	     ? begin_loop (start, end, step, 1, first, last)                  \
	     : REAL (NAME, start_runtime_fn *) (start, end, step, first,      \
						 last);                       \
  }
#define NEXT(NAME)                                                            \
  static bool NAME (long *first, long *last)                                  \
  {                                                                           \
    return sim_crew_here ? next_chunk (first, last)                           \
			  : REAL (NAME, next_fn *) (first, last);             \
  }

START (loop_static_start)
NEXT (loop_static_next)
START (loop_dynamic_start)
NEXT (loop_dynamic_next)
START (loop_guided_start)
NEXT (loop_guided_next)
START (loop_nonmonotonic_dynamic_start)
NEXT (loop_nonmonotonic_dynamic_next)
START (loop_nonmonotonic_guided_start)
NEXT (loop_nonmonotonic_guided_next)
START_RUNTIME (loop_runtime_start)
NEXT (loop_runtime_next)
START_RUNTIME (loop_nonmonotonic_runtime_start)
NEXT (loop_nonmonotonic_runtime_next)
START_RUNTIME (loop_maybe_nonmonotonic_runtime_start)
NEXT (loop_maybe_nonmonotonic_runtime_next)

/* --- waiting ------------------------------------------------------------- */

typedef void plain_fn (void);

#define WAIT(NAME)                                                            \
  static void NAME (void)                                                     \
  {                                                                           \
    if (sim_crew_here)                                                        \
      sim_crew_barrier ();                                                    \
    else                                                                      \
      REAL (NAME, plain_fn *) ();                                             \
  }
#define IGNORE(NAME)                                                          \
  static void NAME (void)                                                     \
  {                                                                           \
    if (!sim_crew_here)                                                       \
      REAL (NAME, plain_fn *) ();                                             \
  }

WAIT (barrier)
WAIT (loop_end)
IGNORE (loop_end_nowait)
WAIT (sections_end)
IGNORE (sections_end_nowait)

/* --- critical sections --------------------------------------------------- */

/* One for each name that was met; they are few, and stay.  */
struct critical
{
  const void *name;
  const void *owner;		/* As of sim_crew_self; NULL: nobody is in.  */
  struct critical *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct critical *criticals; /* Under LOCK.  */

/* Under LOCK.  */
static struct critical *
find_critical (const void *name)
{
  struct critical *c;
  for (c = criticals; c; c = c->next)
    if (c->name == name)
      return c;
  c = malloc (sizeof *c);
  if (!c)
    {
      ummgr_error ("simcuda: no memory for a critical section's lock");
      abort ();
    }
  *c = (struct critical) { .name = name, .next = criticals };
  return criticals = c;
}

static void
enter (const void *name)
{
  for (;;)
    {
      pthread_mutex_lock (&lock);
      struct critical *c = find_critical (name);
      bool ours = !c->owner;
      if (ours)
	c->owner = sim_crew_self ();
      pthread_mutex_unlock (&lock);
      if (ours)
	return;
      sim_crew_yield ();
    }
}

static void
leave (const void *name)
{
  pthread_mutex_lock (&lock);
  find_critical (name)->owner = NULL;
  pthread_mutex_unlock (&lock);
}

#define EXCLUSIVE(NAME, DO, WHICH)                                            \
  static void NAME (void)                                                     \
  {                                                                           \
    if (sim_crew_here)                                                        \
      DO (WHICH);                                                             \
    else                                                                      \
      REAL (NAME, plain_fn *) ();                                             \
  }

static const char atomics, unnamed;

EXCLUSIVE (atomic_start, enter, &atomics)
EXCLUSIVE (atomic_end, leave, &atomics)
EXCLUSIVE (critical_start, enter, &unnamed)
EXCLUSIVE (critical_end, leave, &unnamed)

typedef void named_fn (void **);

static void
critical_name_start (void **name)
{
  if (sim_crew_here)
    enter (name);
  else
    REAL (critical_name_start, named_fn *) (name);
}

static void
critical_name_end (void **name)
{
  if (sim_crew_here)
    leave (name);
  else
    REAL (critical_name_end, named_fn *) (name);
}

/* --- tasks ---------------------------------------------------------------- */

typedef void task_fn (void (*) (void *), void *, void (*) (void *, void *),
		      long, long, bool, unsigned, void **, int, void *);

static void
task (void (*function) (void *), void *data, void (*copy) (void *, void *),
      long size, long align, bool if_clause, unsigned flags, void **depend,
      int priority, void *detach)
{
  if (!sim_crew_here)
    REAL (task, task_fn *) (function, data, copy, size, align, if_clause,
			    flags, depend, priority, detach);
  else if (copy)
    {
      char room[size + align - 1];
      uintptr_t own = ((uintptr_t) room + align - 1) & -(uintptr_t) align;
      copy ((void *) own, data);
      function ((void *) own);
    }
  else
    function (data);
}

/* None is ever left to wait for.  */
IGNORE (taskwait)
IGNORE (taskyield)
IGNORE (taskgroup_start)
IGNORE (taskgroup_end)

/* --- sections, and what one thread runs ---------------------------------- */

typedef unsigned sections_start_fn (unsigned);
typedef unsigned sections_next_fn (void);
typedef bool single_fn (void);
typedef void *copy_start_fn (void);
typedef void copy_end_fn (void *);

/* Sections are counted from 1; 0 is the end.  */
static unsigned
next_section (void)
{
  long first, last;
  return next_chunk (&first, &last) ? (unsigned) first : 0;
}

static unsigned
sections_start (unsigned count)
{
  long first, last;
  if (!sim_crew_here)
    return REAL (sections_start, sections_start_fn *) (count);
  return begin_loop (1, (long) count + 1, 1, 1, &first, &last)
	 ? (unsigned) first : 0;
}

static unsigned
sections_next (void)
{
  return sim_crew_here ? next_section ()
			: REAL (sections_next, sections_next_fn *) ();
}

static bool
single_start (void)
{
  return sim_crew_here ? sim_crew_member ()->number == 0
			: REAL (single_start, single_fn *) ();
}

/* What thread 0 tells the others; they have read it before it can tell them
   more, since the compiler puts a barrier behind.  */
static void *word;

/* Thread 0 is told to run it, and the others wait for its word.  */
static void *
single_copy_start (void)
{
  if (!sim_crew_here)
    return REAL (single_copy_start, copy_start_fn *) ();
  if (sim_crew_member ()->number == 0)
    return NULL;
  sim_crew_barrier ();
  return word;
}

static void
single_copy_end (void *told)
{
  if (!sim_crew_here)
    {
      REAL (single_copy_end, copy_end_fn *) (told);
      return;
    }
  word = told;
  sim_crew_barrier ();
}

/* --- queries ------------------------------------------------------------- */

typedef int query_fn (void);

#define QUERY(NAME, ANSWER)                                                   \
  static int NAME (void)                                                      \
  {                                                                           \
    return sim_crew_here ? (int) (ANSWER) : REAL (NAME, query_fn *) ();       \
  }
/* C's, and Fortran's.  */
#define QUERIES(NAME, ANSWER)                                                 \
  QUERY (NAME, ANSWER)                                                        \
  QUERY (NAME##_f, ANSWER)

QUERIES (thread_num, sim_crew_member ()->number)
QUERIES (num_threads, sim_crew_member ()->threads)
QUERIES (in_parallel, sim_crew_member ()->level > 0
	 && sim_crew_member ()->threads > 1)
QUERIES (level, sim_crew_member ()->level)

/* Who asks for no order asks libgomp, whose control variables are the
   region's.  */
#define MAX_QUERY(NAME)                                                       \
  static int NAME (void)                                                      \
  {                                                                           \
    return sim_wide_here ? (int) sim_wide_threads (0)                         \
			  : REAL (NAME, query_fn *) ();                       \
  }
MAX_QUERY (max_threads)
MAX_QUERY (max_threads_f)

/* --- the table ----------------------------------------------------------- */

struct sim_wrapper sim_crew_wrappers[] = {
#define SIM_CREW_CALL(CALL, NAME) { #CALL, NAME, NULL },
#include "simcuda/run/calls.def"
  { NULL, NULL, NULL }
};

/* Calls that are as right from a crew's thread: of teams.c, or of libgomp itself,
   about what all threads of a team have in common.  */
static const char *const others[] = {
  "GOMP_teams", "GOMP_teams4", "GOMP_parallel", "GOMP_parallel_sections",
  "GOMP_parallel_loop_static", "GOMP_parallel_loop_dynamic",
  "GOMP_parallel_loop_guided", "GOMP_parallel_loop_nonmonotonic_dynamic",
  "GOMP_parallel_loop_nonmonotonic_guided", "GOMP_parallel_loop_runtime",
  "GOMP_parallel_loop_nonmonotonic_runtime",
  "GOMP_parallel_loop_maybe_nonmonotonic_runtime", "omp_get_team_num",
  "omp_get_num_teams", "omp_is_initial_device", "omp_get_device_num",
  "omp_get_num_devices", "omp_get_thread_limit", "omp_get_wtime",
  "omp_get_wtick", "omp_set_num_threads", "omp_get_team_num_",
  "omp_get_num_teams_", "omp_is_initial_device_", "omp_get_thread_limit_",
  "omp_get_wtime_", "omp_set_num_threads_"
};

static bool
same (const char *name, size_t length, const char *known)
{
  return strlen (known) == length && memcmp (name, known, length) == 0;
}

bool
sim_crew_knows (const char *name, size_t length)
{
  for (const struct sim_wrapper *w = sim_crew_wrappers; w->name; w++)
    if (same (name, length, w->name))
      return true;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (same (name, length, others[i]))
      return true;
  return false;
}
