/* A launch: teams, warps, barriers.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Where nobody asks for accesses, some threads of the host take teams from the launch, one
   after another.  A team's warps run in turns in the thread that took it, each on a stack
   of its own: one goes on until it waits at a barrier or has gone round loops that wait
   for others often enough.  Else a GPU (gpu/gpu.h) has as many teams under way as fit it,
   all in one thread: a warp runs ahead until its log is full, and then waits until the
   GPU's time has come for all that is in it; at a barrier it arrives only then.  What ends
   a warp early (exit, an error) goes back to where the warp began.

   Owns what the threads run on, which stays for the next launch, and what each runs.  */

#include "config.h"
#include "simcuda/ptx/engine.h"
#include "simcuda/fiber/stack.h"
#include "base/clock.h"
#include "base/grow.h"
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
  unsigned trues;		/* Of those that are there, or about to arrive: whose predicate holds.  */
  /* As it was passed last: nobody arrives before all have seen it.  */
  unsigned passed, passed_trues;
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
  /* Of a GPU's.  */
  bool told;			/* Its log.  */
  u32 issued;			/* Instructions that were told.  */
  struct barrier *arrives;	/* When all before is told; or NULL.  */
  u32 arrives_threads;
  bool arrives_waits;
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
  size_t shared;		/* A team's.  */
  unsigned shared_more;		/* Of that, what the launch asked for.  */
  bool has_stacks;
  uint32_t stacks;		/* Where __nvptx_stacks is in shared memory.  */
  unsigned next;		/* Team; atomic.  */
  CUresult error;		/* Atomic.  */
  struct ptx_model *model;	/* Who asks for accesses, or NULL.  */
};

/* One thread of the host, and the team that it runs.  */
struct worker
{
  struct launch *launch;
  struct warp *warp;
  unsigned warps;		/* That WARP has room for.  */
  char *shared, *locals;
  size_t shared_size;
  unsigned locals_warps;
  struct barrier barrier[BARRIERS];
  u32 step;			/* Of the team: barriers passed, and 1.  */
  struct warp *running;
  u64 called;			/* By a pointer, last: a function.  */
  struct sim_stack *home;	/* The thread's own.  */
};

static __thread struct worker *current;

_Static_assert (PTX_WORKS == UMMGR_WORKS, "kinds of instructions are the same");
u64 ptx_work[PTX_WORKS];

_Static_assert (sizeof (struct ptx_access) == sizeof (struct ummgr_gpu_access)
		&& offsetof (struct ptx_access, more)
		   == offsetof (struct ummgr_gpu_access, more)
		&& offsetof (struct ptx_access, issued)
		   == offsetof (struct ummgr_gpu_access, issued), "accesses are the same");

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

static bool
failed (const struct launch *l)
{
  return __atomic_load_n (&l->error, __ATOMIC_RELAXED) != CUDA_SUCCESS;
}

static void
wait (struct warp *w)
{
  struct worker *worker = w->worker;
  sim_stack_switch (worker->home);
  memset (w->abi.last, 0, sizeof w->abi.last);
  worker->running = w;
  if (failed (worker->launch))
    leave (&w->abi);
}

/* W's log is full.  */
static void
flush (struct ptx_warp *w)
{
  wait (of (w));
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

/* W is at barrier B, for THREADS in all.  False: it waits there.  */
static bool
arrive (struct warp *w, struct barrier *b, u32 threads, bool waits)
{
  struct worker *worker = w->worker;
  b->arrived += 32;
  if (b->arrived >= threads)
    {
      b->passed = b->arrived;
      b->passed_trues = b->trues;
      b->arrived = b->trues = 0;
      b->generation++;
      worker->step++;
      return true;
    }
  if (!waits)
    return true;
  w->waits = b;
  w->generation = b->generation;
  return false;
}

static void
barrier (struct ptx_warp *abi, u32 which, u32 threads, int waits)
{
  struct warp *w = of (abi);
  struct barrier *b = &w->worker->barrier[which % BARRIERS];
  if (!threads)
    threads = abi->ntid_y * 32;
  if (w->worker->launch->model)
    {
      w->arrives = b;
      w->arrives_threads = threads;
      w->arrives_waits = waits;
      wait (w);
    }
  else if (!arrive (w, b, threads, waits))
    wait (w);
  w->waits = NULL;
}

static u32
reduce (struct ptx_warp *abi, u32 which, u32 threads, u32 trues, enum ptx_reduction how)
{
  struct barrier *b = &of (abi)->worker->barrier[which % BARRIERS];
  b->trues += trues;
  barrier (abi, which, threads, true);
  return how == PTX_ANY ? b->passed_trues > 0 : how == PTX_ALL ? b->passed_trues == b->passed : b->passed_trues;
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
  yield, barrier, flush, timer, callee, leave, trap, unknown, reduce
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
  for (int i = 0; i < PTX_WORKS && w->worker->launch->model; i++)
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
  w->abi.shared_size = l->shared;
  w->abi.shared_more = l->shared_more;
  w->abi.fuel = FUEL;
  w->abi.stack_slot
    = l->has_stacks ? (u64 *) (worker->shared + l->stacks) + thread : NULL;
  w->abi.stacks = l->model ? l->model->stacks : 0;
  w->abi.stacks_size = l->model ? l->model->stacks_size : 0;
  w->abi.logged = 0;
  w->told = false;
  w->abi.issued = w->issued = 0;
  w->arrives = NULL;
  memset (w->abi.work, 0, sizeof w->abi.work);
  memset (w->abi.last, 0, sizeof w->abi.last);
}

static void
begin_team (struct worker *worker, unsigned team)
{
  memset (worker->barrier, 0, sizeof worker->barrier);
  worker->step = 1;
  for (unsigned i = 0; i < worker->launch->threads; i++)
    prepare (worker, team, i);
}

static void
run_team (struct worker *worker, unsigned team)
{
  struct launch *l = worker->launch;
  begin_team (worker, team);
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
static struct worker **workers;
static size_t workers_room;

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

/* .local memory of a team's warps.  */
static bool
get_locals (struct worker *w, unsigned warps)
{
  if (w->locals_warps >= warps)
    return true;
  if (w->locals)
    munmap (w->locals, (size_t) w->locals_warps * 32 * PTX_LOCAL_BYTES);
  w->locals = map ((size_t) warps * 32 * PTX_LOCAL_BYTES);
  w->locals_warps = w->locals ? warps : 0;
  return w->locals;
}

static bool
get_shared (struct worker *w, size_t size)
{
  if (w->shared_size >= size)
    return true;
  free (w->shared);
  w->shared = NULL;
  w->shared_size = 0;
  if (posix_memalign ((void **) &w->shared, 64, size) != 0)
    return false;
  w->shared_size = size;
  return true;
}

/* Worker I, with room for LAUNCH; NULL: no memory.  */
static struct worker *
get_worker (unsigned i, struct launch *launch)
{
  size_t had = workers_room;
  if (!UMMGR_GROW (workers, workers_room, i + 1))
    return NULL;
  memset (workers + had, 0, (workers_room - had) * sizeof *workers);
  struct worker *w = workers[i];
  if (!w)
    w = workers[i] = calloc (1, sizeof *w);
  if (!w)
    return NULL;
  if (w->warps < launch->threads)
    {
      struct warp *more = reallocarray (w->warp, launch->threads, sizeof *more);
      if (!more)
	return NULL;
      memset (more + w->warps, 0, (launch->threads - w->warps) * sizeof *more);
      w->warp = more;
      w->warps = launch->threads;
    }
  bool ok = get_shared (w, launch->shared + 64)
	    && get_locals (w, launch->threads);
  for (unsigned k = 0; k < launch->threads && ok; k++)
    ok = get_stack (&w->warp[k]);
  w->launch = launch;
  w->called = 0;
  return ok ? w : NULL;
}

/* --- some threads, team by team ---------------------------------------------- */

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

static CUresult
launch_parallel (struct launch *launch, unsigned processors,
		 void (*parallel) (void (*function) (void *), void *data, unsigned threads))
{
  struct crew crew = { .next = 0 };
  unsigned most = processors < 1 ? 1 : processors;
  most = most < launch->grid ? most : launch->grid;
  while (crew.count < most && crew.count < WORKERS
	 && (crew.worker[crew.count] = get_worker (crew.count, launch)))
    crew.count++;
  if (!crew.count)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (crew.count == 1)
    join (&crew);
  else
    parallel (join, &crew, crew.count);
  return launch->error;
}

/* --- a GPU, teams side by side ------------------------------------------------ */

static bool
begin_slot (void *data, unsigned slot, uint32_t team)
{
  struct launch *launch = data;
  struct worker *worker = get_worker (slot, launch);
  if (!worker)
    return false;
  worker->home = sim_stack_current ();
  begin_team (worker, team);
  return true;
}

/* Let W go on until its log is full, or it waits.  */
static void
go_on (struct warp *w)
{
  const struct launch *l = w->worker->launch;
  l->model->lock (false);
  current = w->worker;
  step (w);
  current = NULL;
  l->model->lock (true);
}

/* One of W's instructions is made.  */
static void
made (void *data, unsigned number, const struct ummgr_gpu_access *access, unsigned count)
{
  struct launch *l = data;
  struct worker *worker = workers[number / l->threads];
  struct ptx_warp *w = &worker->warp[number % l->threads].abi;
  w->step = worker->step;
  l->model->told (w, (const struct ptx_access *) access, count, l->device);
}

/* W arrives at the barrier where its log ends.  False: it waits there.  */
static bool
arrives (struct launch *l, struct warp *w, unsigned number)
{
  struct worker *worker = w->worker;
  struct barrier *b = w->arrives;
  w->arrives = NULL;
  ummgr_gpu_arrives (&(struct ummgr_gpu_barrier) {
    .which = b - worker->barrier, .warps = (w->arrives_threads + 31) / 32,
    .passed = b->generation, .waits = w->arrives_waits });
  if (!arrive (w, b, w->arrives_threads, w->arrives_waits))
    return false;
  for (unsigned i = 0; i < l->threads; i++)
    if (worker->warp[i].waits == b && worker->warp[i].generation != b->generation)
      {
	worker->warp[i].waits = NULL;
	ummgr_gpu_wake (ummgr_gpu_running (), number / l->threads * l->threads + i);
      }
  return true;
}

static enum ummgr_gpu_next
next (void *data, unsigned number, struct ummgr_gpu_step *out)
{
  struct launch *l = data;
  struct warp *w = &workers[number / l->threads]->warp[number % l->threads];
  for (int ran = 0;; ran++)
    {
      if (w->abi.logged && !w->told)
	{
	  out->access = (const struct ummgr_gpu_access *) w->abi.log;
	  out->count = w->abi.logged;
	  w->issued = w->abi.log[w->abi.logged - 1].issued;
	  w->told = true;
	  return UMMGR_GPU_STEP;
	}
      w->abi.logged = 0;
      w->told = false;
      out->work = w->abi.issued - w->issued;
      w->abi.issued = w->issued;
      if (failed (l))
	return UMMGR_GPU_FAILS;
      if (out->work)
	return UMMGR_GPU_STEP;
      if (w->done)
	return UMMGR_GPU_ENDS;
      if (w->arrives && !arrives (l, w, number))
	return UMMGR_GPU_WAITS;
      /* It waits for others without an instruction.  */
      out->work = 1;
      if (ran)
	return UMMGR_GPU_STEP;
      go_on (w);
    }
}

/* All warps that have begun leave.  */
static void
abandon (struct launch *l)
{
  for (unsigned s = 0; s < l->model->result.slots && s < workers_room && workers[s]; s++)
    for (unsigned i = 0; workers[s]->launch == l && i < l->threads; i++)
      {
	struct warp *w = &workers[s]->warp[i];
	while (w->begun && !w->done)
	  go_on (w);
      }
}

static void
complain_stuck (struct launch *l)
{
  for (unsigned s = 0; s < l->model->result.slots; s++)
    for (unsigned i = 0; i < l->threads; i++)
      if (workers[s]->warp[i].waits)
	{
	  stuck (workers[s]);
	  return;
	}
}

static CUresult
launch_model (struct launch *l)
{
  struct ptx_model *m = l->model;
  struct ummgr_gpu_options *o = &m->options;
  const struct ummgr_device_shape shape = {
    .teams = l->grid, .warps = l->threads, .registers = ptx_image_registers (l->image),
    .shared = l->shared
  };
  ummgr_gpu_fit (o, &shape);
  o->data = l;
  o->begin = begin_slot;
  o->next = next;
  o->made = m->told ? made : NULL;
  m->lock (true);
  enum ummgr_gpu_end end = ummgr_gpu_run (o, &m->result);
  if (end == UMMGR_GPU_STUCK)
    complain_stuck (l);
  if (end == UMMGR_GPU_NO_MEMORY && !failed (l))
    l->error = CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  if (end != UMMGR_GPU_DONE)
    abandon (l);
  m->lock (false);
  return l->error;
}

CUresult
ptx_launch (const struct ptx_image *image, ptx_kernel *kernel, const char *name,
	    const void *parameters, unsigned grid, unsigned threads, unsigned shared, int device,
	    struct ptx_model *model, unsigned processors,
	    void (*parallel) (void (*function) (void *), void *data, unsigned threads))
{
  struct launch launch = { .image = image, .kernel = kernel, .name = name,
			   .parameters = parameters, .grid = grid, .threads = threads,
			   .shared = ptx_image_shared (image) + shared, .shared_more = shared,
			   .device = device, .model = model };
  memset (ptx_work, 0, sizeof ptx_work);
  if (threads > WARPS)
    return CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES;
  launch.has_stacks = ptx_image_stacks (image, &launch.stacks);
  return model ? launch_model (&launch)
	       : launch_parallel (&launch, processors, parallel);
}
