/* What watches the memory of unit tests doesn't see one of the ways to ask for it: then
   blocks are miscounted, the test of a function without memory passes unseen, and
   what is written behind a block's end is not found, or found where nothing is.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#define _GNU_SOURCE 1
#include "check.h"
#include "watch.h"

#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void *
by_malloc (void *old, size_t size)
{
  free (old);
  return malloc (size);
}

static void *
by_calloc (void *old, size_t size)
{
  free (old);
  return calloc (size, 1);
}

static void *
by_array (void *old, size_t size)
{
  return reallocarray (old, size, 1);
}

static void *(*const ways[]) (void *old, size_t size)
  = { by_malloc, by_calloc, realloc, by_array };
enum { WAYS = sizeof ways / sizeof *ways };

static void
counted (void)
{
  long blocks = watch_blocks, bytes = watch_bytes;
  for (int from = 0; from < WAYS; from++)
    for (int to = 0; to < WAYS; to++)
      {
	char *p = ways[from] (NULL, 1000);
	CHECK (p && watch_blocks == blocks + 1 && watch_bytes == bytes + 1000);
	memset (p, 1, 1000);
	p = ways[to] (p, 3000);
	CHECK (p && watch_blocks == blocks + 1 && watch_bytes == bytes + 3000);
	memset (p, 2, 3000);
	if (to >= 2)
	  {
	    p = ways[to] (p, 3500);
	    CHECK (p[2999] == 2 && p[3499] == (char) 0xa5);
	  }
	free (p);
	CHECK (watch_blocks == blocks && watch_bytes == bytes);
      }
  size_t most = SIZE_MAX / 2;
  asm volatile ("" : "+r" (most));
  CHECK (!reallocarray (NULL, most, 4));
  CHECK_EQ (watch_blocks, blocks);
}

static void
failing (void)
{
  for (int way = 0; way < WAYS; way++)
    {
      watch_failing = 1;
      void *p = ways[way] (NULL, 8);
      CHECK (p && !ways[way] (NULL, 8) && watch_failing < 0);
      free (p);
    }
}

static int way;

static void
beyond (void)
{
  setrlimit (RLIMIT_CORE, &(struct rlimit) { 0, 0 });
  volatile char *p = ways[way] (NULL, 100);
  p[100]++;
  free ((void *) p);
}

int
main (void)
{
  counted ();
  failing ();
  for (way = 0; way < WAYS; way++)
    {
      int status;
      pid_t pid = fork ();
      if (pid == 0)
	{
	  beyond ();
	  _exit (0);
	}
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK (WIFSIGNALED (status) && WTERMSIG (status) == SIGABRT);
    }
  return 0;
}
