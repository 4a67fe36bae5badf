/* Fibers: functions that wait for each other in one thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the fibers that have ended, whose stacks the next ones use.  One launch
   runs at a time, so one thread is here at a time, whichever.  */

#include "config.h"
#include "fiber.h"
#include "log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

/* As large as a thread's usually is; what is not touched costs nothing.  */
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
};

static struct sim_fiber *current;
static struct sim_fiber *spare;

/* The fiber's first function; for each function that it is used for.  */
static void
run (void)
{
  for (;;)
    {
      struct sim_fiber *fiber = current;
      fiber->function (fiber->data);
      fiber->ended = true;
      swapcontext (&fiber->context, &fiber->caller);
    }
}

static struct sim_fiber *
make (void)
{
  struct sim_fiber *fiber = calloc (1, sizeof *fiber);
  char *stack = mmap (NULL, GUARD + STACK, PROT_READ | PROT_WRITE,
		      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
		      -1, 0);
  if (!fiber || stack == MAP_FAILED || mprotect (stack, GUARD, PROT_NONE) != 0
      || getcontext (&fiber->context) != 0)
    {
      ummgr_error ("simcuda: no stack for another of a team's threads: %s",
		   strerror (errno));
      abort ();
    }
  fiber->stack = stack;
  fiber->context.uc_stack.ss_sp = stack + GUARD;
  fiber->context.uc_stack.ss_size = STACK;
  makecontext (&fiber->context, run, 0);
  return fiber;
}

bool
sim_fiber_resume (struct sim_fiber *fiber)
{
  current = fiber;
  swapcontext (&fiber->caller, &fiber->context);
  current = NULL;
  if (!fiber->ended)
    return true;
  fiber->next = spare;
  spare = fiber;
  return false;
}

struct sim_fiber *
sim_fiber_start (void (*function) (void *), void *data)
{
  struct sim_fiber *fiber = spare;
  if (fiber)
    spare = fiber->next;
  else
    fiber = make ();
  fiber->function = function;
  fiber->data = data;
  fiber->ended = false;
  return sim_fiber_resume (fiber) ? fiber : NULL;
}

void
sim_fiber_wait (void)
{
  struct sim_fiber *fiber = current;
  swapcontext (&fiber->context, &fiber->caller);
}
