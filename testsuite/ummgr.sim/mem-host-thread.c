/* A host thread that is made while a launch runs is host code as soon as it has called the driver: its faults are the
   CPU's.  They were taken for the launch's, and moved other devices' memory to the launch's.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target no_tsan } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

enum { SIZE = 256 << 10 };

static volatile int stop;

static void *
busy (void *unused)
{
  while (!stop)
    sched_yield ();
  return unused;
}

static void *
host (void *unused)
{
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 1, SIZE, false, &a), CUDA_SUCCESS);
  memset ((char *) a->base, 1, SIZE);
  return unused;
}

static void *
kernel_thread (void *p)
{
  memset (p, 2, SIZE);
  return NULL;
}

static void
run (void *(*function) (void *), void *data)
{
  pthread_t thread;
  CHECK (pthread_create (&thread, NULL, function, data) == 0);
  pthread_join (thread, NULL);
}

int
main (void)
{
  machine_start (NULL, NULL, "2");
  /* A thread that runs beside the launch, so that events serve the faults, not signals.  */
  pthread_t thread;
  if (!sim_mem_kernel_faults ())
    return 0;
  CHECK (pthread_create (&thread, NULL, busy, NULL) == 0);
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, SIZE, false, &a), CUDA_SUCCESS);
  struct ummgr_counters c;

  sim_mem_launch_begin (0, NULL, 0);
  CHECK_EQ (sim_trap_get (), SIM_TRAP_EVENT);
  run (host, NULL);
  CHECK (sim_mem_device_counters (0, &c));
  CHECK_EQ (c.gpu_faults, 0);
  /* One that the kernel made, and never calls the driver.  */
  run (kernel_thread, (void *) a->base);
  sim_mem_launch_end (0);
  CHECK (sim_mem_device_counters (0, &c));
  CHECK (c.gpu_faults > 0);
  CHECK (sim_mem_check ());
  stop = 1;
  pthread_join (thread, NULL);
  return 0;
}
