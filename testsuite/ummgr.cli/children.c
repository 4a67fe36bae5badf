/* Processes that fork before they use a device: workers, one that does nothing,
   and a daemon.  The argument says which.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#include "check.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 1 << 20 };

static void
use_device (void)
{
  double *a = malloc (N * sizeof *a);
  CHECK (a);
  for (int i = 0; i < N; i++)
    a[i] = i;
#pragma omp target teams distribute parallel for map(tofrom: a[:N])
  for (int i = 0; i < N; i++)
    a[i] += 1;
  for (int i = 0; i < N; i++)
    CHECK (a[i] == i + 1.0);
  free (a);
}

static int
status_of (pid_t child)
{
  int status;
  CHECK (child > 0 && waitpid (child, &status, 0) == child);
  return status;
}

static int
workers (void)
{
  for (int i = 0; i < 2; i++)
    {
      pid_t child = fork ();
      if (child == 0)
	{
	  use_device ();
	  exit (0);
	}
      CHECK_EQ (status_of (child), 0);
    }
  return 0;
}

static int
idle (void)
{
  pid_t child = fork ();
  if (child == 0)
    exit (0);
  CHECK_EQ (status_of (child), 0);
  use_device ();
  return 0;
}

/* The daemon closes what it inherited and leaves the directory.  Its parents stay
   until it is gone, which they see by the other end of a pipe.  */
static int
become_daemon (void)
{
  int ends[2];
  char byte;
  CHECK (pipe (ends) == 0);
  if (fork ())
    {
      close (ends[1]);
      CHECK (read (ends[0], &byte, 1) == 0);
      return 0;
    }
  CHECK (setsid () > 0);
  if (fork ())
    _exit (0);
  CHECK (chdir ("/") == 0);
  for (int fd = 0; fd < 64; fd++)
    if (fd != ends[1])
      close (fd);
  use_device ();
  return 0;
}

/* By the C library.  Who reads its output sees that it is gone.  */
static int
use_daemon (void)
{
  CHECK (daemon (0, 1) == 0);
  use_device ();
  return 0;
}

int
main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  return strcmp (what, "workers") == 0 ? workers ()
    : strcmp (what, "idle") == 0 ? idle ()
    : strcmp (what, "libc") == 0 ? use_daemon () : become_daemon ();
}
