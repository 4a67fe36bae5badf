/* A launch: teams, warps, barriers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Some threads of the host take teams from the launch, one after another.  A team's warps
   run in turns in the thread that took it, each on a stack of its own: one goes on until
   it waits at a barrier or has gone round loops that wait for others often enough.  What
   ends a warp early (exit, an error) goes back to where the warp began.

   Owns what the threads run on, which stays for the next launch, and what each runs.  */

#include "config.h"
#include "simcuda/ptx/engine.h"
#include "simcuda/fiber/stack.h"
#include "base/clock.h"
#include "base/log.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define WARPS 32		/* Of a team, at most.  */
#define BARRIERS 16
#define WORKERS 64
#define STACK ((size_t) 1 << 20)
#define GUARD ((size_t) 64 << 10)
#define FUEL 4096

struct barrier
{
  unsigned arrived;		/* Threads.  */
  unsigned generation;
};

struct worker;

struct warp
{
  struct ptx_warp abi;		/* First: the two convert.  */
  struct worker *worker;
  struct sim_stack stack;
  char *memory;			/* Of its stack; stays.  */
  bool begun, done;
  struct barrier *waits;	/* At, or NULL.  */
  unsigned generation;		/* As it was then.  */
  jmp_buf begin;
};

/* The launch under way.  */
struct launch
{
  const struct ptx_image *image;
  ptx_kernel *kernel;
  const char *name;
  const void *parameters;
  int device;
  unsigned grid, threads;
  bool has_stacks;
  uint32_t stacks;		/* Where __nvptx_stacks is in shared memory.  */
  unsigned next;		/* Team; atomic.  */
  CUresult error;		/* Atomic.  */
};

/* One thread of the host, and the team that it runs.  */
struct worker
{
  struct launch *launch;
  struct warp *warp;
  char *shared, *locals;
  size_t shared_size;
  struct barrier barrier[BARRIERS];
  u32 step;			/* Of the team: barriers passed, and 1.  */
  struct warp *running;
  u64 called;			/* By a pointer, last: a function.  */
  struct sim_stack *home;	/* The thread's own.  */
};

static __thread struct worker *current;

_Static_assert (PTX_WORKS == UMMGR_WORKS, "kinds of instructions are the same");
u64 ptx_work[PTX_WORKS];

void (*ptx_watch) (const struct ptx_warp *w, const struct ptx_access *access, size_t count,
		   int device);

/* --- what kernels call ---------------------------------------------------- */

static struct warp *
of (struct ptx_warp *w)
{
  return (struct warp *) w;
}

/* The warp's function ends here.  */
static _Noreturn void
leave (struct ptx_warp *w)
{
  longjmp (of (w)->begin, 1);
}

static void
flush (struct ptx_warp *w)
{
  struct worker *worker = of (w)->worker;
  w->step = worker->step;
  if (w->logged && ptx_watch)
    ptx_watch (w, w->log, w->logged, worker->launch->device);
  w->logged = 0;
}

static bool
failed (const struct launch *l)
{
  return __atomic_load_n (&l->error, __ATOMIC_RELAXED) != CUDA_SUCCESS;
}

static void
wait (struct warp *w)
{
  struct worker *worker = w->worker;
  flush (&w->abi);
  sim_stack_switch (worker->home);
  memset (w->abi.last, 0, sizeof w->abi.last);
  worker->running = w;
  if (failed (worker->launch))
    leave (&w->abi);
}

static void
yield (struct ptx_warp *w)
{
  wait (of (w));
  w->fuel = FUEL;
}

static _Noreturn void
fail (struct warp *w, CUresult error)
{
  __atomic_store_n (&w->worker->launch->error, error, __ATOMIC_RELAXED);
  leave (&w->abi);
}

static void
barrier (struct ptx_warp *abi, u32 which, u32 threads, int waits)
{
  struct warp *w = of (abi);
  struct worker *worker = w->worker;
  struct barrier *b = &worker->barrier[which % BARRIERS];
  flush (abi);
  if (!threads)
    threads = abi->ntid_y * 32;
  b->arrived += 32;
  if (b->arrived >= threads)
    {
      b->arrived = 0;
      b->generation++;
      worker->step++;
      return;
    }
  if (!waits)
    return;
  w->waits = b;
  w->generation = b->generation;
  wait (w);
  w->waits = NULL;
}

static u64
timer (struct ptx_warp *w)
{
  return ummgr_nanoseconds (CLOCK_MONOTONIC);
}

static void *
callee (struct ptx_warp *abi, u64 address)
{
  struct warp *w = of (abi);
  if (address == w->worker->called)
    return (void *) (uintptr_t) address;
  if (!ptx_image_is_code (w->worker->launch->image, address))
    {
      ummgr_error ("simcuda: kernel %s: team %u, thread %u calls %#llx, which is no "
		   "function of the GPU's", w->worker->launch->name, abi->ctaid, abi->tid_y,
		   (unsigned long long) address);
      fail (w, CUDA_ERROR_ILLEGAL_ADDRESS);
    }
  w->worker->called = address;
  return (void *) (uintptr_t) address;
}

static _Noreturn void
trap (struct ptx_warp *abi, const char *function, const char *file, int line)
{
  struct warp *w = of (abi);
  if (*file)
    ummgr_error ("simcuda: kernel %s: trap in %s, %s:%d: team %u, thread %u",
		 w->worker->launch->name, function, file, line, abi->ctaid, abi->tid_y);
  else
    ummgr_error ("simcuda: kernel %s: trap in %s: team %u, thread %u",
		 w->worker->launch->name, function, abi->ctaid, abi->tid_y);
  fail (w, CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

static _Noreturn void
unknown (struct ptx_warp *abi, const char *function)
{
  struct warp *w = of (abi);
  ummgr_error ("simcuda: kernel %s reaches %s, which can't be translated", w->worker->launch->name,
	       function);
  fail (w, CUDA_ERROR_INVALID_PTX);
}

static const struct ptx_calls calls = {
  yield, barrier, flush, timer, callee, leave, trap, unknown
};

void
ptx_fault (uintptr_t address, const void *context)
{
  if (!current || !current->running)
    return;
  struct warp *w = current->running;
  sigset_t faults;
  sigemptyset (&faults);
  sigaddset (&faults, SIGSEGV);
  sigaddset (&faults, SIGBUS);
  /* Where accesses are watched, this is the last that was entered.  */
  const char *file;
  int line;
  char where[300] = "";
  if (w->abi.logged
      && ptx_image_site (current->launch->image, w->abi.log[w->abi.logged - 1].site, &file,
			 &line))
    snprintf (where, sizeof where, ", %s:%d", file, line);
  ummgr_error ("simcuda: kernel %s: illegal address %#lx%s: team %u, thread %u",
	       current->launch->name, (unsigned long) address, where, w->abi.ctaid,
	       w->abi.tid_y);
  pthread_sigmask (SIG_UNBLOCK, &faults, NULL);
  sim_mem_as_interrupted (context);
  fail (w, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* --- teams ---------------------------------------------------------------- */

static void
run_warp (void *data)
{
  struct warp *w = data;
  w->worker->running = w;
  if (setjmp (w->begin) == 0)
    w->worker->launch->kernel (&w->abi, w->worker->launch->parameters);
  flush (&w->abi);
  for (int i = 0; i < PTX_WORKS && ptx_watch; i++)
    ptx_work[i] += w->abi.work[i];
  w->done = true;
  sim_stack_switch (w->worker->home);
}

static bool
can_run (const struct warp *w)
{
  return !w->done && !(w->waits && w->waits->generation == w->generation
		       && !failed (w->worker->launch));
}

/* Let W go on until it waits.  */
static void
step (struct warp *w)
{
  if (!w->begun)
    sim_stack_make (&w->stack, w->memory, STACK, run_warp, w);
  w->begun = true;
  sim_stack_switch (&w->stack);
  w->worker->running = NULL;
  if (w->done)
    sim_stack_end (&w->stack);
}

static void
stuck (struct worker *worker)
{
  struct launch *l = worker->launch;
  unsigned waiting = 0;
  for (unsigned i = 0; i < l->threads; i++)
    waiting += !worker->warp[i].done;
  ummgr_error ("simcuda: kernel %s: team %u: %u of %u threads wait at a barrier for others "
	       "that have ended or wait at another; a GPU would wait for ever", l->name,
	       worker->warp[0].abi.ctaid, waiting, l->threads);
  __atomic_store_n (&l->error, CUDA_ERROR_LAUNCH_TIMEOUT, __ATOMIC_RELAXED);
}

static void
prepare (struct worker *worker, unsigned team, unsigned thread)
{
  const struct launch *l = worker->launch;
  struct warp *w = &worker->warp[thread];
  w->worker = worker;
  w->begun = w->done = false;
  w->waits = NULL;
  w->abi.calls = &calls;
  w->abi.shared = worker->shared;
  w->abi.local = worker->locals + (size_t) thread * 32 * PTX_LOCAL_BYTES;
  w->abi.local_top = w->abi.laneid = 0;
  w->abi.tid_y = thread;
  w->abi.ntid_y = l->threads;
  w->abi.ctaid = team;
  w->abi.nctaid = l->grid;
  w->abi.shared_size = worker->shared_size;
  w->abi.fuel = FUEL;
  w->abi.stack_slot
    = l->has_stacks ? (u64 *) (worker->shared + l->stacks) + thread : NULL;
  w->abi.logged = 0;
  memset (w->abi.work, 0, sizeof w->abi.work);
  memset (w->abi.last, 0, sizeof w->abi.last);
}

static void
run_team (struct worker *worker, unsigned team)
{
  struct launch *l = worker->launch;
  memset (worker->barrier, 0, sizeof worker->barrier);
  worker->step = 1;
  for (unsigned i = 0; i < l->threads; i++)
    prepare (worker, team, i);
  for (unsigned left = l->threads; left;)
    {
      bool ran = false;
      for (unsigned i = 0; i < l->threads; i++)
	if (can_run (&worker->warp[i]))
	  {
	    ran = true;
	    step (&worker->warp[i]);
	    left -= worker->warp[i].done;
	  }
      if (!ran)
	stuck (worker);
    }
}

static void
work (struct worker *worker)
{
  struct launch *l = worker->launch;
  worker->home = sim_stack_current ();
  current = worker;
  unsigned team;
  while (!failed (l)
	 && (team = __atomic_fetch_add (&l->next, 1, __ATOMIC_RELAXED)) < l->grid)
    run_team (worker, team);
  current = NULL;
}

/* --- what they run on ----------------------------------------------------- */

/* Under the lock of launches.  */
static struct worker *workers[WORKERS];

static void *
map (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

static bool
get_stack (struct warp *w)
{
  if (w->memory)
    return true;
  char *memory = map (GUARD + STACK);
  if (!memory || mprotect (memory, GUARD, PROT_NONE) != 0)
    return false;
  w->memory = memory + GUARD;
  return true;
}

/* Worker I, with room for LAUNCH; NULL: no memory.  */
static struct worker *
get_worker (unsigned i, struct launch *launch)
{
  struct worker *w = workers[i];
  if (!w)
    w = workers[i] = calloc (1, sizeof *w);
  if (!w)
    return NULL;
  size_t shared = ptx_image_shared (launch->image) + 64;
  if (w->shared_size < shared)
    {
      free (w->shared);
      w->shared = NULL;
      w->shared_size = 0;
      if (posix_memalign ((void **) &w->shared, 64, shared) != 0)
	return NULL;
      w->shared_size = shared;
    }
  if (!w->warp)
    w->warp = calloc (WARPS, sizeof *w->warp);
  if (!w->locals)
    w->locals = map ((size_t) WARPS * 32 * PTX_LOCAL_BYTES);
  bool ok = w->warp && w->locals;
  for (unsigned k = 0; k < launch->threads && ok; k++)
    ok = get_stack (&w->warp[k]);
  w->launch = launch;
  w->called = 0;
  return ok ? w : NULL;
}

/* In one of the threads.  */
struct crew
{
  struct worker *worker[WORKERS];
  unsigned next;		/* Atomic.  */
  unsigned count;
};

static void
join (void *data)
{
  struct crew *crew = data;
  unsigned i = __atomic_fetch_add (&crew->next, 1, __ATOMIC_RELAXED);
  if (i < crew->count)
    work (crew->worker[i]);
}

CUresult
ptx_launch (const struct ptx_image *image, ptx_kernel *kernel, const char *name,
	    const void *parameters, unsigned grid, unsigned threads, int device,
	    unsigned processors,
	    void (*parallel) (void (*function) (void *), void *data, unsigned threads))
{
  struct launch launch = { .image = image, .kernel = kernel, .name = name,
			   .parameters = parameters, .grid = grid, .threads = threads,
			   .device = device };
  struct crew crew = { .next = 0 };
  memset (ptx_work, 0, sizeof ptx_work);
  if (threads > WARPS)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  launch.has_stacks = ptx_image_stacks (image, &launch.stacks);
  /* Who watches wants one order.  */
  unsigned most = ptx_watch || processors < 1 ? 1 : processors;
  most = most < grid ? most : grid;
  while (crew.count < most && crew.count < WORKERS
	 && (crew.worker[crew.count] = get_worker (crew.count, &launch)))
    crew.count++;
  if (!crew.count)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (crew.count == 1)
    join (&crew);
  else
    parallel (join, &crew, crew.count);
  return launch.error;
}
