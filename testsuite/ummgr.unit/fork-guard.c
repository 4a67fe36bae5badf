/* A child that is forked while another thread has a lock finds it taken for ever; or
   the locks are taken in another order than they are elsewhere, and the fork and that
   thread wait for each other.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "check.h"
#include "base/fork.h"

#include <stdbool.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FORKS = 300 };

static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t inner = PTHREAD_MUTEX_INITIALIZER;
static bool over;
static unsigned long rounds;

static void *
work (void *unused)
{
  while (!__atomic_load_n (&over, __ATOMIC_ACQUIRE))
    {
      pthread_mutex_lock (&outer);
      ummgr_fork_guard (UMMGR_FORK_TABLES, &inner);
      pthread_mutex_lock (&inner);
      __atomic_add_fetch (&rounds, 1, __ATOMIC_RELEASE);
      pthread_mutex_unlock (&inner);
      pthread_mutex_unlock (&outer);
    }
  return unused;
}

/* Both are free, and fork again.  */
static void
in_child (void)
{
  int status;
  alarm (60);
  pthread_mutex_lock (&outer);
  pthread_mutex_lock (&inner);
  pthread_mutex_unlock (&inner);
  pthread_mutex_unlock (&outer);
  pid_t pid = fork ();
  if (pid == 0)
    _exit (0);
  CHECK (waitpid (pid, &status, 0) == pid && status == 0);
  _exit (0);
}

int
main (void)
{
  pthread_t thread;
  /* The order of these calls must not matter.  */
  ummgr_fork_guard (UMMGR_FORK_TABLES, &inner);
  ummgr_fork_guard (UMMGR_FORK_FLOW, &outer);
  CHECK (pthread_create (&thread, NULL, work, NULL) == 0);
  while (!__atomic_load_n (&rounds, __ATOMIC_ACQUIRE))
    ;
  for (int i = 0; i < FORKS; i++)
    {
      int status;
      pid_t pid = fork ();
      if (pid == 0)
	in_child ();
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK_EQ (status, 0);
    }
  __atomic_store_n (&over, true, __ATOMIC_RELEASE);
  pthread_join (thread, NULL);
  return 0;
}
