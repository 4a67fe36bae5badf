/* Access fidelity: launches accounted by the accesses that they report.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns a cache for each device (gpu/cache.c), and whether this is on.  Threads
   remember what memory is whose in windows (window.c).

   What is counted, 32 bytes at a time: what the cache fetches, and what it writes
   back when dirty sectors are replaced or the launch ends; on the device's own
   memory local, else remote.  Estimates, since NVIDIA says nothing of it: memory
   behind a link, the host's as well as a peer's, is cached for the launch, and
   leaves the cache with it (a kernel sees what the CPU wrote before its launch,
   and no hardware keeps a discrete GPU's copy coherent); local lines stay, clean.
   Copies by the driver go through the cache: what it holds stays right.

   Nothing here touches the memory that is reported.  */

#include "config.h"
#include "simcuda/memory/window.h"
#include "base/log.h"

#include <string.h>

/* By device and, of those that are several, GPU.  */
static struct ummgr_gpu_cache *caches[SIM_MAX_DEVICES][UMMGR_FIGURES_GPUS];
static bool wanted;		/* Guarded by the lock.  */
static bool on;			/* In the launch in force; atomic.  */
static bool reported;		/* So has it; atomic.  */
uint64_t sim_access_allocations;

void
sim_access_changed (void)
{
  __atomic_fetch_add (&sim_window_epoch, 1, __ATOMIC_RELEASE);
}

/* --- counting ----------------------------------------------------------- */

/* By device that is several GPUs, the one that used it, and the one whose memory it is: bytes of
   launches that tell all accesses.  Guarded by the lock.  */
static uint64_t pairs[SIM_MAX_DEVICES][UMMGR_FIGURES_GPUS][UMMGR_FIGURES_GPUS];

/* Whose a cache is.  */
struct user
{
  int device;
  unsigned gpu;
};

static struct user users[SIM_MAX_DEVICES][UMMGR_FIGURES_GPUS];

/* That of C which counts what OWNER's bit says.  */
static uint64_t *
bytes_of (struct ummgr_counters *c, ummgr_gpu_cache_owner owner)
{
  return !(owner & UMMGR_GPU_CACHE_REMOTE) ? &c->local_bytes
	 : owner & UMMGR_GPU_CACHE_PEER ? &c->peer_bytes : &c->remote_bytes;
}

static struct sim_range *
range_of (ummgr_gpu_cache_owner owner)
{
  const ummgr_gpu_cache_owner top = (ummgr_gpu_cache_owner) 1 << UMMGR_GPU_CACHE_HOME_SHIFT;
  return (struct sim_range *) (owner & (top - 1)
			       & ~(UMMGR_GPU_CACHE_REMOTE | UMMGR_GPU_CACHE_PEER));
}

static void
add (uint64_t *to, uint64_t bytes)
{
  __atomic_fetch_add (to, bytes, __ATOMIC_RELAXED);
}

void
sim_access_count (struct sim_range *r, int device, unsigned owner, uint64_t bytes, bool written)
{
  struct uvm_device *d = &sim_machine.uvm->device[device];
  bool local = owner == 1 + (unsigned) device, far = !local && owner != SIM_CPU;
  add (local ? &d->counters.local_bytes : &d->counters.remote_bytes, bytes);
  add (local ? &r->counters->local_bytes : &r->counters->remote_bytes, bytes);
  if (!local && written)
    {
      add (&d->counters.sent_bytes, bytes);
      add (&r->counters->sent_bytes, bytes);
    }
  add (owner == SIM_CPU ? &d->between.host : &d->between.used[owner - 1], bytes);
  if (far)
    {
      add (&d->counters.far_bytes, bytes);
      add (&r->counters->far_bytes, bytes);
    }
}

static void
count (ummgr_gpu_cache_owner owner, int device, uint64_t sectors, bool written)
{
  struct sim_range *r = range_of (owner);
  uint64_t bytes = sectors * UMMGR_GPU_SECTOR;
  if (!(owner & UMMGR_GPU_CACHE_PEER))
    sim_access_count (r, device, owner & UMMGR_GPU_CACHE_REMOTE
		      ? owner >> UMMGR_GPU_CACHE_HOME_SHIFT : 1 + (unsigned) device, bytes, written);
  else
    {
      add (&sim_machine.uvm->device[device].counters.peer_bytes, bytes);
      add (&r->counters->peer_bytes, bytes);
    }
}

/* In a launch that tells all accesses.  */
static void
count_told (ummgr_gpu_cache_owner owner, const struct user *user, uint64_t sectors, bool written)
{
  bool host = (owner & UMMGR_GPU_CACHE_REMOTE) && !(owner & UMMGR_GPU_CACHE_PEER);
  count (owner, user->device, sectors, written);
  if (caches[user->device][1] && !host)
    pairs[user->device][user->gpu][owner >> UMMGR_GPU_CACHE_HOME_SHIFT]
      += sectors * UMMGR_GPU_SECTOR;
}

static void
count_back (void *data, ummgr_gpu_cache_owner owner, unsigned sectors)
{
  const struct user *user = data;
  if (sim_machine.told)
    count_told (owner, user, sectors, true);
  else
    count (owner, user->device, sectors, true);
}

unsigned
sim_access_pairs (int device, uint64_t bytes[][UMMGR_FIGURES_GPUS])
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return 0;
  unsigned gpus = ummgr_figures_gpus (&sim_machine.uvm->device[device].figures);
  sim_lock ();
  memcpy (bytes, pairs[device], sizeof pairs[device]);
  sim_unlock ();
  return gpus > 1 ? gpus : 0;
}

bool
sim_access_between (int device, struct ummgr_between *out)
{
  if (!sim_machine.up || device < 0 || device >= sim_machine.devices)
    return false;
  sim_lock ();
  *out = sim_machine.uvm->device[device].between;
  sim_unlock ();
  return true;
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
  sim_access_laid ();
}

static void
drop (int device, uint64_t key, uintptr_t lo, uintptr_t hi)
{
  for (unsigned i = 0; i < UMMGR_FIGURES_GPUS && caches[device][i]; i++)
    ummgr_gpu_cache_drop (caches[device][i], (lo + key) >> UMMGR_GPU_LINE_SHIFT,
			  (hi - 1 + key) >> UMMGR_GPU_LINE_SHIFT);
}

void
sim_access_laid (void)
{
  __atomic_fetch_add (&sim_access_allocations, 1, __ATOMIC_RELEASE);
}

void
sim_access_freed (struct sim_range *r)
{
  sim_access_changed ();
  sim_access_laid ();
  for (int d = 0; d < sim_machine.devices; d++)
    if (r->cached_by >> d & 1)
      drop (d, r->key, r->alloc.base, r->alloc.base + r->alloc.size);
  if (r->cached_by)
    for (uint32_t i = 0; i < sim_range_blocks (r); i++)
      for (int d = 0; d < sim_machine.devices; d++)
	memset (&sim_range_block (r, i)->in[1 + d].cached, 0,
		sizeof (struct uvm_mask));
  r->cached_by = 0;
}

void
sim_access_lost (struct sim_block *b, const struct uvm_mask *s, unsigned p)
{
  sim_access_changed ();
  if (p == SIM_CPU || !caches[p - 1][0])
    return;
  struct uvm_mask gone = uvm_mask_and (&b->in[p].cached, s);
  uintptr_t base = sim_machine.arena + sim_block_offset (b);
  UVM_MASK_RUNS (&gone, lo, hi)
    drop (p - 1, b->range->key, base + lo * SIM_PAGE, base + hi * SIM_PAGE);
  uvm_mask_remove (&b->in[p].cached, &gone);
}

/* --- accesses ----------------------------------------------------------- */

/* The thread has used LINES lines of W, and FETCHED sectors came for them.  */
static void
note_touch (const struct sim_window *w, int device, uint64_t fetched,
	    uint32_t lines)
{
  if (fetched)
    count (w->owner, device, fetched, false);
  if (sim_machine.uvm->hears && lines && !(w->owner & UMMGR_GPU_CACHE_REMOTE)
      && sim_managed_address (w->base))
    sim_window_hit (w, lines);
}

/* Use [LO, HI), which lies in W; returns where W ceased to hold, or HI.  */
static uintptr_t
use_window (const struct sim_window *w, uintptr_t lo, uintptr_t hi,
	    unsigned how)
{
  int device = __atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED);
  if (!w->owner || device < 0)
    return hi;
  uint64_t fetched = 0;
  uint32_t lines = 0;
  uintptr_t at = lo;
  while (at < hi)
    {
      uint64_t key = at + w->key;
      unsigned first = key % UMMGR_GPU_LINE;
      unsigned last = hi - at < UMMGR_GPU_LINE - first ? first + (hi - at) : UMMGR_GPU_LINE;
      int n = ummgr_gpu_cache_touch (caches[device][0], key >> UMMGR_GPU_LINE_SHIFT,
				     first, last, how, w->owner, &sim_window_epoch, w->epoch);
      if (n < 0)
	break;
      fetched += n;
      at += last - first;
      lines++;
    }
  note_touch (w, device, fetched, lines);
  return at;
}

/* Of N elements of SIZE bytes, STRIDE apart from ADDRESS on, use those before
   the first that does not lie in W and in one line; returns their number.  */
static uint64_t
use_elements (const struct sim_window *w, uintptr_t address, int64_t stride,
	      uint64_t n, uint32_t size, unsigned how)
{
  int device = __atomic_load_n (&sim_machine.launch_device, __ATOMIC_RELAXED);
  if (!w->owner || device < 0)
    return 0;
  uintptr_t room = w->end - w->base;
  uint64_t fetched = 0, i;
  for (i = 0; i < n; i++, address += stride)
    {
      uint64_t key = address + w->key;
      unsigned first = key % UMMGR_GPU_LINE;
      uintptr_t offset = address - w->base;
      if (offset >= room || size > room - offset || size > UMMGR_GPU_LINE - first)
	break;
      int got = ummgr_gpu_cache_touch (caches[device][0], key >> UMMGR_GPU_LINE_SHIFT,
				       first, first + size, how, w->owner,
				       &sim_window_epoch, w->epoch);
      if (got < 0)
	break;
      fetched += got;
    }
  note_touch (w, device, fetched, i);
  return i;
}

/* Use the contiguous bytes [LO, HI).  False if the launch is over.  */
static bool
touch (uintptr_t lo, uintptr_t hi, unsigned how)
{
  while (lo < hi)
    {
      struct sim_window *w = sim_window_at (lo, how & UMMGR_GPU_CACHE_WRITE);
      if (!w)
	return false;
      lo = use_window (w, lo, hi < w->end ? hi : w->end, how);
    }
  return true;
}

/* As sim_mem_access of sim.h, for elements that lie apart.  */
static void
use_apart (uintptr_t address, int64_t stride, uint64_t n, uint32_t size,
	   unsigned how)
{
  while (n)
    {
      struct sim_window *w = sim_window_at (address, how & UMMGR_GPU_CACHE_WRITE);
      if (!w)
	return;
      uint64_t done = use_elements (w, address, stride, n, size, how);
      if (!done)
	{
	  if (!touch (address, address + size, how))
	    return;
	  done = 1;
	}
      address += stride * done;
      n -= done;
    }
}

/* As sim_mem_access of sim.h, for those that lie one behind another in
   [LO, HI): from the upper end down if they go that way.  */
static void
use_dense (uintptr_t lo, uintptr_t hi, bool down, unsigned how)
{
  if (!down)
    {
      touch (lo, hi, how);
      return;
    }
  while (lo < hi)
    {
      uintptr_t from = (hi - 1) & -(uintptr_t) UMMGR_GPU_LINE;
      if (from < lo)
	from = lo;
      if (!touch (from, hi, how))
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
  unsigned how = (kind & (1 | 4) ? UMMGR_GPU_CACHE_READ : 0)
		 | (kind & (2 | 4) ? UMMGR_GPU_CACHE_WRITE : 0);
  uint64_t step = stride < 0 ? -(uint64_t) stride : (uint64_t) stride;
  if (step == 0)
    n = 1;
  uint64_t reach;
  if (__builtin_mul_overflow (step, n - 1, &reach)
      || reach > UINT64_C (1) << 47 || address >> 48)
    return;			/* No such memory.  */
  /* Reads a sector or less apart fetch every sector between.  */
  if (n == 1 || step <= size
      || (step <= UMMGR_GPU_SECTOR && !(how & UMMGR_GPU_CACHE_WRITE)))
    {
      uintptr_t lo = stride < 0 ? address - reach : address;
      use_dense (lo, lo + reach + size, stride < 0, how);
    }
  else
    use_apart (address, stride, n, size, how);
}

bool
sim_access_held (int device, unsigned gpu, const struct ummgr_gpu_place *p, uint64_t sector,
		 unsigned how)
{
  unsigned lo, hi;
  uint64_t line = ummgr_gpu_line_of (p, sector, &lo, &hi);
  return ummgr_gpu_cache_holds (caches[device][gpu], line, lo, hi, how);
}

/* Of a device that is one GPU a line's home is the processor that has it.  */
uintptr_t
sim_access_elsewhere (struct sim_range *r, int device, uintptr_t address)
{
  int p = SIM_CPU;
  if (r->alloc.kind == SIM_MEM_PLAIN)
    p = 1 + r->alloc.device;
  else if (r->managed)
    p = uvm_holder (sim_machine.uvm, sim_block_at (address)->of, sim_page_of (address),
		    1 + (unsigned) device);
  return (uintptr_t) r | UMMGR_GPU_CACHE_REMOTE
	 | (p > 0 && !caches[device][1] ? (uintptr_t) p << UMMGR_GPU_CACHE_HOME_SHIFT : 0);
}

struct ummgr_gpu_moved
sim_access_use (int device, unsigned gpu, const struct ummgr_gpu_place *p, uint64_t sector,
		unsigned how, unsigned home)
{
  struct sim_range *r = p->owner;
  const uint64_t any = 0;
  const uintptr_t address = sector * UMMGR_GPU_SECTOR;
  const ummgr_gpu_cache_owner owner
    = home == UMMGR_GPU_ELSEWHERE ? sim_access_elsewhere (r, device, address)
      : ((ummgr_gpu_cache_owner) r
	 | (ummgr_gpu_cache_owner) home << UMMGR_GPU_CACHE_HOME_SHIFT
	 | (home != gpu ? UMMGR_GPU_CACHE_REMOTE | UMMGR_GPU_CACHE_PEER : 0));
  unsigned lo, hi;
  uint64_t line = ummgr_gpu_line_of (p, sector, &lo, &hi);
  struct ummgr_counters *c = &sim_machine.uvm->device[device].counters;
  const uint64_t *bytes = bytes_of (c, owner);
  const uint64_t before = *bytes, sent = c->sent_bytes;
  if (r->managed)
    uvm_mask_set (&sim_block_at (address)->in[1 + device].cached, sim_page_of (address));
  r->cached_by |= UINT32_C (1) << device;
  int fetched = ummgr_gpu_cache_touch (caches[device][gpu], line, lo, hi, how, owner,
				       &any, any);
  if (fetched)
    count_told (owner, &users[device][gpu], fetched, false);
  return ummgr_gpu_moved_of (*bytes - before, c->sent_bytes - sent, bytes == &c->remote_bytes);
}

uint64_t
sim_access_left (int device, unsigned gpu)
{
  return caches[device][gpu] ? ummgr_gpu_cache_left (caches[device][gpu]) : 0;
}

/* --- launches ----------------------------------------------------------- */

bool
sim_access_possible (void)
{
  for (int d = 0; d < sim_machine.devices; d++)
    for (unsigned i = 0; i < ummgr_figures_gpus (&sim_profile.device[d]); i++)
      {
	users[d][i] = (struct user) { d, i };
	if (!caches[d][i]
	    && !(caches[d][i] = ummgr_gpu_cache_create (sim_profile.device[d].cache_bytes,
							count_back, &users[d][i])))
	  return false;
      }
  return true;
}

bool
sim_mem_set_access (bool want)
{
  bool ok = sim_machine.up;
  sim_lock ();
  if (ok && want)
    ok = sim_access_possible ();
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
  __atomic_store_n (&reported, sim_machine.told, __ATOMIC_RELAXED);
  sim_access_changed ();
  __atomic_store_n (&on, wanted || sim_machine.told, __ATOMIC_RELEASE);
}

bool
sim_access_end (int device)
{
  static bool said;
  bool was = sim_access_reported ();
  if (on && !was && !said)
    {
      said = true;
      ummgr_info ("simcuda: a launch reported no accesses (code built without"
		  " tracing?); its traffic is estimated from first touches");
    }
  __atomic_store_n (&on, false, __ATOMIC_RELEASE);
  sim_access_changed ();
  if (was)
    for (unsigned i = 0; i < UMMGR_FIGURES_GPUS && caches[device][i]; i++)
      ummgr_gpu_cache_settle (caches[device][i]);
  return was;
}

void
sim_access_after_fork (void)
{
  on = wanted = false;
}
