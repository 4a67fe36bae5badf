/* A launch: teams, warps, barriers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Teams run one after another in the launch thread, a team's warps in turns, each on a
   stack of its own: one goes on until it waits at a barrier or has gone round loops that
   wait for others often enough.  What ends a warp early (exit, an error) goes back to
   where the warp began.

   Owns what the calling thread's launch is.  */

#include "config.h"
#include "simcuda/ptx/engine.h"
#include "simcuda/fiber/stack.h"
#include "base/log.h"

#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define WARPS 32		/* Of a team, at most.  */
#define BARRIERS 16
#define STACK ((size_t) 1 << 20)
#define GUARD ((size_t) 64 << 10)

struct barrier
{
  unsigned arrived;		/* Threads.  */
  unsigned generation;
};

struct launch;

struct warp
{
  struct ptx_warp abi;		/* First: the two convert.  */
  struct launch *launch;
  struct sim_stack stack;
  char *memory;			/* Of its stack; stays.  */
  bool begun, done;
  struct barrier *waits;	/* At, or NULL.  */
  unsigned generation;		/* As it was then.  */
  jmp_buf begin;
};

struct launch
{
  const struct ptx_image *image;
  ptx_kernel *kernel;
  const char *name;
  const void *parameters;
  int device;
  CUresult error;
  struct barrier barrier[BARRIERS];
  u32 step;			/* Of the team: barriers passed, and 1.  */
  struct warp *running;
  struct sim_stack *home;	/* The thread's own.  */
};

static __thread struct launch *current;

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
  w->step = of (w)->launch->step;
  if (w->logged && ptx_watch)
    ptx_watch (w, w->log, w->logged, of (w)->launch->device);
  w->logged = 0;
}

static void
wait (struct warp *w)
{
  struct launch *l = w->launch;
  flush (&w->abi);
  sim_stack_switch (l->home);
  l->running = w;
  if (l->error)
    leave (&w->abi);
}

static void
yield (struct ptx_warp *w)
{
  wait (of (w));
  w->fuel = 4096;
}

static _Noreturn void
fail (struct warp *w, CUresult error)
{
  w->launch->error = error;
  leave (&w->abi);
}

static void
barrier (struct ptx_warp *abi, u32 which, u32 threads, int waits)
{
  struct warp *w = of (abi);
  struct launch *l = w->launch;
  struct barrier *b = &l->barrier[which % BARRIERS];
  flush (abi);
  if (!threads)
    threads = abi->ntid_y * 32;
  b->arrived += 32;
  if (b->arrived >= threads)
    {
      b->arrived = 0;
      b->generation++;
      l->step++;
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
  struct timespec t;
  clock_gettime (CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000ull + t.tv_nsec;
}

static void *
callee (struct ptx_warp *abi, u64 address)
{
  struct warp *w = of (abi);
  if (!ptx_image_is_code (w->launch->image, address))
    {
      ummgr_error ("simcuda: kernel %s: team %u, thread %u calls %#llx, which is no "
		   "function of the GPU's", w->launch->name, abi->ctaid, abi->tid_y,
		   (unsigned long long) address);
      fail (w, CUDA_ERROR_ILLEGAL_ADDRESS);
    }
  return (void *) (uintptr_t) address;
}

static _Noreturn void
trap (struct ptx_warp *abi, const char *function, int line)
{
  struct warp *w = of (abi);
  if (line)
    ummgr_error ("simcuda: kernel %s: trap in %s, line %d: team %u, thread %u",
		 w->launch->name, function, line, abi->ctaid, abi->tid_y);
  else
    ummgr_error ("simcuda: kernel %s: trap in %s: team %u, thread %u", w->launch->name,
		 function, abi->ctaid, abi->tid_y);
  fail (w, CUDA_ERROR_ILLEGAL_INSTRUCTION);
}

static _Noreturn void
unknown (struct ptx_warp *abi, const char *function)
{
  struct warp *w = of (abi);
  ummgr_error ("simcuda: kernel %s reaches %s, which can't be translated", w->launch->name,
	       function);
  fail (w, CUDA_ERROR_INVALID_PTX);
}

static const struct ptx_calls calls = {
  yield, barrier, flush, timer, timer, callee, leave, trap, unknown
};

void
ptx_fault (uintptr_t address, const void *context)
{
  struct launch *l = current;
  if (!l || !l->running)
    return;
  struct warp *w = l->running;
  sigset_t faults;
  sigemptyset (&faults);
  sigaddset (&faults, SIGSEGV);
  sigaddset (&faults, SIGBUS);
  ummgr_error ("simcuda: kernel %s: illegal address %#lx: team %u, thread %u", l->name,
	       (unsigned long) address, w->abi.ctaid, w->abi.tid_y);
  pthread_sigmask (SIG_UNBLOCK, &faults, NULL);
  fail (w, CUDA_ERROR_ILLEGAL_ADDRESS);
}

/* --- teams ---------------------------------------------------------------- */

static void
run_warp (void *data)
{
  struct warp *w = data;
  w->launch->running = w;
  if (setjmp (w->begin) == 0)
    w->launch->kernel (&w->abi, w->launch->parameters);
  flush (&w->abi);
  w->done = true;
  sim_stack_switch (w->launch->home);
}

static bool
can_run (const struct warp *w)
{
  return !w->done && !(w->waits && w->waits->generation == w->generation
		       && !w->launch->error);
}

/* Let W go on until it waits.  */
static void
step (struct warp *w)
{
  struct launch *l = w->launch;
  if (!w->begun)
    sim_stack_make (&w->stack, w->memory, STACK, run_warp, w);
  w->begun = true;
  sim_stack_switch (&w->stack);
  l->running = NULL;
  if (w->done)
    sim_stack_end (&w->stack);
}

static void
stuck (struct launch *l, const struct warp *warp, unsigned threads)
{
  unsigned waiting = 0;
  const struct warp *first = NULL;
  for (unsigned i = 0; i < threads; i++)
    if (!warp[i].done)
      {
	waiting++;
	first = first ? first : &warp[i];
      }
  ummgr_error ("simcuda: kernel %s: team %u: %u of %u threads wait at a barrier for others "
	       "that have ended or wait at another; a GPU would wait for ever", l->name,
	       first->abi.ctaid, waiting, threads);
  l->error = CUDA_ERROR_LAUNCH_TIMEOUT;
}

static void
run_team (struct launch *l, struct warp *warp, unsigned threads)
{
  memset (l->barrier, 0, sizeof l->barrier);
  l->step = 1;
  for (unsigned left = threads; left;)
    {
      bool ran = false;
      for (unsigned i = 0; i < threads; i++)
	if (can_run (&warp[i]))
	  {
	    ran = true;
	    step (&warp[i]);
	    left -= warp[i].done;
	  }
      if (!ran)
	stuck (l, warp, threads);
    }
}

static void
prepare (struct warp *w, struct launch *l, unsigned team, unsigned grid, unsigned thread,
	 unsigned threads, char *shared, char *local, const uint32_t *stacks)
{
  w->launch = l;
  w->begun = w->done = false;
  w->waits = NULL;
  w->abi.calls = &calls;
  w->abi.shared = shared;
  w->abi.local = local + (size_t) thread * 32 * PTX_LOCAL_BYTES;
  w->abi.local_top = w->abi.laneid = 0;
  w->abi.tid_y = thread;
  w->abi.ntid_y = threads;
  w->abi.ctaid = team;
  w->abi.nctaid = grid;
  w->abi.smid = 0;
  w->abi.nsmid = 1;
  w->abi.shared_size = ptx_image_shared (l->image);
  w->abi.fuel = 4096;
  w->abi.stack_slot = stacks ? (u64 *) (shared + *stacks) + thread : NULL;
  w->abi.logged = 0;
}

/* What launches reuse; under the launches' lock.  */
static struct warp *warps;
static char *locals;

static void *
map (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return p == MAP_FAILED ? NULL : p;
}

/* For THREADS warps at a time.  */
static bool
get_room (unsigned threads)
{
  if (!warps)
    warps = calloc (WARPS, sizeof *warps);
  if (!locals)
    locals = map ((size_t) WARPS * 32 * PTX_LOCAL_BYTES);
  if (!warps || !locals)
    return false;
  for (unsigned i = 0; i < threads; i++)
    if (!warps[i].memory)
      {
	char *memory = map (GUARD + STACK);
	if (!memory || mprotect (memory, GUARD, PROT_NONE) != 0)
	  return false;
	warps[i].memory = memory + GUARD;
      }
  return true;
}

CUresult
ptx_launch (const struct ptx_image *image, ptx_kernel *kernel, const char *name,
	    const void *parameters, unsigned grid, unsigned threads, int device)
{
  struct launch launch = { .image = image, .kernel = kernel, .name = name,
			   .parameters = parameters, .device = device };
  uint32_t stacks;
  bool has_stacks = ptx_image_stacks (image, &stacks);
  char *shared = NULL;
  if (threads > WARPS || !get_room (threads)
      || posix_memalign ((void **) &shared, 64, ptx_image_shared (image) + 64) != 0)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  launch.home = sim_stack_current ();
  current = &launch;
  for (unsigned team = 0; team < grid && !launch.error; team++)
    {
      for (unsigned i = 0; i < threads; i++)
	prepare (&warps[i], &launch, team, grid, i, threads, shared, locals,
		 has_stacks ? &stacks : NULL);
      run_team (&launch, warps, threads);
    }
  current = NULL;
  free (shared);
  return launch.error;
}
