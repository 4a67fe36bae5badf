/* `ummgr run`: start the program, forward signals to it, wait for it.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns `child`, which signal handlers read: it is set while they are
   blocked.  */

#include "config.h"
#include "cli/run.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t child;

static const int forwarded[]
  = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2 };
#define FORWARDED (sizeof forwarded / sizeof *forwarded)

/* What a terminal sends goes to the program as well, without our help.  */
static void
forward (int signal, siginfo_t *info, void *context)
{
  int saved = errno;
  if (info->si_code <= 0 && child > 0)
    kill (child, signal);
  errno = saved;
}

/* Catch what is forwarded, but leave alone what was ignored (nohup).  */
static void
catch_signals (void)
{
  for (size_t i = 0; i < FORWARDED; i++)
    {
      struct sigaction old, new = { .sa_sigaction = forward,
	.sa_flags = SA_SIGINFO | SA_RESTART };
      sigemptyset (&new.sa_mask);
      if (sigaction (forwarded[i], NULL, &old) == 0
	  && old.sa_handler != SIG_IGN)
	sigaction (forwarded[i], &new, NULL);
    }
}

/* Say why the program could not be run, and with which status to exit.  */
static int
refuse (const char *name, int error)
{
  if (error == ENOENT || error == ENOTDIR)
    ummgr_error ("run: '%s': no such program", name);
  else if (error == EACCES)
    ummgr_error ("run: '%s' is not executable", name);
  else
    ummgr_error ("run: can't run '%s': %s", name, strerror (error));
  return error == ENOENT || error == ENOTDIR ? UMMGR_EXIT_NOT_FOUND
    : UMMGR_EXIT_NOT_EXECUTABLE;
}

/* In the child: become the program, or tell FD why not.  */
static void __attribute__ ((noreturn))
become (struct ummgr_run *run, const sigset_t *mask, int fd)
{
  sigprocmask (SIG_SETMASK, mask, NULL);
  execv (run->path, run->program);
  int error = errno;
  if (error == ENOEXEC)
    {
      /* A script without #!: as execvp does, and as a shell would.  */
      execvp (run->path, run->program);
      error = errno;
    }
  ssize_t ignored = write (fd, &error, sizeof error);
  (void) ignored;
  _exit (UMMGR_EXIT_NOT_EXECUTABLE);
}

static int
wait_for_child (const char *name, int *signal_p)
{
  int status;
  while (waitpid (child, &status, 0) < 0)
    if (errno != EINTR)
      return UMMGR_EXIT_FAILURE;
  child = 0;
  if (WIFEXITED (status))
    return WEXITSTATUS (status);
  *signal_p = WTERMSIG (status);
  ummgr_error ("run: '%s' was killed by signal %d (%s)%s", name, *signal_p,
	       strsignal (*signal_p), WCOREDUMP (status)
	       ? ", core dumped" : "");
  return 128 + *signal_p;
}

int
ummgr_run_process (struct ummgr_run *run, int *signal_p)
{
  const char *name = run->program[0];
  sigset_t all, mask;
  int fds[2], error = 0;
  *signal_p = 0;
  if (pipe2 (fds, O_CLOEXEC) != 0)
    return refuse (name, errno);
  sigfillset (&all);
  sigprocmask (SIG_BLOCK, &all, &mask);
  pid_t pid = fork ();
  if (pid == 0)
    become (run, &mask, fds[1]);
  if (pid < 0)
    error = errno;
  child = pid;
  catch_signals ();
  sigprocmask (SIG_SETMASK, &mask, NULL);
  close (fds[1]);
  ssize_t n;
  do
    n = read (fds[0], &error, sizeof error);
  while (n < 0 && errno == EINTR);
  close (fds[0]);
  if (pid < 0)
    return refuse (name, error);
  if (n == sizeof error)
    {
      waitpid (pid, NULL, 0);
      return refuse (name, error);
    }
  return wait_for_child (name, signal_p);
}
