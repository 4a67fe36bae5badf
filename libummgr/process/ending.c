/* Ends of a process that don't come by exit: signals, and _exit.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the thread that waits for them and the actions of their signals.  What a
   handler touches here is atomic, or set before the handler is installed.  */

#include "config.h"
#include "process/ending.h"
#include "base/clock.h"
#include "base/process.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Those that end a process by default and are sent by somebody: not the ones of
   broken programs, whose state nobody should read.  */
static const int watched[] = { SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM,
  SIGUSR1, SIGUSR2, SIGXCPU, SIGXFSZ };

/* Milliseconds without progress after which a handler returns, and after which
   _exit goes ahead; and nanoseconds from which on a signal is a second one, not
   the same, sent to the process and to its group.  */
#define STALL_SIGNAL 1000
#define STALL_EXIT 5000
#define SECOND UINT64_C (1000000000)

#define BY_EXIT (-1)

static pthread_mutex_t starting = PTHREAD_MUTEX_INITIALIZER;
static void (*finish) (void);
static sem_t wake;
static pid_t owner;		/* Whose thread it is; 0: there is none.  Atomic.  */
static int helper;		/* Its number; 0 until it runs.  Atomic.  */
static clockid_t helper_clock;
static int cause;		/* A signal, BY_EXIT, or 0.  Atomic.  */
static bool done;		/* Atomic.  */
static int exit_status = -1;	/* Of exit or _exit; -1: neither was called.  Atomic.  */
/* What an idle process leaves; set before other threads exist.  */
static const char *idle_file, *idle_text;
static pid_t idle_owner;
static uint64_t since;		/* When the signal came.  Atomic.  */

/* Wait until the helper is done; false if it uses no time for STALL
   milliseconds.  */
static bool
wait_for_helper (unsigned stall)
{
  uint64_t before = 0;
  for (unsigned quiet = 0; quiet < stall; quiet += 10)
    {
      static const struct timespec pause = { 0, 10000000 };
      if (__atomic_load_n (&done, __ATOMIC_ACQUIRE))
	return true;
      uint64_t used = ummgr_nanoseconds (helper_clock);
      if (used != before)
	quiet = 0;
      before = used;
      nanosleep (&pause, NULL);
    }
  return false;
}

/* Let the helper begin because of WHY, unless it has.  */
static bool
begin (int why)
{
  int none = 0;
  if (!__atomic_compare_exchange_n (&cause, &none, why, false,
				    __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return false;
  sem_post (&wake);
  return true;
}

static void
on_signal (int signal)
{
  int saved = errno;
  uint64_t now = ummgr_nanoseconds (CLOCK_MONOTONIC);
  /* A child, of vfork too, or a second signal.  */
  if (__atomic_load_n (&owner, __ATOMIC_ACQUIRE) != getpid ())
    ummgr_process_die (signal);
  else if (begin (signal))
    {
      __atomic_store_n (&since, now, __ATOMIC_RELEASE);
      wait_for_helper (STALL_SIGNAL);
    }
  else if (__atomic_load_n (&cause, __ATOMIC_ACQUIRE) > 0
	   && now - __atomic_load_n (&since, __ATOMIC_ACQUIRE) >= SECOND)
    ummgr_process_die (signal);
  errno = saved;
}

static void *
help (void *unused)
{
  pthread_setname_np (pthread_self (), "ummgr-ending");
  __atomic_store_n (&helper, (int) syscall (SYS_gettid), __ATOMIC_RELEASE);
  while (sem_wait (&wake) != 0)
    ;
  finish ();
  int why = __atomic_load_n (&cause, __ATOMIC_ACQUIRE);
  if (why > 0)
    ummgr_process_die (why);
  __atomic_store_n (&done, true, __ATOMIC_RELEASE);
  return unused;
}

static bool
start_helper (void)
{
  sigset_t all, before;
  pthread_t thread;
  sem_init (&wake, 0, 0);
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, &before);
  int error = pthread_create (&thread, NULL, help, NULL);
  pthread_sigmask (SIG_SETMASK, &before, NULL);
  if (error)
    {
      ummgr_info ("no thread to write the statistics if a signal ends the "
		  "process: %s", strerror (error));
      return false;
    }
  pthread_getcpuclockid (thread, &helper_clock);
  pthread_detach (thread);
  static const struct timespec moment = { 0, 100000 };
  while (!__atomic_load_n (&helper, __ATOMIC_ACQUIRE))
    nanosleep (&moment, NULL);
  return true;
}

/* The first process of a container gets only signals with a handler; it shall not
   get more of them.  */
static void
install (void)
{
  struct sigaction action = { .sa_handler = on_signal,
    .sa_flags = SA_RESTART | SA_ONSTACK | SA_NODEFER }, old;
  for (size_t i = 0; getpid () != 1 && i < sizeof watched / sizeof *watched; i++)
    if (sigaction (watched[i], NULL, &old) == 0
	&& !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL)
      sigaction (watched[i], &action, NULL);
}

static void
on_exit_with (int status, void *unused)
{
  (void) unused;
  __atomic_store_n (&exit_status, status & 0xff, __ATOMIC_RELEASE);
}

int
ummgr_ending_watch (void (*f) (void))
{
  pthread_mutex_lock (&starting);
  if (!__atomic_load_n (&owner, __ATOMIC_ACQUIRE))
    {
      finish = f;
      /* Not in a constructor: it would be called after the destructors.  */
      on_exit (on_exit_with, NULL);
      if (start_helper ())
	{
	  __atomic_store_n (&owner, getpid (), __ATOMIC_RELEASE);
	  install ();
	}
    }
  int number = __atomic_load_n (&helper, __ATOMIC_ACQUIRE);
  pthread_mutex_unlock (&starting);
  return number;
}

void
ummgr_ending_after_fork (void)
{
  pthread_mutex_init (&starting, NULL);
  __atomic_store_n (&owner, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&helper, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&cause, 0, __ATOMIC_RELEASE);
  __atomic_store_n (&done, false, __ATOMIC_RELEASE);
}

bool
ummgr_ending_how (int *status_p, int *signal_p)
{
  int why = __atomic_load_n (&cause, __ATOMIC_ACQUIRE);
  int status = __atomic_load_n (&exit_status, __ATOMIC_ACQUIRE);
  *signal_p = why > 0 ? why : 0;
  *status_p = status;
  return why > 0 || status >= 0;
}

void
ummgr_ending_exits (void)
{
  int why = __atomic_load_n (&cause, __ATOMIC_ACQUIRE);
  if (why <= 0 || __atomic_load_n (&owner, __ATOMIC_ACQUIRE) != getpid ())
    return;
  wait_for_helper (STALL_EXIT);
  ummgr_process_die (why);
}

void
ummgr_ending_idle (const char *file, const char *text)
{
  idle_file = file;
  idle_text = text;
  idle_owner = getpid ();
}

/* Only with calls that a signal's handler may make.  */
static void
write_idle (void)
{
  struct stat st;
  int fd = open (idle_file, O_WRONLY | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0666);
  if (fd < 0)
    return;
  if (fstat (fd, &st) == 0 && S_ISREG (st.st_mode) && st.st_size == 0)
    {
      ssize_t ignored = write (fd, idle_text, strlen (idle_text));
      (void) ignored;
    }
  close (fd);
}

void
ummgr_ending_leave (int status)
{
  if (!__atomic_load_n (&owner, __ATOMIC_ACQUIRE) && idle_owner == getpid ())
    write_idle ();
  if (__atomic_load_n (&owner, __ATOMIC_ACQUIRE) != getpid ())
    return;
  /* Not in the child of vfork, which has the parent's memory.  */
  __atomic_store_n (&exit_status, status & 0xff, __ATOMIC_RELEASE);
  begin (BY_EXIT);
  wait_for_helper (STALL_EXIT);
  ummgr_ending_exits ();
}
