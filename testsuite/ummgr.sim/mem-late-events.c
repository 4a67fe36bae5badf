/* Two threads of a launch fault on the same pages at a time.  Serving one wakes both, and the other's event was served
   all the same, sometimes when another device's launch was in force: as host code's fault, which moved the page.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */
/* { dg-require-effective-target no_tsan } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

enum { SIZE = 64 << 10, LAUNCHES = 2000, THREADS = 3, BUSY = 4 };

static volatile int stop;
static struct sim_alloc *a[LAUNCHES];
static pthread_barrier_t begin, end;

static void *
busy (void *unused)
{
  while (!stop)
    ;
  return unused;
}

static void *
touch (void *unused)
{
  sim_mem_thread_is_gpu (true);
  for (int l = 0; l < LAUNCHES; l++)
    {
      pthread_barrier_wait (&begin);
      ++*(volatile char *) a[l]->base;
      pthread_barrier_wait (&end);
    }
  return unused;
}

int
main (void)
{
  pthread_t host[BUSY], team[THREADS];
  machine_start (NULL, NULL, "2");
  if (!sim_mem_kernel_faults ())
    return 0;
  /* Threads that run beside the launches, so that events serve the faults, not signals, and not at once.  */
  for (int t = 0; t < BUSY; t++)
    CHECK (pthread_create (&host[t], NULL, busy, NULL) == 0);
  CHECK (pthread_barrier_init (&begin, NULL, THREADS + 1) == 0 && pthread_barrier_init (&end, NULL, THREADS + 1) == 0);
  for (int t = 0; t < THREADS; t++)
    CHECK (pthread_create (&team[t], NULL, touch, NULL) == 0);
  for (int l = 0; l < LAUNCHES; l++)
    {
      CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, l % 2, SIZE, false, &a[l]), CUDA_SUCCESS);
      sim_mem_launch_begin (l % 2, NULL, 0);
      CHECK_EQ (sim_trap_get (), SIM_TRAP_EVENT);
      pthread_barrier_wait (&begin);
      pthread_barrier_wait (&end);
      sim_mem_launch_end (l % 2);
    }
  stop = 1;
  for (int t = 0; t < BUSY; t++)
    pthread_join (host[t], NULL);
  for (int t = 0; t < THREADS; t++)
    pthread_join (team[t], NULL);
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
