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

enum
{
  LOOP_STATIC_START,
  LOOP_STATIC_NEXT,
  LOOP_DYNAMIC_START,
  LOOP_DYNAMIC_NEXT,
  LOOP_GUIDED_START,
  LOOP_GUIDED_NEXT,
  LOOP_NONMONOTONIC_DYNAMIC_START,
  LOOP_NONMONOTONIC_DYNAMIC_NEXT,
  LOOP_NONMONOTONIC_GUIDED_START,
  LOOP_NONMONOTONIC_GUIDED_NEXT,
  LOOP_RUNTIME_START,
  LOOP_RUNTIME_NEXT,
  LOOP_NONMONOTONIC_RUNTIME_START,
  LOOP_NONMONOTONIC_RUNTIME_NEXT,
  LOOP_MAYBE_NONMONOTONIC_RUNTIME_START,
  LOOP_MAYBE_NONMONOTONIC_RUNTIME_NEXT,
  LOOP_END,
  LOOP_END_NOWAIT,
  BARRIER,
  ATOMIC_START,
  ATOMIC_END,
  CRITICAL_START,
  CRITICAL_END,
  CRITICAL_NAME_START,
  CRITICAL_NAME_END,
  TASK,
  TASKWAIT,
  TASKYIELD,
  TASKGROUP_START,
  TASKGROUP_END,
  SECTIONS_START,
  SECTIONS_NEXT,
  SECTIONS_END,
  SECTIONS_END_NOWAIT,
  SINGLE_START,
  SINGLE_COPY_START,
  SINGLE_COPY_END,
  THREAD_NUM,
  THREAD_NUM_F,
  NUM_THREADS,
  NUM_THREADS_F,
  MAX_THREADS,
  MAX_THREADS_F,
  IN_PARALLEL,
  IN_PARALLEL_F,
  LEVEL,
  LEVEL_F
};
#define REAL(INDEX, TYPE) ((TYPE) SIM_REAL (sim_crew_wrappers[INDEX]))

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

#define START(NAME, INDEX)                                                    \
  static bool NAME (long start, long end, long step, long chunk, long *first, \
		    long *last)                                               \
  {                                                                           \
    return sim_crew_here                                                     \
	     ? begin_loop (start, end, step, chunk, first, last)              \
	     : REAL (INDEX, start_fn *) (start, end, step, chunk, first,      \
					 last);                               \
  }
/* A schedule is for libgomp to choose: one iteration at a time.  */
#define START_RUNTIME(NAME, INDEX)                                            \
  static bool NAME (long start, long end, long step, long *first, long *last) \
  {                                                                           \
    return sim_crew_here                                                     \
	     ? begin_loop (start, end, step, 1, first, last)                  \
	     : REAL (INDEX, start_runtime_fn *) (start, end, step, first,     \
						 last);                       \
  }
#define NEXT(NAME, INDEX)                                                     \
  static bool NAME (long *first, long *last)                                  \
  {                                                                           \
    return sim_crew_here ? next_chunk (first, last)                          \
			  : REAL (INDEX, next_fn *) (first, last);            \
  }

START (loop_static_start, LOOP_STATIC_START)
NEXT (loop_static_next, LOOP_STATIC_NEXT)
START (loop_dynamic_start, LOOP_DYNAMIC_START)
NEXT (loop_dynamic_next, LOOP_DYNAMIC_NEXT)
START (loop_guided_start, LOOP_GUIDED_START)
NEXT (loop_guided_next, LOOP_GUIDED_NEXT)
START (loop_nonmonotonic_dynamic_start, LOOP_NONMONOTONIC_DYNAMIC_START)
NEXT (loop_nonmonotonic_dynamic_next, LOOP_NONMONOTONIC_DYNAMIC_NEXT)
START (loop_nonmonotonic_guided_start, LOOP_NONMONOTONIC_GUIDED_START)
NEXT (loop_nonmonotonic_guided_next, LOOP_NONMONOTONIC_GUIDED_NEXT)
START_RUNTIME (loop_runtime_start, LOOP_RUNTIME_START)
NEXT (loop_runtime_next, LOOP_RUNTIME_NEXT)
START_RUNTIME (loop_nonmonotonic_runtime_start, LOOP_NONMONOTONIC_RUNTIME_START)
NEXT (loop_nonmonotonic_runtime_next, LOOP_NONMONOTONIC_RUNTIME_NEXT)
START_RUNTIME (loop_maybe_nonmonotonic_runtime_start, LOOP_MAYBE_NONMONOTONIC_RUNTIME_START)
NEXT (loop_maybe_nonmonotonic_runtime_next, LOOP_MAYBE_NONMONOTONIC_RUNTIME_NEXT)

/* --- waiting ------------------------------------------------------------- */

typedef void plain_fn (void);

#define WAIT(NAME, INDEX)                                                     \
  static void NAME (void)                                                     \
  {                                                                           \
    if (sim_crew_here)                                                       \
      sim_crew_barrier ();                                                   \
    else                                                                      \
      REAL (INDEX, plain_fn *) ();                                            \
  }
#define IGNORE(NAME, INDEX)                                                   \
  static void NAME (void)                                                     \
  {                                                                           \
    if (!sim_crew_here)                                                      \
      REAL (INDEX, plain_fn *) ();                                            \
  }

WAIT (barrier, BARRIER)
WAIT (loop_end, LOOP_END)
IGNORE (loop_end_nowait, LOOP_END_NOWAIT)
WAIT (sections_end, SECTIONS_END)
IGNORE (sections_end_nowait, SECTIONS_END_NOWAIT)

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

#define EXCLUSIVE(NAME, INDEX, DO, WHICH)                                     \
  static void NAME (void)                                                     \
  {                                                                           \
    if (sim_crew_here)                                                        \
      DO (WHICH);                                                             \
    else                                                                      \
      REAL (INDEX, plain_fn *) ();                                            \
  }

static const char atomics, unnamed;

EXCLUSIVE (atomic_start, ATOMIC_START, enter, &atomics)
EXCLUSIVE (atomic_end, ATOMIC_END, leave, &atomics)
EXCLUSIVE (critical_start, CRITICAL_START, enter, &unnamed)
EXCLUSIVE (critical_end, CRITICAL_END, leave, &unnamed)

typedef void named_fn (void **);

static void
critical_name_start (void **name)
{
  if (sim_crew_here)
    enter (name);
  else
    REAL (CRITICAL_NAME_START, named_fn *) (name);
}

static void
critical_name_end (void **name)
{
  if (sim_crew_here)
    leave (name);
  else
    REAL (CRITICAL_NAME_END, named_fn *) (name);
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
    REAL (TASK, task_fn *) (function, data, copy, size, align, if_clause,
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
IGNORE (taskwait, TASKWAIT)
IGNORE (taskyield, TASKYIELD)
IGNORE (taskgroup_start, TASKGROUP_START)
IGNORE (taskgroup_end, TASKGROUP_END)

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
    return REAL (SECTIONS_START, sections_start_fn *) (count);
  return begin_loop (1, (long) count + 1, 1, 1, &first, &last)
	 ? (unsigned) first : 0;
}

static unsigned
sections_next (void)
{
  return sim_crew_here ? next_section ()
			: REAL (SECTIONS_NEXT, sections_next_fn *) ();
}

static bool
single_start (void)
{
  return sim_crew_here ? sim_crew_member ()->number == 0
			: REAL (SINGLE_START, single_fn *) ();
}

/* What thread 0 tells the others; they have read it before it can tell them
   more, since the compiler puts a barrier behind.  */
static void *word;

/* Thread 0 is told to run it, and the others wait for its word.  */
static void *
single_copy_start (void)
{
  if (!sim_crew_here)
    return REAL (SINGLE_COPY_START, copy_start_fn *) ();
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
      REAL (SINGLE_COPY_END, copy_end_fn *) (told);
      return;
    }
  word = told;
  sim_crew_barrier ();
}

/* --- queries ------------------------------------------------------------- */

typedef int query_fn (void);

#define QUERY(NAME, INDEX, ANSWER)                                            \
  static int NAME (void)                                                      \
  {                                                                           \
    return sim_crew_here ? (int) (ANSWER) : REAL (INDEX, query_fn *) ();     \
  }
/* C's, and Fortran's.  */
#define QUERIES(NAME, INDEX, ANSWER)                                          \
  QUERY (NAME, INDEX, ANSWER)                                                 \
  QUERY (NAME##_f, INDEX##_F, ANSWER)

QUERIES (thread_num, THREAD_NUM, sim_crew_member ()->number)
QUERIES (num_threads, NUM_THREADS, sim_crew_member ()->threads)
QUERIES (in_parallel, IN_PARALLEL, sim_crew_member ()->level > 0
	 && sim_crew_member ()->threads > 1)
QUERIES (level, LEVEL, sim_crew_member ()->level)

/* Who asks for no order asks libgomp, whose control variables are the
   region's.  */
#define MAX_QUERY(NAME, INDEX)                                                \
  static int NAME (void)                                                      \
  {                                                                           \
    return sim_wide_here ? (int) sim_wide_threads (0)                       \
			  : REAL (INDEX, query_fn *) ();                      \
  }
MAX_QUERY (max_threads, MAX_THREADS)
MAX_QUERY (max_threads_f, MAX_THREADS_F)

/* --- the table ----------------------------------------------------------- */

struct sim_wrapper sim_crew_wrappers[] = {
  [LOOP_STATIC_START] = { "GOMP_loop_static_start", loop_static_start, NULL },
  [LOOP_STATIC_NEXT] = { "GOMP_loop_static_next", loop_static_next, NULL },
  [LOOP_DYNAMIC_START]
    = { "GOMP_loop_dynamic_start", loop_dynamic_start, NULL },
  [LOOP_DYNAMIC_NEXT] = { "GOMP_loop_dynamic_next", loop_dynamic_next, NULL },
  [LOOP_GUIDED_START] = { "GOMP_loop_guided_start", loop_guided_start, NULL },
  [LOOP_GUIDED_NEXT] = { "GOMP_loop_guided_next", loop_guided_next, NULL },
  [LOOP_NONMONOTONIC_DYNAMIC_START]
    = { "GOMP_loop_nonmonotonic_dynamic_start", loop_nonmonotonic_dynamic_start, NULL },
  [LOOP_NONMONOTONIC_DYNAMIC_NEXT]
    = { "GOMP_loop_nonmonotonic_dynamic_next", loop_nonmonotonic_dynamic_next, NULL },
  [LOOP_NONMONOTONIC_GUIDED_START]
    = { "GOMP_loop_nonmonotonic_guided_start", loop_nonmonotonic_guided_start, NULL },
  [LOOP_NONMONOTONIC_GUIDED_NEXT]
    = { "GOMP_loop_nonmonotonic_guided_next", loop_nonmonotonic_guided_next, NULL },
  [LOOP_RUNTIME_START]
    = { "GOMP_loop_runtime_start", loop_runtime_start, NULL },
  [LOOP_RUNTIME_NEXT] = { "GOMP_loop_runtime_next", loop_runtime_next, NULL },
  [LOOP_NONMONOTONIC_RUNTIME_START]
    = { "GOMP_loop_nonmonotonic_runtime_start", loop_nonmonotonic_runtime_start, NULL },
  [LOOP_NONMONOTONIC_RUNTIME_NEXT]
    = { "GOMP_loop_nonmonotonic_runtime_next", loop_nonmonotonic_runtime_next, NULL },
  [LOOP_MAYBE_NONMONOTONIC_RUNTIME_START]
    = { "GOMP_loop_maybe_nonmonotonic_runtime_start", loop_maybe_nonmonotonic_runtime_start, NULL },
  [LOOP_MAYBE_NONMONOTONIC_RUNTIME_NEXT]
    = { "GOMP_loop_maybe_nonmonotonic_runtime_next", loop_maybe_nonmonotonic_runtime_next, NULL },
  [LOOP_END] = { "GOMP_loop_end", loop_end, NULL },
  [LOOP_END_NOWAIT] = { "GOMP_loop_end_nowait", loop_end_nowait, NULL },
  [BARRIER] = { "GOMP_barrier", barrier, NULL },
  [ATOMIC_START] = { "GOMP_atomic_start", atomic_start, NULL },
  [ATOMIC_END] = { "GOMP_atomic_end", atomic_end, NULL },
  [CRITICAL_START] = { "GOMP_critical_start", critical_start, NULL },
  [CRITICAL_END] = { "GOMP_critical_end", critical_end, NULL },
  [CRITICAL_NAME_START]
    = { "GOMP_critical_name_start", critical_name_start, NULL },
  [CRITICAL_NAME_END] = { "GOMP_critical_name_end", critical_name_end, NULL },
  [TASK] = { "GOMP_task", task, NULL },
  [TASKWAIT] = { "GOMP_taskwait", taskwait, NULL },
  [TASKYIELD] = { "GOMP_taskyield", taskyield, NULL },
  [TASKGROUP_START] = { "GOMP_taskgroup_start", taskgroup_start, NULL },
  [TASKGROUP_END] = { "GOMP_taskgroup_end", taskgroup_end, NULL },
  [SECTIONS_START] = { "GOMP_sections_start", sections_start, NULL },
  [SECTIONS_NEXT] = { "GOMP_sections_next", sections_next, NULL },
  [SECTIONS_END] = { "GOMP_sections_end", sections_end, NULL },
  [SECTIONS_END_NOWAIT]
    = { "GOMP_sections_end_nowait", sections_end_nowait, NULL },
  [SINGLE_START] = { "GOMP_single_start", single_start, NULL },
  [SINGLE_COPY_START] = { "GOMP_single_copy_start", single_copy_start, NULL },
  [SINGLE_COPY_END] = { "GOMP_single_copy_end", single_copy_end, NULL },
  [THREAD_NUM] = { "omp_get_thread_num", thread_num, NULL },
  [THREAD_NUM_F] = { "omp_get_thread_num_", thread_num_f, NULL },
  [NUM_THREADS] = { "omp_get_num_threads", num_threads, NULL },
  [NUM_THREADS_F] = { "omp_get_num_threads_", num_threads_f, NULL },
  [MAX_THREADS] = { "omp_get_max_threads", max_threads, NULL },
  [MAX_THREADS_F] = { "omp_get_max_threads_", max_threads_f, NULL },
  [IN_PARALLEL] = { "omp_in_parallel", in_parallel, NULL },
  [IN_PARALLEL_F] = { "omp_in_parallel_", in_parallel_f, NULL },
  [LEVEL] = { "omp_get_level", level, NULL },
  [LEVEL_F] = { "omp_get_level_", level_f, NULL },
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
