/* Questions that a child process answers: a driver, or a library that reads a file, may
   crash, hang or stay loaded there.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   No state.  */

#include "config.h"
#include "cli/cli.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* How many of the SIZE bytes went through, by MOVE.  */
static size_t
move_all (ssize_t (*move) (int fd, void *at, size_t size), int fd, void *bytes,
	  size_t size)
{
  size_t done = 0;
  while (done < size)
    {
      ssize_t n = move (fd, (char *) bytes + done, size - done);
      if (n == 0 || (n < 0 && errno != EINTR))
	break;
      done += n > 0 ? (size_t) n : 0;
    }
  return done;
}

static ssize_t
put (int fd, void *at, size_t size)
{
  return write (fd, at, size);
}

bool
ummgr_cli_ask_apart (void (*ask) (const void *question, void *answer),
		     const void *question, void *answer, size_t size,
		     unsigned seconds, int *status_p)
{
  int fds[2], status = -1;
  memset (answer, 0, size);
  *status_p = status;
  if (pipe (fds) != 0)
    return false;
  pid_t child = fork ();
  if (child == 0)
    {
      alarm (seconds);
      ask (question, answer);
      _exit (move_all (put, fds[1], answer, size) != size);
    }
  close (fds[1]);
  bool whole = child > 0 && move_all (read, fds[0], answer, size) == size;
  close (fds[0]);
  if (child > 0)
    while (waitpid (child, &status, 0) < 0 && errno == EINTR)
      ;
  *status_p = status;
  if (!whole)
    memset (answer, 0, size);
  return whole;
}
