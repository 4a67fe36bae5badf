/* After fork the child reads managed data right, in whatever view the parent
   left it, gets NOT_INITIALIZED from every call, and leaves the parent's
   counts alone.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SIZE (5 << 20)

static struct sim_alloc *a;

static void
child (void)
{
  struct sim_alloc *b;
  uint64_t x, y;
  struct ummgr_counters c;
  sim_mem_after_fork ();
  for (int i = 0; i < SIZE; i++)
    CHECK (((volatile char *) a->base)[i] == (char) (i >> 12));
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, 100, false, &b),
	    CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ (sim_mem_free (a), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ (sim_mem_prefetch (a->base, SIZE, 0), CUDA_ERROR_NOT_INITIALIZED);
  CHECK_EQ (sim_mem_copy (a->base, a->base + 100, 10),
	    CUDA_ERROR_NOT_INITIALIZED);
  CHECK (!sim_mem_find (a->base));
  CHECK (!sim_mem_device_counters (0, &c));
  CHECK (!sim_mem_resident (0, &x, &y));
  _exit (0);
}

static void
in_child (void)
{
  int status;
  pid_t pid = fork ();
  if (pid == 0)
    child ();
  CHECK (waitpid (pid, &status, 0) == pid);
  CHECK_EQ (status, 0);
}

int
main (void)
{
  struct ummgr_counters before, after;
  machine_start (NULL, NULL, NULL);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a),
	    CUDA_SUCCESS);
  for (int i = 0; i < SIZE; i++)
    ((char *) a->base)[i] = i >> 12;
  in_child ();
  CHECK_EQ (sim_mem_prefetch (a->base, SIZE, 0), CUDA_SUCCESS);
  CHECK (sim_mem_device_counters (0, &before));
  in_child ();
  sim_mem_launch_begin (0, NULL, 0);
  in_child ();
  sim_mem_launch_end (0);
  CHECK (sim_mem_device_counters (0, &after));
  CHECK_EQ (after.cpu_faults, before.cpu_faults);
  CHECK_EQ (after.d2h_bytes, before.d2h_bytes);
  CHECK (((volatile char *) a->base)[4096] == 1);
  CHECK (sim_mem_device_counters (0, &after));
  if (sim_mem_kernel_faults ())
    CHECK_EQ (after.cpu_faults, before.cpu_faults + 1);
  CHECK (sim_mem_check ());
  return 0;
}
