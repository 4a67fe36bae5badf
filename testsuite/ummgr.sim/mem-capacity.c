/* Capacity: plain memory fails with the driver's code, managed memory leaves
   oldest first, scratch is not counted, a long prefetch ends with its tail.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"

#include <string.h>

#define MIB (UINT64_C (1) << 20)

static struct sim_alloc *
take (enum sim_mem_kind kind, uint64_t size)
{
  struct sim_alloc *a = NULL;
  CHECK_EQ (sim_mem_alloc (kind, 0, size, false, &a), CUDA_SUCCESS);
  return a;
}

static void
expect (uint64_t plain, uint64_t managed)
{
  uint64_t p, m, left, total;
  CHECK (sim_mem_resident (0, &p, &m));
  CHECK_EQ (p, plain);
  CHECK_EQ (m, managed);
  sim_mem_info (0, &left, &total);
  CHECK_EQ (total, 16 * MIB);
  CHECK_EQ (left, 16 * MIB - plain - managed);
  CHECK (sim_mem_check ());
}

static uint64_t
evictions (void)
{
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  return c.evictions;
}

/* The books' check, on which other tests rely, finds each entry that is wrong.  */
static void
books (struct uvm_block *in)
{
  struct uvm *u = sim_machine.uvm;
  struct uvm_device *d = &u->device[0];
  uint64_t capacity = d->figures.memory_bytes;
  uint64_t *const entries[] = { &d->taken_bytes, &d->managed_bytes,
				&d->ledger.in_bytes, &d->ledger.born_bytes,
				&d->ledger.out_bytes, &d->ledger.dropped_bytes };
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
    {
      *entries[i] += 1;
      CHECK (!sim_mem_check ());
      *entries[i] -= 1;
      CHECK (sim_mem_check ());
    }
  d->figures.memory_bytes = d->taken_bytes + d->managed_bytes - 1;
  CHECK (!sim_mem_check ());
  d->figures.memory_bytes = capacity;
  struct uvm_mask page = uvm_mask_range (5, 6), host = in->by[0].resident;
  uvm_mask_add (&in->by[0].resident, &page);
  CHECK (!sim_mem_check ());
  in->by[0].resident = host;
  u->blocks[in->unit] = NULL;
  CHECK (!sim_mem_check ());
  u->blocks[in->unit] = in;
  CHECK (sim_mem_check ());
}

int
main (void)
{
  machine_start (NULL, "17000000", "1"); /* Rounds down to 16M.  */
  CHECK (strstr (sim_profile.scaling, "16M"));
  expect (0, 0);

  struct sim_alloc *a = take (SIM_MEM_PLAIN, 10 * MIB), *b = NULL;
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, 7 * MIB, false, &b),
	    CUDA_ERROR_OUT_OF_MEMORY);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, 1ull << 60, false, &b),
	    CUDA_ERROR_INVALID_VALUE);
  CHECK_EQ (sim_mem_alloc (SIM_MEM_PLAIN, 0, 100 * MIB, true, &b),
	    CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (b), CUDA_SUCCESS);
  expect (10 * MIB, 0);

  /* 20 MiB of managed memory through the 6 MiB that are left.  */
  struct sim_alloc *m = take (SIM_MEM_MANAGED, 20 * MIB);
  memset ((void *) m->base, 3, 20 * MIB);
  CHECK_EQ (sim_mem_prefetch (m->base, 20 * MIB, 0), CUDA_SUCCESS);
  expect (10 * MIB, 6 * MIB);
  CHECK_EQ (evictions (), 7);
  for (int i = 0; i < 10; i++)
    {
      struct sim_block *k = sim_block_at (m->base + i * 2 * MIB);
      CHECK_EQ (uvm_mask_count (&k->of->by[1].resident), i < 7 ? 0 : 512);
    }

  books (sim_block_at (m->base + 8 * 2 * MIB)->of);

  /* A plain allocation evicts what it needs and no more.  */
  b = take (SIM_MEM_PLAIN, 3 * MIB);
  expect (13 * MIB, 2 * MIB);
  CHECK_EQ (evictions (), 9);
  CHECK_EQ (sim_mem_free (b), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
  expect (10 * MIB, 0);

  /* Full of plain memory: managed memory is used remotely, not lost.  */
  b = take (SIM_MEM_PLAIN, 6 * MIB);
  m = take (SIM_MEM_MANAGED, 2 * MIB);
  memset ((void *) m->base, 4, 2 * MIB);
  CHECK_EQ (sim_mem_prefetch (m->base, 2 * MIB, 0), CUDA_ERROR_OUT_OF_MEMORY);
  sim_mem_launch_begin (0, NULL, 0);
  CHECK (*(volatile char *) (m->base + MIB) == 4);
  sim_mem_launch_end (0);
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (0, &c));
  CHECK_EQ (c.remote_bytes, 65536);
  CHECK_EQ (c.device_peak_bytes, 16 * MIB);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (b), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
  expect (0, 0);
  return 0;
}
