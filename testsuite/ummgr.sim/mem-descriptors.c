/* The program closes the descriptors that faults come through, between launches
   and within one: threads that fault, and the handler thread that waits for
   faults, must go on, and the data must be right.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (8 << 20)

/* As a daemon: all but the standard ones.  */
static void
close_all (void)
{
  for (int fd = 3; fd < 5000; fd++)
    close (fd);
}

static void
touch (volatile char *p, int step)
{
  for (size_t i = 0; i < SIZE; i += step)
    p[i]++;
}

static void
launch (volatile char *p, bool closing)
{
  sim_mem_launch_begin (0, NULL, 0);
  touch (p, 65536);
  if (closing)
    close_all ();
  touch (p, 4096);
  sim_mem_launch_end (0);
}

static int
child (bool within)
{
  struct sim_alloc *a;
  machine_start (NULL, "5M", NULL);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a), CUDA_SUCCESS);
  char *p = (char *) a->base;
  memset (p, 0, SIZE);
  launch (p, false);
  touch (p, 65536);
  if (!within)
    close_all ();
  touch (p, 4096);
  launch (p, within);
  launch (p, false);
  touch (p, 4096);
  for (size_t i = 0; i < SIZE; i += 4096)
    CHECK_EQ (p[i], i % 65536 ? 5 : 9);
  sim_lock ();
  CHECK (!sim_trap_gpu () && sim_trap_get () == SIM_TRAP_NONE);
  sim_unlock ();
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK (sim_mem_check ());
  return 0;
}

int
main (void)
{
  for (int within = 0; within < 2; within++)
    {
      int status;
      pid_t pid = fork ();
      CHECK (pid >= 0);
      if (pid == 0)
	_exit (child (within));
      CHECK (waitpid (pid, &status, 0) == pid);
      CHECK_EQ (status, 0);
    }
  return 0;
}
