/* Stacks that one thread changes between: a register or a mode of rounding that a
   change loses or lets through to another stack; a mask of signals, or a system
   call; a stack on which what unwinds it doesn't find an end; a fiber whose stack is
   too small, or not its own.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-additional-options "-O2 -frounding-math -fno-tree-slp-vectorize" } */

#include "config.h"
#include "check.h"
#include "simcuda/fiber/fiber.h"
#include "simcuda/fiber/stack.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

enum { STACKS = 300, ROUNDS = 400, SIZE = 64 << 10 };

static const int modes[]
  = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };

static struct sim_stack stacks[STACKS], *main_stack;
static unsigned done;
static bool over[STACKS];
static uint64_t seed = 1;

static unsigned
next (unsigned below)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned) (seed >> 33) % below;
}

static void *
memory (size_t size)
{
  void *p = mmap (NULL, size, PROT_READ | PROT_WRITE,
		  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  CHECK (p != MAP_FAILED);
  return p;
}

/* --- registers and rounding --------------------------------------------------- */

/* As the unit that counts in doubles and that of the x87 do it.  */
static void
check_mode (int mode)
{
  static const double tiny = 0x1p-60;
  volatile double one = 1, three = 3;
  volatile long double ten = 10;
  CHECK_EQ (fegetround (), mode);
  CHECK (one + tiny == (mode == FE_UPWARD ? 1 + 0x1p-52 : 1));
  CHECK (-one - tiny == (mode == FE_DOWNWARD ? -1 - 0x1p-52 : -1));
  CHECK (one / three * 3 <= 1 || mode == FE_UPWARD);
  bool up = mode == FE_UPWARD;
  CHECK ((1 / ten * ten > 1) == up);
}

static void
go_elsewhere (void)
{
  unsigned to = next (STACKS);
  while (over[to])
    to = (to + 1) % STACKS;
  if (&stacks[to] != sim_stack_current ())
    sim_stack_switch (&stacks[to]);
}

/* More values than there are registers to keep them, all live over each change, and
   each this stack's own; none follows from another.  */
#define VALUES(X)                                                             \
  X (a, 3) X (b, 5) X (c, 7) X (d, 9) X (e, 11) X (f, 13) X (g, 15)           \
  X (h, 17) X (i, 19) X (j, 21) X (k, 23) X (l, 25) X (m, 27)

static uint64_t
grown (uint64_t value, unsigned factor)
{
  for (unsigned n = 0; n < ROUNDS; n++)
    value = value * factor + 1;
  return value;
}

static void
live (void *data)
{
  unsigned number = (struct sim_stack *) data - stacks;
  _Alignas (16) char aligned[16];
  void *address = aligned;
  asm volatile ("" : "+r" (address));
  CHECK ((uintptr_t) address % 16 == 0);
  CHECK_EQ (fegetround (), FE_DOWNWARD);	/* Who made it had that.  */
  fesetround (modes[number % 4]);
#define BEGIN(NAME, FACTOR)                                                   \
  uint64_t NAME = number;                                                     \
  double d##NAME = number;
  VALUES (BEGIN)
  for (unsigned n = 0; n < ROUNDS; n++)
    {
      go_elsewhere ();
#define GROW(NAME, FACTOR)                                                    \
  NAME = NAME * FACTOR + 1;                                                   \
  d##NAME += FACTOR;
      VALUES (GROW)
      CHECK (sim_stack_current () == data);
      check_mode (modes[number % 4]);
    }
#define COMPARE(NAME, FACTOR)                                                 \
  CHECK_EQ (NAME, grown (number, FACTOR));                                    \
  CHECK (d##NAME == number + ROUNDS * FACTOR);
  VALUES (COMPARE)
  over[number] = true;
  if (++done < STACKS)
    go_elsewhere ();
  sim_stack_switch (main_stack);
}

static void
many (void)
{
  main_stack = sim_stack_current ();
  char *all = memory (STACKS * (size_t) SIZE);
  fesetround (FE_DOWNWARD);
  for (unsigned i = 0; i < STACKS; i++)
    /* An end that no call could begin at.  */
    sim_stack_make (&stacks[i], all + i * (size_t) SIZE, SIZE - i % 16, live,
		    &stacks[i]);
  fesetround (FE_UPWARD);
  sim_stack_switch (&stacks[0]);
  CHECK_EQ (done, STACKS);
  CHECK (sim_stack_current () == main_stack);
  check_mode (FE_UPWARD);
  fesetround (FE_TONEAREST);
  for (unsigned i = 0; i < STACKS; i++)
    sim_stack_end (&stacks[i]);
  munmap (all, STACKS * (size_t) SIZE);
}

/* --- signals and system calls ------------------------------------------------- */

static sigset_t wanted;

static void
check_mask (void)
{
  sigset_t now;
  pthread_sigmask (SIG_SETMASK, NULL, &now);
  for (int s = 1; s < SIGRTMAX; s++)
    CHECK_EQ (sigismember (&now, s), sigismember (&wanted, s));
}

static void
masked (void *unused)
{
  (void) unused;
  check_mask ();
  sim_fiber_wait ();
  check_mask ();
}

static void
mask (void)
{
  sigemptyset (&wanted);
  sigaddset (&wanted, SIGUSR1);
  sigaddset (&wanted, SIGRTMIN + 3);
  pthread_sigmask (SIG_SETMASK, &wanted, NULL);
  struct sim_fiber *fiber = sim_fiber_start (masked, NULL);
  check_mask ();
  CHECK (!sim_fiber_resume (fiber));
  check_mask ();
}

#if !defined SIM_STACK_GENERIC && !defined __SANITIZE_ADDRESS__ \
  && !defined __SANITIZE_THREAD__ && (defined __x86_64__ || defined __aarch64__)
static void
back_and_forth (void *unused)
{
  (void) unused;
  for (;;)
    sim_stack_switch (main_stack);
}

/* The kernel kills a process that makes one.  */
static void
no_system_call (void)
{
  struct sim_stack other;
  main_stack = sim_stack_current ();
  sim_stack_make (&other, memory (SIZE), SIZE, back_and_forth, NULL);
  pid_t child = fork ();
  if (child == 0)
    {
      if (prctl (PR_SET_SECCOMP, 1) != 0)
	_exit (0);
      for (int i = 0; i < 100; i++)
	sim_stack_switch (&other);
      syscall (SYS_exit, 0);
    }
  int status;
  CHECK (waitpid (child, &status, 0) == child);
  CHECK_EQ (status, 0);
}
#else
static void
no_system_call (void)
{
}
#endif

/* --- unwinding ---------------------------------------------------------------- */

static _Unwind_Reason_Code
count (struct _Unwind_Context *context, void *data)
{
  (void) context;
  ++*(int *) data;
  return _URC_NO_REASON;
}

static void
unwind (void *caller)
{
  int frames = 0;
  CHECK_EQ (_Unwind_Backtrace (count, &frames), _URC_END_OF_STACK);
  CHECK (frames > 1 && frames < 8);
  sim_stack_switch (caller);
}

static void
clean (void *cleaned)
{
  *(bool *) cleaned = true;
}

/* ThreadSanitizer's pthread_exit is for a thread's first stack.  */
static void
leave (void *cleaned)
{
  pthread_cleanup_push (clean, cleaned);
#ifndef __SANITIZE_THREAD__
  pthread_exit (cleaned);
#endif
  pthread_cleanup_pop (1);
  sim_stack_switch (main_stack);
}

static void *
in_thread (void *cleaned)
{
  struct sim_stack other;
  char *p = memory (SIZE);
  main_stack = sim_stack_current ();
  sim_stack_make (&other, p, SIZE, unwind, main_stack);
  sim_stack_switch (&other);
  sim_stack_end (&other);
  sim_stack_make (&other, p, SIZE, leave, cleaned);
  sim_stack_switch (&other);
  return cleaned;
}

static void
unwinding (void)
{
  bool cleaned = false;
  pthread_t thread;
  void *result;
  CHECK_EQ (pthread_create (&thread, NULL, in_thread, &cleaned), 0);
  CHECK_EQ (pthread_join (thread, &result), 0);
  CHECK (result == &cleaned && cleaned);
}

/* --- fibers ------------------------------------------------------------------- */

/* N frames of 4 KB, of which each knows its own.  */
static __attribute__ ((noinline)) unsigned
deep (unsigned n)
{
  volatile unsigned own[1024];
  own[0] = own[1023] = n;
  if (n == 0)
    sim_fiber_wait ();
  else
    CHECK_EQ (deep (n - 1), n - 1);
  CHECK (own[0] == n && own[1023] == n);
  return own[n & 1 ? 0 : 1023];
}

static void
dive (void *data)
{
  *(unsigned *) data = deep (1500) + 1;
}

static void
fibers (void)
{
  struct sim_fiber *fiber[8];
  unsigned result[8] = { 0 };
  for (int round = 0; round < 2; round++)
    {
      memset (result, 0, sizeof result);
      for (int i = 0; i < 8; i++)
	CHECK ((fiber[i] = sim_fiber_start (dive, &result[i])));
      for (int i = 7; i >= 0; i--)
	{
	  CHECK_EQ (result[i], 0);
	  CHECK (!sim_fiber_resume (fiber[i]));
	  CHECK_EQ (result[i], 1501);
	}
    }
}

int
main (void)
{
  many ();
  mask ();
  no_system_call ();
  fibers ();
  unwinding ();
  return 0;
}
