/* Launches whose accesses are all told, in the order of modelled time.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing.  Nothing traps in such a launch: the view of
   the device is in force, and the kernel enters what is touched.  */

#include "config.h"
#include "gpu/cache.h"
#include "simcuda/memory/mem.h"
#include "gpu/gpu.h"

static int device;

void
sim_mem_told (void)
{
  sim_lock ();
  sim_machine.told = sim_machine.up && sim_access_possible ();
  sim_unlock ();
}

void
sim_mem_gpu_lock (bool lock)
{
  if (lock)
    sim_lock ();
  else
    sim_unlock ();
}

static void
place (void *memory, uint64_t address, struct ummgr_gpu_place *p)
{
  (void) memory;
  *p = (struct ummgr_gpu_place) { .kind = UMMGR_GPU_NONE };
  struct sim_range *r = sim_range_find (address);
  if (!r)
    {
      uintptr_t base, end;
      sim_range_gap (address, &base, &end);
      p->base = base;
      p->end = end;
      return;
    }
  p->base = r->alloc.base;
  p->end = r->alloc.base + r->alloc.size;
  p->key = r->key;
  p->owner = r;
  p->range = r->managed;
  p->laid = r->laid;
  p->kind = r->managed ? UMMGR_GPU_MANAGED
	    : r->alloc.device == device ? UMMGR_GPU_LOCAL : UMMGR_GPU_REMOTE;
  if (r->used_launch != sim_machine.launches)
    {
      r->used_launch = sim_machine.launches;
      r->counters->launches++;
    }
}

static bool
held (void *memory, const struct ummgr_gpu_place *p, uint64_t sector, bool write, unsigned gpu)
{
  (void) memory;
  return sim_access_held (device, gpu, p, sector,
			  write ? UMMGR_GPU_CACHE_WRITE : UMMGR_GPU_CACHE_READ);
}

static struct ummgr_gpu_moved
use (void *memory, const struct ummgr_gpu_place *p, uint64_t sector, bool write, unsigned gpu,
     unsigned home)
{
  (void) memory;
  /* Managed memory begins with a page.  */
  if (sim_machine.uvm->hears && p->range && home != UMMGR_GPU_ELSEWHERE)
    uvm_hit (sim_machine.uvm, device, sim_block_at (sector * UMMGR_GPU_SECTOR)->of->unit);
  return sim_access_use (device, gpu, p, sector,
			 write ? UMMGR_GPU_CACHE_WRITE : UMMGR_GPU_CACHE_READ, home);
}

static uint64_t
left (void *memory, unsigned gpu)
{
  (void) memory;
  return sim_access_left (device, gpu);
}

void
sim_mem_gpu (int of, struct ummgr_gpu_options *o)
{
  device = of;
  o->uvm = sim_machine.uvm;
  o->device = of;
  o->place = place;
  o->held = held;
  o->use = use;
  o->left = left;
  o->spread = sim_layout_spread;
  o->changes = &sim_access_allocations;
}

struct ummgr_device_ran
sim_mem_gpu_took (int of, double seconds)
{
  sim_lock ();
  uvm_launch_took (sim_machine.uvm, of, seconds);
  struct uvm_ran ran = uvm_launch_ran (sim_machine.uvm, of);
  sim_unlock ();
  return (struct ummgr_device_ran) { ran.seconds, ran.faults, ran.batches };
}
