/* The driver's own threads.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1  */

#pragma once

#include <pthread.h>
#include <signal.h>

/* Start a detached thread that never takes a signal meant for the program.
   The signals of a thread's own faults stay open: the program's handler (or
   the memory half's) has to see those.  0, or an error number.  */
static inline int
sim_thread_start (void *(*function) (void *), void *data)
{
  sigset_t all, old;
  sigfillset (&all);
  sigdelset (&all, SIGSEGV);
  sigdelset (&all, SIGBUS);
  sigdelset (&all, SIGFPE);
  sigdelset (&all, SIGILL);
  sigdelset (&all, SIGTRAP);
  pthread_sigmask (SIG_SETMASK, &all, &old);
  pthread_t thread;
  int error = pthread_create (&thread, NULL, function, data);
  pthread_sigmask (SIG_SETMASK, &old, NULL);
  if (error == 0)
    pthread_detach (thread);
  return error;
}
