/* Data survives thrashing: several threads of a launch and of the host write
   and read managed memory four times the device's, with evictions and copies
   going on.  A lost or stale page would show as a wrong word.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

#define PAGE 4096
#define PAGES 4096
#define LAUNCHES 12
#define TEAM 3

static unsigned *base;
static int stop_host;

/* Thread K of the team owns the words K of every page.  */
static void *
team (void *data)
{
  unsigned k = (uintptr_t) data, state = k * 7919 + 1;
  static unsigned count[TEAM][PAGES];
  for (int n = 0; n < 3000; n++)
    {
      state = state * 1664525 + 1013904223;
      unsigned page = state >> 8 & (PAGES - 1);
      volatile unsigned *word = base + page * (PAGE / sizeof *base) + k;
      CHECK_EQ (*word, count[k][page]);
      *word = ++count[k][page];
    }
  return NULL;
}

/* The host owns word 100 of every page, by accesses and by copies.  */
static void *
host (void *unused)
{
  static unsigned count[PAGES];
  unsigned state = 12345;
  while (!__atomic_load_n (&stop_host, __ATOMIC_RELAXED))
    {
      state = state * 1664525 + 1013904223;
      unsigned page = state >> 8 & (PAGES - 1), value;
      unsigned *word = base + page * (PAGE / sizeof *base) + 100;
      if (state >> 30)
	{
	  CHECK_EQ (*(volatile unsigned *) word, count[page]);
	  *(volatile unsigned *) word = ++count[page];
	}
      else
	{
	  CHECK_EQ (sim_mem_copy ((uintptr_t) &value, (uintptr_t) word,
				  sizeof value), CUDA_SUCCESS);
	  CHECK_EQ (value, count[page]);
	  value = ++count[page];
	  CHECK_EQ (sim_mem_copy ((uintptr_t) word, (uintptr_t) &value,
				  sizeof value), CUDA_SUCCESS);
	}
    }
  return unused;
}

static void
launch (int device)
{
  pthread_t thread[TEAM];
  sim_mem_launch_begin (device, NULL, 0);
  for (uintptr_t k = 1; k < TEAM; k++)
    CHECK (pthread_create (&thread[k], NULL, team, (void *) k) == 0);
  team (NULL);
  for (int k = 1; k < TEAM; k++)
    pthread_join (thread[k], NULL);
  sim_mem_launch_end (device);
  CHECK (sim_mem_check ());
}

int
main (void)
{
  machine_start ("1/16", "4M", "2");
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, PAGES * PAGE, false, &a),
	    CUDA_SUCCESS);
  base = (unsigned *) a->base;
  /* First with signals: no other host thread; then beside one.  */
  for (int i = 0; i < LAUNCHES / 2; i++)
    launch (i % 2);
  pthread_t thread;
  CHECK (pthread_create (&thread, NULL, host, NULL) == 0);
  for (int i = 0; i < LAUNCHES / 2; i++)
    launch (i % 2);
  __atomic_store_n (&stop_host, 1, __ATOMIC_RELAXED);
  pthread_join (thread, NULL);
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  CHECK (c.evictions > 100 && c.gpu_faults > 1000 && c.cpu_faults > 0);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK (sim_mem_check ());
  return 0;
}
