/* Reports from several threads at once: each sector is fetched once and written
   back once, whoever does it; and pages, blocks and allocations that come and go
   meanwhile leave no line behind.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

#define MIB (UINT64_C (1) << 20)
#define TEAM 4

static uintptr_t base;
static uint64_t size;
static void (*part) (unsigned k);
static pthread_barrier_t together;

static struct sim_alloc *
take (enum sim_mem_kind kind, uint64_t bytes)
{
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (kind, 0, bytes, false, &a), CUDA_SUCCESS);
  return a;
}

static void *
member (void *k)
{
  sim_mem_thread_is_gpu (true);
  pthread_barrier_wait (&together);
  part ((uintptr_t) k);
  return NULL;
}

/* PART in a launch with TEAM threads; returns the local bytes.  */
static uint64_t
launch (void (*function) (unsigned k))
{
  struct ummgr_counters b, c;
  pthread_t thread[TEAM];
  part = function;
  CHECK (sim_mem_device_counters (0, &b));
  sim_mem_launch_begin (0, NULL, 0);
  for (uintptr_t k = 1; k < TEAM; k++)
    CHECK (pthread_create (&thread[k], NULL, member, (void *) k) == 0);
  pthread_barrier_wait (&together);
  part (0);
  for (int k = 1; k < TEAM; k++)
    pthread_join (thread[k], NULL);
  sim_mem_launch_end (0);
  CHECK (sim_mem_check ());
  CHECK (sim_mem_device_counters (0, &c));
  return c.local_bytes - b.local_bytes;
}

/* Every thread reads everything.  */
static void
read_all (unsigned k)
{
  for (uint64_t i = 0; i < size; i += 4096)
    sim_mem_access (base + (i + k * size / TEAM) % size, 4, 1024, 4, 1);
}

/* Neighbouring words of each sector.  */
static void
write_words (unsigned k)
{
  for (uint64_t i = 8 * k; i < size; i += 32)
    sim_mem_access (base + i, 0, 1, 8, 2);
}

static void
update_some (unsigned k)
{
  uint32_t state = k + 1;
  for (int n = 0; n < 30000; n++)
    {
      state = state * 1664525 + 1013904223;
      uint64_t at = state % (size - 256);
      sim_mem_access (base + at, 36, 1 + state % 5, 4, 1 + state / 7 % 4);
    }
}

static int stop;

/* Takes pages back, and allocates and frees other memory.  */
static void *
disturb (void *unused)
{
  uint32_t state = 99;
  while (!__atomic_load_n (&stop, __ATOMIC_RELAXED))
    {
      state = state * 1664525 + 1013904223;
      uint64_t at = state % size & -SIM_PAGE;
      CHECK_EQ (sim_mem_prefetch (base + at, SIM_PAGE, SIM_HOST),
		CUDA_SUCCESS);
      struct sim_alloc *a = take (state >> 31 ? SIM_MEM_PLAIN : SIM_MEM_HOST,
				  1 + state % 100000);
      CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
    }
  return unused;
}

int
main (void)
{
  machine_start ("1/8", "32M", NULL);	/* 768 KiB of cache.  */
  CHECK (sim_mem_set_access (true));
  pthread_barrier_init (&together, NULL, TEAM);
  struct sim_alloc *a = take (SIM_MEM_PLAIN, MIB / 2);
  base = a->base;
  size = MIB / 2;
  CHECK_EQ (launch (read_all), size);
  CHECK_EQ (launch (read_all), 0);
  CHECK_EQ (launch (write_words), size);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  a = take (SIM_MEM_PLAIN, MIB / 2);
  base = a->base;
  CHECK_EQ (launch (write_words), size);
  CHECK_EQ (launch (read_all), 0);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  if (!sim_mem_kernel_faults ())
    return 0;

  a = take (SIM_MEM_MANAGED, MIB / 2);
  base = a->base;
  memset ((void *) base, 0, size);
  CHECK_EQ (launch (read_all), size);
  CHECK_EQ (sim_machine.uvm->device[0].managed_bytes, size);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);

  /* Larger than the device, and disturbed.  */
  size = 48 * MIB;
  a = take (SIM_MEM_MANAGED, size);
  base = a->base;
  pthread_t thread;
  CHECK (pthread_create (&thread, NULL, disturb, NULL) == 0);
  for (int i = 0; i < 3; i++)
    CHECK (launch (update_some) > 0);
  __atomic_store_n (&stop, 1, __ATOMIC_RELAXED);
  pthread_join (thread, NULL);
  CHECK (sim_machine.uvm->device[0].counters.evictions > 10);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  /* A line left behind would be written back to what is freed.  */
  a = take (SIM_MEM_PLAIN, 16 * MIB);
  base = a->base;
  size = 16 * MIB;
  CHECK (launch (write_words) >= size);
  CHECK_EQ (launch (read_all) % 32, 0);
  struct ummgr_counters c, d;
  CHECK (sim_mem_range_counters ((void *) base, &c));
  CHECK (sim_mem_device_counters (0, &d));
  CHECK (c.local_bytes <= d.local_bytes);
  return 0;
}
