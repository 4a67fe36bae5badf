/* The modelled time of each thread of the program.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns these times.  A thread's time is when all that it asked for and waited for is over:
   what it asks for next begins then, at the earliest (uvm/clock.c).  What it computes takes
   no time, nobody models that; and what threads wait for among themselves (locks,
   barriers) is not seen.  So a thread begins at 0, and one that the program made after
   something else was done may be early.

   All is guarded by the machine's lock.  A fault's handler may be another thread than the
   one that it serves, and be in a signal handler: there nothing is registered.  */

#include "config.h"
#include "simcuda/memory/mem.h"

#include <sys/syscall.h>
#include <unistd.h>

struct moment
{
  int tid;			/* 0: not in the list.  */
  bool gone;			/* The thread ends: not again.  */
  double now;
  struct moment *next, **link;
};

static _Thread_local struct moment mine;
static struct moment *all;

/* Faults of threads that are not in the list yet; two in one place take it from each
   other.  */
enum { STRANGERS = 64 };
static struct { int tid; double now; } strangers[STRANGERS];

static pthread_key_t key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void
leave (void *data)
{
  struct moment *m = data;
  if (!sim_machine.up)
    return;			/* In the child of a fork the list is the parent's.  */
  sim_lock ();
  *m->link = m->next;
  if (m->next)
    m->next->link = m->link;
  m->tid = 0;
  m->gone = true;
  sim_unlock ();
}

static void
make_key (void)
{
  pthread_key_create (&key, leave);
}

/* Put M, the calling thread's, in the list.  */
static void
enter (struct moment *m)
{
  m->tid = syscall (SYS_gettid);
  unsigned place = (unsigned) m->tid % STRANGERS;
  if (strangers[place].tid == m->tid && strangers[place].now > m->now)
    m->now = strangers[place].now;
  strangers[place].tid = 0;
  m->next = all;
  m->link = &all;
  if (all)
    all->link = &m->next;
  all = m;
}

/* Lock; the calling thread's.  What may allocate is done before.  */
static struct moment *
lock (void)
{
  struct moment *m = &mine;
  bool fresh = !m->tid && !m->gone;
  if (fresh)
    {
      pthread_once (&once, make_key);
      pthread_setspecific (key, m);
      sim_threads_calls ();
    }
  sim_lock ();
  if (fresh)
    enter (m);
  return m;
}

void
sim_time_lock (void)
{
  const struct moment *m = lock ();
  sim_machine.uvm->at = m->now;
}

void
sim_time_unlock (void)
{
  mine.now = sim_machine.uvm->at;
  sim_unlock ();
}

double *
sim_time_of (int tid)
{
  for (struct moment *m = all; m; m = m->next)
    if (m->tid == tid)
      return &m->now;
  unsigned place = (unsigned) tid % STRANGERS;
  if (strangers[place].tid != tid)
    strangers[place].now = 0;
  strangers[place].tid = tid;
  return &strangers[place].now;
}

double
sim_mem_time (void)
{
  if (!sim_machine.up)
    return 0;
  double now = lock ()->now;
  sim_unlock ();
  return now;
}

void
sim_mem_set_time (double time)
{
  if (!sim_machine.up)
    return;
  lock ()->now = time;
  sim_unlock ();
}

void
sim_mem_wait_until (double time)
{
  if (time > sim_mem_time ())
    sim_mem_set_time (time);
}

double
sim_mem_elapsed (void)
{
  double latest = 0;
  if (!sim_machine.up)
    return 0;
  sim_lock ();
  for (int d = 0; d < sim_machine.devices; d++)
    {
      double end = uvm_end (sim_machine.uvm, d);
      if (end > latest)
	latest = end;
    }
  for (const struct moment *m = all; m; m = m->next)
    if (m->now > latest)
      latest = m->now;
  sim_unlock ();
  return latest;
}

double
sim_model_now (int device)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return 0;
  sim_lock ();
  double now = sim_machine.uvm->device[device].present;
  sim_unlock ();
  return now;
}
