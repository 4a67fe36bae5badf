/* The terms of modelled time whose figures are equal, or 1, in every shipped
   profile: whose clock pays for what, which way has which rate, how faults are
   rounded to batches, and when a part of a block is half resident.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "machine.h"
#include "simcuda/memory/mem.h"
#include "uvm/rules.h"

#include <string.h>

#define MIB (UINT64_C (1) << 20)
enum { BLOCK = 2 << 20, GRANULE = 65536 };

static struct ummgr_figures *figures;

static struct sim_alloc *
take (enum sim_mem_kind kind, int device, uint64_t size)
{
  struct sim_alloc *a;
  CHECK_EQ (sim_mem_alloc (kind, device, size, false, &a), CUDA_SUCCESS);
  return a;
}

static struct ummgr_counters
counters (int device)
{
  struct ummgr_counters c;
  CHECK (sim_mem_device_counters (device, &c));
  return c;
}

/* How long DEVICE was busy.  */
static double
busy (int device)
{
  return counters (device).model_seconds;
}

/* The receiver's clock alone pays for a copy between peers, at the rate of that
   direction; both are in it until its end.  */
static void
peers (void)
{
  struct sim_alloc *a = take (SIM_MEM_PLAIN, 0, MIB);
  struct sim_alloc *b = take (SIM_MEM_PLAIN, 1, MIB);
  sim_machine.uvm->peer_rate[0][1] = 5e9;
  sim_machine.uvm->peer_rate[1][0] = 20e9;
  sim_mem_peer (0, 1, true);
  double from = busy (0), to = busy (1);
  CHECK_EQ (sim_mem_copy (b->base, a->base, MIB), CUDA_SUCCESS);
  machine_near (busy (0), from);
  machine_near (busy (1) - to,
		sim_profile.peer_latency[0][1] + MIB / 5e9);
  machine_near (sim_model_now (0), sim_model_now (1));
  from = busy (1);
  to = busy (0);
  CHECK_EQ (sim_mem_copy (a->base, b->base, MIB), CUDA_SUCCESS);
  machine_near (busy (1), from);
  machine_near (busy (0) - to, sim_profile.peer_latency[1][0] + MIB / 20e9);
  CHECK_EQ (sim_mem_free (a), CUDA_SUCCESS);
  CHECK_EQ (sim_mem_free (b), CUDA_SUCCESS);
}

/* A launch that faults on COUNT granules from P on.  */
static struct ummgr_counters
launch (volatile char *p, int count)
{
  struct ummgr_counters before = counters (0), after;
  sim_mem_launch_begin (0, NULL, 0);
  for (int i = 0; i < count; i++)
    p[i * GRANULE]++;
  sim_mem_launch_end (0);
  after = counters (0);
  CHECK_EQ (after.gpu_faults - before.gpu_faults, count);
  after.h2d_bytes -= before.h2d_bytes;
  after.d2h_bytes -= before.d2h_bytes;
  after.model_seconds -= before.model_seconds;
  return after;
}

static void
batches (void)
{
  static const int faults[] = { 1, 4, 5, 8, 0 }, batches[] = { 1, 1, 2, 2, 0 };
  struct sim_alloc *m = take (SIM_MEM_MANAGED, 0, BLOCK);
  char *p = (char *) m->base;
  memset (p, 1, BLOCK);
  for (int i = 0; i < 5; i++)
    {
      struct ummgr_counters c = launch (p, faults[i]);
      CHECK_EQ (c.h2d_bytes, faults[i] * GRANULE);
      machine_near (c.model_seconds,
		    figures->launch_cost
		      + batches[i] * (figures->gpu_fault_cost + figures->gpu_block_cost)
		      + faults[i] * GRANULE / 4096 * figures->host_page_cost
		      + faults[i] * GRANULE / figures->h2d_rate);
      p += faults[i] * GRANULE;
    }
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
}

/* A launch that has a block evicted for the one that it needs pays for both ways.  */
static void
evicting (void)
{
  struct sim_alloc *m = take (SIM_MEM_MANAGED, 0, 3 * BLOCK);
  char *p = (char *) m->base;
  memset (p, 1, 3 * BLOCK);
  launch (p, 3);
  launch (p + BLOCK, 1);
  struct ummgr_counters c = launch (p + 2 * BLOCK, 2);
  CHECK_EQ (c.h2d_bytes, 2 * GRANULE);
  CHECK_EQ (c.d2h_bytes, 3 * GRANULE);
  machine_near (c.model_seconds,
		figures->launch_cost + figures->gpu_fault_cost + figures->gpu_block_cost
		  + 2 * GRANULE / 4096 * figures->host_page_cost
		  + 3 * GRANULE / figures->d2h_rate + 2 * GRANULE / figures->h2d_rate);
  CHECK_EQ (sim_mem_free (m), CUDA_SUCCESS);
}

/* Pages that come with PAGE 0 of 32, of which RESIDENT others are there.  */
static unsigned
brought (unsigned resident, int threshold)
{
  struct uvm_mask there = uvm_mask_range (32 - resident, 32);
  struct uvm_mask fault = uvm_mask_range (0, 1);
  struct uvm_mask s = uvm_tree_ranges (&there, &fault, 32, 16, threshold);
  return uvm_mask_count (&s);
}

/* More than the threshold brings the rest, just as much does not.  */
static void
half (void)
{
  CHECK_EQ (brought (0, 50), 16);
  CHECK_EQ (brought (1, 50), 32);
  CHECK_EQ (brought (0, 49), 32);
  CHECK_EQ (brought (8, 75), 16);
  CHECK_EQ (brought (9, 75), 32);
  CHECK_EQ (brought (16, 100), 16);
}

int
main (void)
{
  machine_start (NULL, "4M", "2");
  figures = &sim_machine.uvm->device[0].figures;
  figures->fault_batch = 4;
  figures->prefetch_threshold = 0;
  figures->h2d_rate = 8e9;
  figures->d2h_rate = 2e9;
  peers ();
  batches ();
  evicting ();
  half ();
  CHECK (sim_mem_check ());
  return 0;
}
