/* Ends of a process other than by exit, after three regions.  The arguments are the
   way and the number of a signal or an exit status.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 16 };

static volatile sig_atomic_t caught;

static void
handler (int signal)
{
  caught = signal;
}

static void
regions (void)
{
  int *a = calloc (N, sizeof *a);
  CHECK (a);
  for (int k = 0; k < 3; k++)
#pragma omp target teams distribute parallel for map(tofrom: a[:N])
    for (int i = 0; i < N; i++)
      a[i]++;
  CHECK (a[N - 1] == 3);
  free (a);
}

static void *
sender (void *signal)
{
  sigset_t all;
  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  kill (getpid (), *(int *) signal);
  return NULL;
}

/* Another thread sends the signal while this one allocates.  */
static void
busy (int signal)
{
  pthread_t thread;
  CHECK (pthread_create (&thread, NULL, sender, &signal) == 0);
  for (;;)
    free (strdup ("some text"));
}

/* This thread holds what the statistics need.  */
static void
locked (int signal)
{
  flockfile (stderr);
  raise (signal);
  funlockfile (stderr);
  for (;;)
    pause ();
}

/* The program's own handler, set before or after the first region.  */
static int
handled (int signum, int before)
{
  if (before)
    signal (signum, handler);
  regions ();
  if (!before)
    signal (signum, handler);
  raise (signum);
  CHECK_EQ (caught, signum);
  signal (signum, SIG_IGN);
  raise (signum);
  return 0;
}

/* A child that is ended while it has nothing of its own.  */
static int
child (int signal)
{
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    for (;;)
      pause ();
  CHECK (kill (pid, signal) == 0);
  CHECK (waitpid (pid, &status, 0) == pid);
  CHECK (WIFSIGNALED (status) && WTERMSIG (status) == signal);
  return 0;
}

int
main (int argc, char **argv)
{
  CHECK (argc == 3);
  const char *way = argv[1];
  int n = atoi (argv[2]);
  if (strcmp (way, "before") == 0)
    return handled (n, 1);
  if (strcmp (way, "after") == 0)
    return handled (n, 0);
  regions ();
  if (strcmp (way, "raise") == 0)
    raise (n);
  if (strcmp (way, "busy") == 0)
    busy (n);
  if (strcmp (way, "locked") == 0)
    locked (n);
  if (strcmp (way, "child") == 0)
    return child (n);
  if (strcmp (way, "_exit") == 0)
    _exit (n);
  if (strcmp (way, "_Exit") == 0)
    _Exit (n);
  if (strcmp (way, "quick_exit") == 0)
    quick_exit (n);
  return 99;
}
