/* Taking a crew's thread its host thread away.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   A thread of a GPU may wait in a loop for what another one writes; a fiber that
   does so has to be interrupted.  Each host thread that carries a part has a timer
   of its own, of the time that it has used, so that the machine's load changes
   nothing; if the same member is seen at two ticks, the next of the part has its
   turn.  Only code of the program's object is left so: whatever a library was
   doing might not bear being begun again before it has ended.  (An allocator that
   is linked into the program itself may not either; and it must be called by a
   member that goes on for longer than all others want to wait.)

   Owns the signal that it takes: of those for real time the last that the program
   has no use for.  Where there is none, or no timer, nobody is interrupted.  */

#include "config.h"
#include "simcuda/run/crew.h"

#include "base/log.h"
#include "simcuda/image/object.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

/* ThreadSanitizer's keeps signals until the thread calls what it knows.  */
#ifdef __SANITIZE_THREAD__
extern int __sigaction (int, const struct sigaction *, struct sigaction *);
#define sigaction(SIGNAL, ACTION, OLD) __sigaction (SIGNAL, ACTION, OLD)
#endif

#define TICK_NS 4000000

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int tick_signal;		/* 0: none.  */
static pthread_key_t at_exit;

/* What the thread has.  */
static __thread struct ticker
{
  bool tried, there;
  bool on;
  timer_t timer;
  unsigned long turn;		/* At the last tick.  */
  uintptr_t lo, hi;		/* The program's code.  */
} ticker;

static inline __attribute__ ((always_inline)) uintptr_t
program_counter (const void *context)
{
  const ucontext_t *uc = context;
#if defined __x86_64__
  return (uintptr_t) uc->uc_mcontext.gregs[REG_RIP];
#elif defined __aarch64__
  return uc->uc_mcontext.pc;
#else
  return uc->uc_mcontext.gp_regs[32];
#endif
}

/* ThreadSanitizer must not see it begin, as its own code may be what the signal
   interrupts.  */
static __attribute__ ((no_sanitize_thread)) void
on_tick (int sig, siginfo_t *info, void *context)
{
  struct ticker *t = &ticker;
  uintptr_t pc = program_counter (context);
  (void) sig;
  if (info->si_code != SI_TIMER || info->si_value.sival_ptr != t || !t->on
      || pc < t->lo || pc >= t->hi
      || __atomic_load_n (&sim_exiting, __ATOMIC_ACQUIRE))
    return;
  unsigned long turn = sim_crew_turn ();
  if (turn && turn == t->turn)
    {
      const ucontext_t *uc = context;
      int error = errno;
      sigset_t mine;
      sim_mem_as_interrupted (context);
      pthread_sigmask (SIG_SETMASK, &uc->uc_sigmask, &mine);
      sim_crew_yield ();
      pthread_sigmask (SIG_SETMASK, &mine, NULL);
      errno = error;
      turn = sim_crew_turn ();
    }
  t->turn = turn;
}

static void
end_thread (void *own)
{
  timer_delete (((struct ticker *) own)->timer);
}

static void
take_signal (void)
{
  struct sigaction action = { .sa_flags = SA_SIGINFO | SA_RESTART }, old;
  action.sa_sigaction = on_tick;
  sigfillset (&action.sa_mask);
  sigdelset (&action.sa_mask, SIGSEGV);
  sigdelset (&action.sa_mask, SIGBUS);
  if (pthread_key_create (&at_exit, end_thread) != 0)
    return;
  for (int s = SIGRTMAX; s >= SIGRTMIN; s--)
    if (sigaction (s, NULL, &old) == 0 && old.sa_handler == SIG_DFL
	&& sigaction (s, &action, NULL) == 0)
      {
	tick_signal = s;
	return;
      }
}

/* Once a thread: its timer, which then goes as long as the thread does, since to
   start one costs as much as a small team.  */
static void
start_timer (struct ticker *t)
{
  t->tried = true;
  pthread_once (&once, take_signal);
  if (!tick_signal)
    return;
  struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID };
  event.sigev_signo = tick_signal;
  event.sigev_value.sival_ptr = t;
  event.sigev_notify_thread_id = (pid_t) syscall (SYS_gettid);
  if (timer_create (CLOCK_THREAD_CPUTIME_ID, &event, &t->timer) != 0)
    {
      ummgr_debug ("simcuda: no timer for a thread: %s", strerror (errno));
      return;
    }
  sigset_t set;
  sigemptyset (&set);
  sigaddset (&set, tick_signal);
  pthread_sigmask (SIG_UNBLOCK, &set, NULL);
  pthread_setspecific (at_exit, t);
  const struct timespec tick = { .tv_nsec = TICK_NS };
  timer_settime (t->timer, 0, &(struct itimerspec) { tick, tick }, NULL);
  t->there = true;
}

/* The segment of code that holds CODE.  */
static bool
find_code (struct ticker *t, uintptr_t code)
{
  struct sim_object object;
  if (!sim_object_find (code, &object))
    return false;
  for (size_t i = 0; i < object.phnum; i++)
    {
      const ElfW (Phdr) *p = &object.phdr[i];
      uintptr_t start = object.bias + p->p_vaddr;
      if (p->p_type == PT_LOAD && p->p_flags & PF_X && code - start < p->p_memsz)
	{
	  t->lo = start;
	  t->hi = start + p->p_memsz;
	  return true;
	}
    }
  return false;
}

void
sim_preempt_begin (void (*code) (void *))
{
  struct ticker *t = &ticker;
  uintptr_t address = (uintptr_t) code;
  if (!t->tried)
    start_timer (t);
  if (t->there && (address - t->lo < t->hi - t->lo || find_code (t, address)))
    {
      t->turn = 0;
      __atomic_signal_fence (__ATOMIC_SEQ_CST);
      t->on = true;
    }
}

void
sim_preempt_end (void)
{
  ticker.on = false;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}
