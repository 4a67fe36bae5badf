/* What a replacement policy is told: faults, pages that came without one, hits
   (under access fidelity, and not under the driver's own policy), and units
   that were freed.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

#define MIB (UINT64_C (1) << 20)

static const struct ummgr_paging_ops *real;
static int inserts, prefetches, touches, forgets;
static uint32_t touched;

static void
insert (struct ummgr_paging *p, uint32_t unit)
{
  inserts++;
  real->insert (p, unit);
}

static void
prefetch (struct ummgr_paging *p, uint32_t unit)
{
  prefetches++;
  real->insert (p, unit);
}

static void
touch (struct ummgr_paging *p, uint32_t unit)
{
  touches++;
  touched = unit;
  real->touch (p, unit);
}

static void
forget (struct ummgr_paging *p, uint32_t unit)
{
  forgets++;
}

static void
told (int i, int p, int t, int f)
{
  CHECK_EQ (inserts, i);
  CHECK_EQ (prefetches, p);
  CHECK_EQ (touches, t);
  CHECK_EQ (forgets, f);
  inserts = prefetches = touches = forgets = 0;
}

int
main (void)
{
  machine_start (NULL, NULL, NULL);
  if (!sim_mem_kernel_faults ())
    return 0;
  CHECK (sim_mem_set_access (true));
  real = sim_machine.uvm->policy;
  struct ummgr_paging_ops ops = *real;
  ops.insert = insert;
  ops.prefetch = prefetch;
  ops.touch = touch;
  ops.forget = forget;
  sim_machine.uvm->policy = &ops;

  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_MANAGED, 0, 8 * MIB, false, &a),
	    CUDA_SUCCESS);
  uintptr_t m = a->base;
  uint32_t unit = (m - sim_machine.arena) / (2 * MIB);
  /* The driver's own policy sees faults only: six of them, see simcuda/memory/launch.c. */
  CHECK (strcmp (ops.name, "lru") == 0);
  sim_mem_launch_begin (0, NULL, 0);
  sim_mem_access (m, 4, 2 * MIB / 4, 4, 1);
  sim_mem_access (m, 4, 2 * MIB / 4, 4, 1);
  sim_mem_launch_end (0);
  told (6, 0, 0, 0);
  ops.name = "test";
  CHECK_EQ (sim_mem_prefetch (m + 2 * MIB, 2 * MIB, 0), CUDA_SUCCESS);
  told (0, 1, 0, 0);
  sim_mem_launch_begin (0, NULL, 0);
  sim_mem_access (m + 2 * MIB, 0, 1, 4, 1);
  told (0, 0, 1, 0);
  CHECK_EQ (touched, unit + 1);
  /* A fault is no hit, and not every access is told.  */
  sim_mem_access (m + 4 * MIB, 0, 1, 4, 2);
  sim_mem_access (m + 4 * MIB + 4, 0, 1, 4, 2);
  told (1, 0, 0, 0);
  for (int i = 0; i < 2000; i++)
    sim_mem_access (m + 2 * MIB + 128 * (i % 100), 0, 1, 4, 1);
  CHECK (touches > 2 && touches < 20);
  touches = 0;
  sim_mem_access (m, 0, 1, 4, 1);
  told (0, 0, 1, 0);
  CHECK_EQ (touched, unit);
  sim_mem_launch_end (0);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  told (0, 0, 0, 4 * sim_machine.devices);
  return 0;
}
