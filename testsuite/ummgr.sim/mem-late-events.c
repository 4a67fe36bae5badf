/* Two threads of a launch fault on the same pages at a time.  Serving one wakes both, and the other's event was served
   all the same, sometimes when another device's launch was in force: as host code's fault, which moved the page.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target no_tsan } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

enum { SIZE = 64 << 10, LAUNCHES = 200, THREADS = 3 };

static volatile int stop;
static pthread_barrier_t together;

static void *
busy (void *unused)
{
  while (!stop)
    sched_yield ();
  return unused;
}

static void *
touch (void *data)
{
  volatile char *p = data;
  sim_mem_thread_is_gpu (true);
  for (int i = 0; i < SIZE; i += 4096)
    {
      pthread_barrier_wait (&together);
      p[i]++;
    }
  return NULL;
}

int
main (void)
{
  struct sim_alloc *a[LAUNCHES];
  machine_start (NULL, NULL, "2");
  /* A thread that runs beside the launch, so that events serve the faults, not signals.  */
  pthread_t host, team[THREADS];
  if (!sim_mem_kernel_faults ())
    return 0;
  CHECK (pthread_create (&host, NULL, busy, NULL) == 0);
  CHECK (pthread_barrier_init (&together, NULL, THREADS) == 0);
  for (int l = 0; l < LAUNCHES; l++)
    {
      CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, l % 2, SIZE, false, &a[l]), CUDA_SUCCESS);
      sim_mem_launch_begin (l % 2, NULL, 0);
      CHECK_EQ (sim_trap_get (), SIM_TRAP_EVENT);
      for (int t = 0; t < THREADS; t++)
	CHECK (pthread_create (&team[t], NULL, touch, (void *) a[l]->base) == 0);
      for (int t = 0; t < THREADS; t++)
	pthread_join (team[t], NULL);
      sim_mem_launch_end (l % 2);
    }
  stop = 1;
  pthread_join (host, NULL);
  for (int d = 0; d < 2; d++)
    {
      struct ummgr_counters c;
      CHECK (sim_mem_device_counters (d, &c));
      CHECK (c.gpu_faults > 0);
      CHECK_EQ (c.cpu_faults, 0);
      CHECK_EQ (c.d2h_bytes, 0);
    }
  CHECK (sim_mem_check ());
  return 0;
}
