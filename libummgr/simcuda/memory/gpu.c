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

/* What of SECTOR is P's.  */
static void
part_of (const struct ummgr_gpu_place *p, uint64_t sector, uintptr_t *lo, uintptr_t *hi)
{
  *lo = sector * UMMGR_GPU_SECTOR;
  *hi = *lo + UMMGR_GPU_SECTOR;
  *lo = *lo < p->base ? p->base : *lo;
  *hi = *hi > p->end ? p->end : *hi;
}

static bool
held (void *memory, const struct ummgr_gpu_place *p, uint64_t sector, bool write, unsigned gpu)
{
  uintptr_t lo, hi;
  (void) memory;
  part_of (p, sector, &lo, &hi);
  return sim_access_held (device, gpu, p->owner, lo, hi,
			  write ? UMMGR_GPU_CACHE_WRITE : UMMGR_GPU_CACHE_READ);
}

static unsigned
use (void *memory, const struct ummgr_gpu_place *p, uint64_t sector, bool write, unsigned gpu,
     enum ummgr_gpu_from from)
{
  struct sim_range *r = p->owner;
  uintptr_t lo, hi;
  (void) memory;
  part_of (p, sector, &lo, &hi);
  if (sim_machine.uvm->hears && r->managed && from != UMMGR_GPU_FROM_HOST)
    uvm_hit (sim_machine.uvm, device, sim_block_at (lo)->of->unit);
  return sim_access_use (device, gpu, r, lo, hi,
			 write ? UMMGR_GPU_CACHE_WRITE : UMMGR_GPU_CACHE_READ, from);
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
