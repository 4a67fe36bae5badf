/* Access fidelity: launches accounted by the accesses that they report.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns a cache for each device (cache.c), the epoch, and each thread's windows.
   A window is a stretch of memory that the thread has found out about: whose it
   is and on which side of a link.  It holds as long as the epoch does, which
   changes whenever a page moves, an allocation comes or goes, and at both ends
   of a launch; so an access that finds a window takes no lock but a cache
   set's.  Finding one out takes the machine's lock, and makes the fault happen
   that the access would trap for (sim_fault_access).

   What is counted, 32 bytes at a time: what the cache fetches, and what it writes
   back when dirty sectors are replaced or the launch ends; on the device's own
   memory local, else remote.  Estimates, since NVIDIA says nothing of it: memory
   behind a link, the host's as well as a peer's, is cached for the launch, and
   leaves the cache with it (a kernel sees what the CPU wrote before its launch,
   and no hardware keeps a discrete GPU's copy coherent); local lines stay, clean.
   Copies by the driver go through the cache: what it holds stays right.

   Nothing here touches the memory that is reported.  */

#include "config.h"
#include "simcuda/cache.h"
#include "simcuda/mem.h"
#include "log.h"

#include <string.h>

#define WINDOW_BITS 8		/* Of managed memory, by a hash of the page. */
#define RANGES 64		/* Of other memory, and of none.  */
#define RECENT 8		/* Blocks the policy was told of lately.  */
#define PERIOD 256		/* Lines between two such tellings.  */

struct window
{
  uintptr_t base, end;
  uint64_t epoch;
  uint64_t key;			/* Machine address less address.  */
  sim_cache_owner owner;	/* 0: memory of no allocation.  */
  uint32_t unit;
  bool writable;		/* No copy of it elsewhere.  */
};

struct recent
{
  uint32_t unit;
  uint32_t period;
};

struct thread
{
  struct window page[1 << WINDOW_BITS];
  struct window range[RANGES];
  uint8_t guess[1 << WINDOW_BITS]; /* The range, by the same hash.  */
  struct recent recent[RECENT];
  unsigned next_range;
  uint32_t lines;
};

static _Thread_local struct thread thread;
static struct sim_cache *caches[SIM_MAX_DEVICES];
static bool wanted;		/* Guarded by the lock.  */
static bool on;			/* In the launch in force; atomic.  */
static bool reported;		/* So has it; atomic.  */
static uint64_t epoch = 1;	/* Atomic.  0 is no epoch.  */

void
sim_access_changed (void)
{
  __atomic_fetch_add (&epoch, 1, __ATOMIC_RELEASE);
}

/* --- counting ----------------------------------------------------------- */

static void
count (sim_cache_owner owner, int device, uint64_t sectors)
{
  struct sim_range *r = (struct sim_range *) (owner & ~SIM_CACHE_REMOTE);
  struct ummgr_counters *c = &sim_machine.device[device].counters;
  bool remote = owner & SIM_CACHE_REMOTE;
  __atomic_fetch_add (remote ? &c->remote_bytes : &c->local_bytes,
		      sectors * SIM_SECTOR, __ATOMIC_RELAXED);
  __atomic_fetch_add (remote ? &r->counters.remote_bytes
			     : &r->counters.local_bytes,
		      sectors * SIM_SECTOR, __ATOMIC_RELAXED);
}

static void
count_back (void *data, sim_cache_owner owner, unsigned sectors)
{
  count (owner, (struct sim_device *) data - sim_machine.device, sectors);
}

/* --- what the memory half tells ----------------------------------------- */

/* Addresses of the machine: managed memory, each device's, the host's, one
   after another.  Host memory gets its own when it is allocated, round and
   round.  */
#define KEY_MANAGED (UINT64_C (1) << 40)
#define KEY_PLAIN (UINT64_C (1) << 41)
#define KEY_HOST (UINT64_C (1) << 46)

void
sim_access_allocated (struct sim_range *r)
{
  static uint64_t next;
  uint64_t base = r->alloc.base, size = r->alloc.size + 2 * SIM_PAGE;
  switch (r->alloc.kind)
    {
    case SIM_MEM_MANAGED:
      r->key = KEY_MANAGED - sim_machine.arena;
      break;
    case SIM_MEM_PLAIN:
      r->key = KEY_PLAIN * (1 + r->alloc.device)
	       - sim_plain_base (r->alloc.device);
      break;
    default:
      if (next + size > KEY_HOST)
	next = 0;
      r->key = KEY_HOST + next - (base & -SIM_PAGE);
      next += size & -SIM_PAGE;
    }
  sim_access_changed ();
}

static void
drop (int device, uint64_t key, uintptr_t lo, uintptr_t hi)
{
  sim_cache_drop (caches[device], (lo + key) >> SIM_LINE_SHIFT,
		  (hi - 1 + key) >> SIM_LINE_SHIFT);
}

void
sim_access_freed (struct sim_range *r)
{
  sim_access_changed ();
  for (int d = 0; d < sim_machine.devices; d++)
    if (r->cached_by >> d & 1)
      drop (d, r->key, r->alloc.base, r->alloc.base + r->alloc.size);
  if (r->cached_by)
    for (uint32_t i = 0; i < r->block_count; i++)
      for (int d = 0; d < sim_machine.devices; d++)
	memset (&sim_range_block (r, i)->by[1 + d].cached, 0,
		sizeof (struct sim_mask));
  r->cached_by = 0;
}

void
sim_access_lost (struct sim_block *b, const struct sim_mask *s, unsigned p)
{
  sim_access_changed ();
  if (p == SIM_CPU || !caches[p - 1])
    return;
  struct sim_mask gone = sim_mask_and (&b->by[p].cached, s);
  uintptr_t base = sim_machine.arena + sim_block_offset (b);
  SIM_MASK_RUNS (&gone, lo, hi)
    drop (p - 1, b->range->key, base + lo * SIM_PAGE, base + hi * SIM_PAGE);
  sim_mask_remove (&b->by[p].cached, &gone);
}

/* --- windows ------------------------------------------------------------ */

/* Does the policy in force see hits?  "lru" is the driver of today's GPUs, which
   doesn't, whatever tells us of them.  */
static bool
policy_sees_hits (void)
{
  return sim_machine.policy->touch
	 && strcmp (sim_machine.policy->name, "lru") != 0;
}

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

/* Tell the policy that the thread uses W's block, which is resident: once in
   each PERIOD of lines that it uses, so that the cost stays small.  A fault is
   no hit (open_managed).  */
static void
tell_policy (const struct window *w)
{
  struct recent *r = recent_of (w->unit), now = { w->unit, period_now () };
  if (r->unit == now.unit && r->period == now.period)
    return;
  *r = now;
  sim_lock ();
  int device = sim_machine.launch_device;
  if (device >= 0
      && w->epoch == __atomic_load_n (&epoch, __ATOMIC_RELAXED))
    sim_machine.policy->touch (sim_machine.device[device].paging, w->unit);
  sim_unlock ();
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
      r->counters.launches++;
    }
}

static void
open_managed (struct window *w, uintptr_t address, bool write, int device)
{
  w->base = address & -SIM_PAGE;
  w->end = w->base + SIM_PAGE;
  w->owner = 0;
  struct sim_block *b = sim_block_at (address);
  unsigned page = ((address - sim_machine.arena)
		   & (sim_machine.block_bytes - 1)) / SIM_PAGE;
  if (!b || page >= b->pages)
    return;			/* The access itself will say so.  */
  /* The program's first managed memory came during the launch: the CPU's view
     serves all until it ends.  */
  if (sim_view_now () != 1 + (unsigned) device
      && sim_trap_get () != SIM_TRAP_NONE)
    return;
  struct sim_holding *h = &b->by[1 + device];
  if (!sim_mask_test (&h->resident, page))
    *recent_of (b->unit) = (struct recent) { b->unit, period_now () };
  w->writable = sim_fault_access (b, page, device, write);
  w->owner = (sim_cache_owner) b->range;
  if (!sim_mask_test (&h->resident, page))
    w->owner |= SIM_CACHE_REMOTE;
  w->key = b->range->key;
  w->unit = b->unit;
  sim_mask_set (&h->cached, page);
  note_range (b->range, device);
}

static void
open_other (struct window *w, uintptr_t address, int device)
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
  w->owner = (sim_cache_owner) r;
  if (r->alloc.device != device)
    w->owner |= SIM_CACHE_REMOTE;
  w->key = r->key;
  note_range (r, device);
}

/* Find out about ADDRESS.  False if the launch is over.  */
static bool
open_window (struct window *w, uintptr_t address, bool write)
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
      w->epoch = __atomic_load_n (&epoch, __ATOMIC_RELAXED);
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
holds (const struct window *w, uintptr_t address, uint64_t now)
{
  return w->epoch == now && address - w->base < w->end - w->base;
}

/* The calling thread's window at ADDRESS; NULL if the launch is over.  */
static struct window *
window_at (uintptr_t address, bool write)
{
  uint64_t now = __atomic_load_n (&epoch, __ATOMIC_ACQUIRE);
  struct thread *t = &thread;
  unsigned hash = hash_of (address);
  struct window *w;
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

/* --- accesses ----------------------------------------------------------- */

/* Use [LO, HI), which lies in W; returns where W ceased to hold, or HI.  */
static uintptr_t
use_window (const struct window *w, uintptr_t lo, uintptr_t hi, unsigned how)
{
  int device = __atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED);
  if (!w->owner || device < 0)
    return hi;
  struct sim_cache *c = caches[device];
  uint64_t fetched = 0;
  uintptr_t at = lo;
  while (at < hi)
    {
      uint64_t key = at + w->key;
      unsigned first = key % SIM_LINE;
      unsigned last = hi - at < SIM_LINE - first ? first + (hi - at) : SIM_LINE;
      int n = sim_cache_use (c, key >> SIM_LINE_SHIFT, first, last, how,
			     w->owner, &epoch, w->epoch);
      if (n < 0)
	break;
      fetched += n;
      at += last - first;
      thread.lines++;
    }
  if (fetched)
    count (w->owner, device, fetched);
  return at;
}

/* Use the contiguous bytes [LO, HI).  False if the launch is over.  */
static bool
use (uintptr_t lo, uintptr_t hi, unsigned how, bool hits)
{
  while (lo < hi)
    {
      struct window *w = window_at (lo, how & SIM_CACHE_WRITE);
      if (!w)
	return false;
      if (hits && w->owner && !(w->owner & SIM_CACHE_REMOTE)
	  && sim_managed_address (lo))
	tell_policy (w);
      lo = use_window (w, lo, hi < w->end ? hi : w->end, how);
    }
  return true;
}

/* As sim_mem_access of sim.h, for those that lie one behind another in
   [LO, HI): from the upper end down if they go that way.  */
static void
use_dense (uintptr_t lo, uintptr_t hi, bool down, unsigned how, bool hits)
{
  if (!down)
    {
      use (lo, hi, how, hits);
      return;
    }
  while (lo < hi)
    {
      uintptr_t from = (hi - 1) & -(uintptr_t) SIM_LINE;
      if (from < lo)
	from = lo;
      if (!use (from, hi, how, hits))
	return;
      hi = from;
    }
}

void
sim_mem_access (uintptr_t address, int64_t stride, uint64_t n, uint32_t size,
		unsigned kind)
{
  if (!__atomic_load_n (&on, __ATOMIC_ACQUIRE) || !n || !size || !kind)
    return;
  if (!__atomic_load_n (&reported, __ATOMIC_RELAXED))
    __atomic_store_n (&reported, true, __ATOMIC_RELAXED);
  unsigned how = (kind & (1 | 4) ? SIM_CACHE_READ : 0)
		 | (kind & (2 | 4) ? SIM_CACHE_WRITE : 0);
  uint64_t step = stride < 0 ? -(uint64_t) stride : (uint64_t) stride;
  bool hits = policy_sees_hits ();
  if (step == 0)
    n = 1;
  uint64_t reach;
  if (__builtin_mul_overflow (step, n - 1, &reach)
      || reach > UINT64_C (1) << 47 || address >> 48)
    return;			/* No such memory.  */
  /* Reads a sector or less apart fetch every sector between.  */
  if (n == 1 || step <= size
      || (step <= SIM_SECTOR && !(how & SIM_CACHE_WRITE)))
    {
      uintptr_t lo = stride < 0 ? address - reach : address;
      use_dense (lo, lo + reach + size, stride < 0, how, hits);
    }
  else
    for (uint64_t i = 0; i < n; i++, address += stride)
      if (!use (address, address + size, how, hits))
	return;
}

/* --- launches ----------------------------------------------------------- */

bool
sim_mem_set_access (bool want)
{
  bool ok = sim_machine.up;
  sim_lock ();
  for (int d = 0; ok && want && d < sim_machine.devices; d++)
    if (!caches[d])
      {
	caches[d] = sim_cache_create (sim_profile.device[d].cache_bytes,
				      count_back, &sim_machine.device[d]);
	ok = caches[d];
      }
  wanted = want && ok;
  sim_unlock ();
  if (want && !ok)
    ummgr_warn ("simcuda: no memory for a model of the devices' caches; traffic"
		" is estimated from first touches");
  return ok;
}

const char *
sim_mem_fidelity (void)
{
  sim_lock ();
  bool access = wanted;
  sim_unlock ();
  return access ? "access" : "touch";
}

bool
sim_access_reported (void)
{
  return __atomic_load_n (&on, __ATOMIC_RELAXED)
	 && __atomic_load_n (&reported, __ATOMIC_RELAXED);
}

void
sim_access_begin (void)
{
  __atomic_store_n (&reported, false, __ATOMIC_RELAXED);
  sim_access_changed ();
  __atomic_store_n (&on, wanted, __ATOMIC_RELEASE);
}

bool
sim_access_end (int device)
{
  bool was = sim_access_reported ();
  __atomic_store_n (&on, false, __ATOMIC_RELEASE);
  sim_access_changed ();
  if (was)
    sim_cache_settle (caches[device]);
  return was;
}

void
sim_access_after_fork (void)
{
  on = wanted = false;
}
