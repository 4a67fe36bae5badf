/* Other processes for tests: each does, one after another, what it is asked for, and answers with a number.
   SPDX-License-Identifier: GPL-3.0-or-later  */

#pragma once

#include "check.h"

#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

struct neighbour
{
  pid_t pid;
  int to, from;
};

struct neighbour_order
{
  int what;
  int64_t a, b, c;
};

typedef int64_t neighbour_serve (const struct neighbour_order *order);

/* One that answers by SERVE, and exits when nobody can ask it any more.  */
static inline struct neighbour
neighbour_start (neighbour_serve *serve)
{
  int to[2], from[2];
  CHECK (pipe2 (to, O_CLOEXEC) == 0 && pipe2 (from, O_CLOEXEC) == 0);
  pid_t pid = fork ();
  CHECK (pid >= 0);
  if (pid == 0)
    {
      struct neighbour_order order;
      close (to[1]);
      close (from[0]);
      while (read (to[0], &order, sizeof order) == sizeof order)
	{
	  int64_t answer = serve (&order);
	  if (write (from[1], &answer, sizeof answer) != sizeof answer)
	    break;
	}
      _exit (0);
    }
  close (to[0]);
  close (from[1]);
  return (struct neighbour) { pid, to[1], from[0] };
}

static inline int64_t
neighbour_ask (const struct neighbour *n, int what, int64_t a, int64_t b, int64_t c)
{
  struct neighbour_order order = { what, a, b, c };
  int64_t answer;
  CHECK (write (n->to, &order, sizeof order) == sizeof order);
  CHECK (read (n->from, &answer, sizeof answer) == sizeof answer);
  return answer;
}

/* It ends, by SIGKILL, before this returns.  */
static inline void
neighbour_kill (struct neighbour *n)
{
  int status;
  CHECK (kill (n->pid, SIGKILL) == 0 && waitpid (n->pid, &status, 0) == n->pid);
  CHECK (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
  close (n->to);
  close (n->from);
  n->pid = 0;
}
