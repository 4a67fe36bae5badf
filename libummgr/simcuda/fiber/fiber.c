/* Fibers: functions that wait for each other in one thread.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the fibers that have ended, whose stacks the next ones use, in whatever
   thread.  */

#include "config.h"
#include "simcuda/fiber/fiber.h"
#include "simcuda/fiber/stack.h"
#include "base/log.h"

#include <errno.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* At least; as large as a thread's usually is.  What is not touched costs
   nothing.  */
#define STACK ((size_t) 8 << 20)
#define GUARD ((size_t) 64 << 10)

struct sim_fiber
{
  struct sim_stack stack;	/* First, so that the current one says which
				   fiber runs.  */
  struct sim_stack *caller;
  void (*function) (void *);
  void *data;
  bool ended;
  char *memory;
  struct sim_fiber *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sim_fiber *spare;	/* Under LOCK.  */
static size_t stack_size;	/* Of all; once there is one.  */

/* As a thread's would be, whose size the user may have raised.  */
static size_t
wanted_size (void)
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

/* The fiber's first function.  */
static void
run (void *own)
{
  struct sim_fiber *fiber = own;
  fiber->function (fiber->data);
  fiber->ended = true;
  sim_stack_switch (fiber->caller);
}

static struct sim_fiber *
make (void)
{
  if (!stack_size)
    stack_size = wanted_size ();
  struct sim_fiber *fiber = calloc (1, sizeof *fiber);
  char *memory = mmap (NULL, GUARD + stack_size, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK,
		       -1, 0);
  if (!fiber || memory == MAP_FAILED
      || mprotect (memory, GUARD, PROT_NONE) != 0)
    {
      ummgr_error ("simcuda: no stack for another of a team's threads: %s",
		   strerror (errno));
      abort ();
    }
  fiber->memory = memory;
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
  sim_stack_end (&fiber->stack);
  pthread_mutex_lock (&lock);
  fiber->next = spare;
  spare = fiber;
  pthread_mutex_unlock (&lock);
}

bool
sim_fiber_resume (struct sim_fiber *fiber)
{
  fiber->caller = sim_stack_current ();
  sim_stack_switch (&fiber->stack);
  if (!fiber->ended)
    return true;
  give_back (fiber);
  return false;
}

/* The stack is made anew for each function: code that ran before may know where the
   variables of its thread are.  */
struct sim_fiber *
sim_fiber_start (void (*function) (void *), void *data)
{
  struct sim_fiber *fiber = take ();
  fiber->function = function;
  fiber->data = data;
  fiber->ended = false;
  sim_stack_make (&fiber->stack, fiber->memory + GUARD, stack_size, run,
		  fiber);
  return sim_fiber_resume (fiber) ? fiber : NULL;
}

void
sim_fiber_wait (void)
{
  struct sim_fiber *fiber = (struct sim_fiber *) sim_stack_current ();
  sim_stack_switch (fiber->caller);
}
