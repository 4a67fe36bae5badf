/* Fibers: functions that wait for each other in one thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the fibers that have ended, whose stacks the next ones use, in whatever
   thread.  */

#include "config.h"
#include "simcuda/run/fiber.h"
#include "base/log.h"
#include "base/tsan.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* At least; as large as a thread's usually is.  What is not touched costs
   nothing.  */
#define STACK ((size_t) 8 << 20)
#define GUARD ((size_t) 64 << 10)

struct sim_fiber
{
  ucontext_t context, caller;
  void (*function) (void *);
  void *data;
  bool ended;
  char *stack;
  struct sim_fiber *next;
  void *tsan, *tsan_caller;	/* base/tsan.h  */
};

static __thread struct sim_fiber *current;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_fiber *spare;	/* Under LOCK.  */

/* As a thread's would be, whose size the user may have raised.  */
static size_t
stack_size (void)
{
  pthread_attr_t attributes;
  size_t size = 0;
  if (pthread_getattr_default_np (&attributes) == 0)
    {
      pthread_attr_getstacksize (&attributes, &size);
      pthread_attr_destroy (&attributes);
    }
  return size > STACK ? size : STACK;
}

static void
to_caller (struct sim_fiber *fiber)
{
  UMMGR_TSAN (__tsan_switch_to_fiber (fiber->tsan_caller, 0));
  swapcontext (&fiber->context, &fiber->caller);
}

/* The fiber's first function.  */
static void
run (void)
{
  struct sim_fiber *fiber = current;
  fiber->function (fiber->data);
  fiber->ended = true;
  to_caller (fiber);
}

static struct sim_fiber *
make (void)
{
  static size_t size;		/* The same for all; under LOCK.  */
  if (!size)
    size = stack_size ();
  struct sim_fiber *fiber = calloc (1, sizeof *fiber);
  char *stack = mmap (NULL, GUARD + size, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
		      -1, 0);
  if (!fiber || stack == MAP_FAILED || mprotect (stack, GUARD, PROT_NONE) != 0)
    {
      ummgr_error ("simcuda: no stack for another of a team's threads: %s",
		   strerror (errno));
      abort ();
    }
  fiber->stack = stack;
  fiber->context.uc_stack.ss_sp = stack + GUARD;
  fiber->context.uc_stack.ss_size = size;
  return fiber;
}

static struct sim_fiber *
take (void)
{
  pthread_mutex_lock (&lock);
  struct sim_fiber *fiber = spare;
  if (fiber)
    spare = fiber->next;
  else
    fiber = make ();
  pthread_mutex_unlock (&lock);
  return fiber;
}

static void
give_back (struct sim_fiber *fiber)
{
  UMMGR_TSAN (__tsan_destroy_fiber (fiber->tsan));
  pthread_mutex_lock (&lock);
  fiber->next = spare;
  spare = fiber;
  pthread_mutex_unlock (&lock);
}

bool
sim_fiber_resume (struct sim_fiber *fiber)
{
  current = fiber;
  UMMGR_TSAN (fiber->tsan_caller = __tsan_get_current_fiber ());
  UMMGR_TSAN (__tsan_switch_to_fiber (fiber->tsan, 0));
  swapcontext (&fiber->caller, &fiber->context);
  current = NULL;
  if (!fiber->ended)
    return true;
  give_back (fiber);
  return false;
}

/* Anew for each function: a context holds the thread's mask of signals, and code
   that ran before may know where the variables of its thread are.  By itself, as
   getcontext might return twice.  */
static __attribute__ ((noinline)) void
prepare (struct sim_fiber *fiber)
{
  stack_t stack = fiber->context.uc_stack;
  getcontext (&fiber->context);
  fiber->context.uc_stack = stack;
  fiber->context.uc_link = NULL;
  makecontext (&fiber->context, run, 0);
}

struct sim_fiber *
sim_fiber_start (void (*function) (void *), void *data)
{
  struct sim_fiber *fiber = take ();
  fiber->function = function;
  fiber->data = data;
  fiber->ended = false;
  UMMGR_TSAN (fiber->tsan = __tsan_create_fiber (0));
  prepare (fiber);
  return sim_fiber_resume (fiber) ? fiber : NULL;
}

void
sim_fiber_wait (void)
{
  to_caller (current);
}
