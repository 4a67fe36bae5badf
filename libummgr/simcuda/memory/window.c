/* What a thread of a launch knows of the memory that it uses.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns each thread's windows, and the times at which the policy was told of
   hits.  Moves no pages itself; does not touch the memory that is asked for.  */

#include "config.h"
#include "simcuda/memory/window.h"

#define WINDOW_BITS 8		/* Of managed memory, by a hash of the page. */
#define RANGES 64		/* Of other memory, and of none.  */
#define RECENT 8		/* Blocks the policy was told of lately.  */
#define PERIOD 256		/* Lines between two such tellings.  */

struct recent
{
  uint32_t unit;
  uint32_t period;
};

struct thread
{
  struct sim_window page[1 << WINDOW_BITS];
  struct sim_window range[RANGES];
  uint8_t guess[1 << WINDOW_BITS]; /* The range, by the same hash.  */
  struct recent recent[RECENT];
  unsigned next_range;
  uint32_t lines;
};

static _Thread_local struct thread thread;
uint64_t sim_window_epoch = 1;

static struct recent *
recent_of (uint32_t unit)
{
  return &thread.recent[unit % RECENT];
}

static uint32_t
period_now (void)
{
  return thread.lines / PERIOD + 1;
}

/* The next three run with the lock held.  */

/* R is used for the first time in this launch.  */
static void
note_range (struct sim_range *r, int device)
{
  r->cached_by |= UINT32_C (1) << device;
  if (r->used_launch != sim_machine.launches)
    {
      r->used_launch = sim_machine.launches;
      r->counters->launches++;
    }
}

static void
open_managed (struct sim_window *w, uintptr_t address, bool write, int device)
{
  w->base = address & -SIM_PAGE;
  w->end = w->base + SIM_PAGE;
  w->owner = 0;
  struct sim_block *b = sim_block_at (address);
  unsigned page = sim_page_of (address);
  if (!b || page >= b->of->pages)
    return;			/* The access itself will say so.  */
  /* The program's first managed memory came during the launch: the CPU's view
     serves all until it ends.  */
  if (sim_view_now () != 1 + (unsigned) device
      && sim_trap_get () != SIM_TRAP_NONE)
    return;
  if (!sim_holds (b, page, 1 + device))
    *recent_of (b->of->unit) = (struct recent) { b->of->unit, period_now () };
  w->writable = sim_fault_access (b, page, device, write);
  w->owner = sim_holds (b, page, 1 + device) ? (ummgr_gpu_cache_owner) b->range
    : sim_access_elsewhere (b->range, device, address);
  w->key = b->range->key;
  w->unit = b->of->unit;
  uvm_mask_set (&b->in[1 + device].cached, page);
  note_range (b->range, device);
}

static void
open_other (struct sim_window *w, uintptr_t address, int device)
{
  struct sim_range *r = sim_range_find (address);
  w->writable = true;
  if (!r)
    {
      w->owner = 0;
      sim_range_gap (address, &w->base, &w->end);
      return;
    }
  w->base = r->alloc.base;
  w->end = r->alloc.base + r->alloc.size;
  w->owner = r->alloc.device == device ? (ummgr_gpu_cache_owner) r
    : sim_access_elsewhere (r, device, address);
  w->key = r->key;
  note_range (r, device);
}

/* Find out about ADDRESS.  False if the launch is over.  */
static bool
open_window (struct sim_window *w, uintptr_t address, bool write)
{
  sim_lock ();
  int device = sim_machine.launch_device;
  if (device >= 0)
    {
      if (sim_managed_address (address))
	open_managed (w, address, write, device);
      else
	open_other (w, address, device);
      /* Last: what went before may have moved pages.  */
      w->epoch = __atomic_load_n (&sim_window_epoch, __ATOMIC_RELAXED);
    }
  sim_unlock ();
  return device >= 0;
}

/* Kernels use many arrays side by side, and often powers of two apart.  */
static unsigned
hash_of (uintptr_t address)
{
  return address / SIM_PAGE * UINT64_C (0x9e3779b97f4a7c15)
	 >> (64 - WINDOW_BITS);
}

static bool
holds (const struct sim_window *w, uintptr_t address, uint64_t now)
{
  return w->epoch == now && address - w->base < w->end - w->base;
}

/* The calling thread's window at ADDRESS; NULL if the launch is over.  */
struct sim_window *
sim_window_at (uintptr_t address, bool write)
{
  uint64_t now = __atomic_load_n (&sim_window_epoch, __ATOMIC_ACQUIRE);
  struct thread *t = &thread;
  unsigned hash = hash_of (address);
  struct sim_window *w;
  if (sim_managed_address (address))
    {
      w = &t->page[hash];
      if (holds (w, address, now) && (w->writable || !write))
	return w;
    }
  else
    {
      w = &t->range[t->guess[hash]];
      if (holds (w, address, now))
	return w;
      unsigned i = 0;
      while (i < RANGES && !holds (&t->range[i], address, now))
	i++;
      bool known = i < RANGES;
      t->guess[hash] = known ? i : t->next_range++ % RANGES;
      w = &t->range[t->guess[hash]];
      if (known)
	return w;
    }
  return open_window (w, address, write) ? w : NULL;
}

/* Once in each PERIOD of lines that the thread uses, so that the cost stays
   small.  A fault is no hit (open_managed).  */
void
sim_window_hit (const struct sim_window *w, uint32_t lines)
{
  struct recent *r = recent_of (w->unit), now = { w->unit, period_now () };
  thread.lines += lines;
  if (r->unit == now.unit && r->period == now.period)
    return;
  *r = now;
  sim_lock ();
  int device = sim_machine.launch_device;
  if (device >= 0
      && w->epoch == __atomic_load_n (&sim_window_epoch, __ATOMIC_RELAXED))
    sim_machine.uvm->policy->touch (sim_machine.uvm->device[device].paging,
				    w->unit);
  sim_unlock ();
}
