/* A simulated GPU with unified memory, driven by a trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances: from a stream's units to the blocks of one of
   uvm/, and what each launch uses of them.  */

#include "config.h"
#include "replay/machine.h"

#include "base/log.h"
#include "gpu/cache.h"
#include "gpu/steps.h"
#include "replay/areas.h"
#include "uvm/uvm.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, NEAR = 512, GPU = 1 };

#define LONG 1e9		/* Seconds; no launch takes them.  */

/* Of a block in the running launch.  */
struct used
{
  struct uvm_mask pages;	/* That it has used.  */
  struct uvm_mask mapped;	/* That it has mapped remotely.  */
  uint64_t launch;		/* That these are of.  */
  struct uvm_mask cached;	/* In the last-level cache, maybe.  */
};

struct extent
{
  uint32_t first, end;		/* Units of an object.  */
  uint32_t block;		/* Its first.  */
  uint64_t line_base;		/* Where it begins, as the last-level cache knows it.  */
};

struct ummgr_replay_machine_state
{
  struct ummgr_device device;	/* First: its slots get it.  */
  struct uvm *uvm;
  unsigned shift;		/* Of a unit, to its block.  */
  struct used *used;		/* By block.  */
  uint32_t blocks, block_room;
  struct extent *extent;	/* In the order of units.  */
  uint32_t extents, extent_room;
  uint32_t *near;		/* By unit / NEAR: the first extent that may
				   have it.  */
  uint32_t nears;
  uint64_t launch;
  /* Launches in a GPU's order.  */
  struct ummgr_gpu_cache *cache; /* NULL: none yet.  */
  const struct ummgr_areas *areas; /* Of the one that runs.  */
  bool told;			/* The one under way is.  */
  double took;			/* So far.  */
  struct ummgr_paging_use *uses;
  size_t use_room;
  void (*fetched) (void *data, uint32_t unit, unsigned sectors); /* Or NULL.  */
  void *fetched_data;
  bool failed;			/* For want of memory.  */
};

static const struct ummgr_device_ops ops;
static const struct uvm_observer observer;

struct ummgr_replay_machine_state *
ummgr_machine_create (const struct ummgr_figures *device,
		      const struct ummgr_paging_ops *paging)
{
  struct ummgr_replay_machine_state *m = calloc (1, sizeof *m);
  struct uvm_config config = uvm_configure (device, 1);
  config.paging = paging;
  if (!m || !(m->uvm = uvm_create (&config)))
    {
      free (m);
      return NULL;
    }
  uvm_observe (m->uvm, &observer, m);
  m->device.ops = &ops;
  m->shift = __builtin_ctzll (device->block_bytes / PAGE);
  return m;
}

void
ummgr_machine_destroy (struct ummgr_replay_machine_state *m)
{
  if (!m)
    return;
  uvm_destroy (m->uvm);
  free (m->used);
  free (m->extent);
  free (m->near);
  free (m->uses);
  ummgr_gpu_cache_destroy (m->cache);
  free (m);
}

/* Arrays have up to twice the room that they need.  */
static size_t
block_bytes (unsigned pages)
{
  return 2 * (uvm_block_memory (1, pages) + sizeof (struct used)
	      + UMMGR_PAGING_UNIT_BYTES);
}

size_t
ummgr_machine_unit_bytes (const struct ummgr_replay_machine_state *m)
{
  return (block_bytes (1u << m->shift) >> m->shift) + 1;
}

size_t
ummgr_machine_object_bytes (void)
{
  return block_bytes (UVM_BLOCK_PAGES) + sizeof (struct uvm_range)
	 + 2 * sizeof (struct extent);
}

bool
ummgr_machine_grow (struct ummgr_replay_machine_state *m, uint32_t units)
{
  uint32_t nears = units / NEAR + 1;
  if (nears <= m->nears)
    return true;
  uint32_t room = nears > 2 * m->nears ? nears : 2 * m->nears;
  uint32_t *near = reallocarray (m->near, room, sizeof *near);
  if (!near)
    return false;
  for (uint32_t i = m->nears; i < room; i++)
    near[i] = UINT32_MAX;
  m->near = near;
  m->nears = room;
  return true;
}

/* Room for COUNT more blocks.  */
static bool
grow_blocks (struct ummgr_replay_machine_state *m, uint32_t count)
{
  if (count <= m->block_room - m->blocks)
    return true;
  uint32_t least = m->blocks + count;
  uint32_t room = least > 2 * m->block_room ? least : 2 * m->block_room;
  struct used *used = reallocarray (m->used, room, sizeof *used);
  if (!used)
    return false;
  memset (used + m->block_room, 0, (room - m->block_room) * sizeof *used);
  m->used = used;
  m->block_room = room;
  return true;
}

static bool
grow_extents (struct ummgr_replay_machine_state *m)
{
  if (m->extents < m->extent_room)
    return true;
  uint32_t room = m->extent_room ? 2 * m->extent_room : 16;
  struct extent *extent = reallocarray (m->extent, room, sizeof *extent);
  if (!extent)
    return false;
  m->extent = extent;
  m->extent_room = room;
  return true;
}

bool
ummgr_machine_object (struct ummgr_replay_machine_state *m,
		      const struct ummgr_page_object *o)
{
  uint32_t most = 1u << m->shift, count = (o->units + most - 1) >> m->shift;
  /* Sets of blocks are those of the address space, as a unit's number is.  */
  uint32_t gap = ((o->first >> m->shift) - m->blocks) % (NEAR >> m->shift);
  if (m->failed || !grow_extents (m) || !grow_blocks (m, gap + count)
      || !uvm_range_add (m->uvm, m->blocks + gap, o->units, 0, false))
    return false;
  m->blocks += gap;
  m->extent[m->extents]
    = (struct extent) { o->first, o->first + o->units, m->blocks, 0 };
  for (uint32_t i = o->first / NEAR; i <= (o->first + o->units - 1) / NEAR; i++)
    if (m->near[i] == UINT32_MAX)
      m->near[i] = m->extents;
  m->extents++;
  m->blocks += count;
  return true;
}

/* UNIT's object.  */
static const struct extent *
extent_of (const struct ummgr_replay_machine_state *m, uint32_t unit)
{
  const struct extent *e = &m->extent[m->near[unit / NEAR]];
  while (unit >= e->end)
    e++;
  return e;
}

/* UNIT's block, and its page there.  */
static uint32_t
block_of (const struct ummgr_replay_machine_state *m, uint32_t unit,
	  unsigned *page)
{
  const struct extent *e = extent_of (m, unit);
  *page = (unit - e->first) & ((1u << m->shift) - 1);
  return e->block + ((unit - e->first) >> m->shift);
}

/* --- events ----------------------------------------------------------------- 

   A write is more than a read where a page may be on both sides: under advice.  */

/* The GPU, which has no copy of PAGE of B, or not for itself, uses it: what a granule maps remotely does
   not trap again in the launch, unless it is lost.  */
static void
miss (struct ummgr_replay_machine_state *m, struct uvm_block *b, unsigned page, bool write,
      struct used *used)
{
  const struct uvm_holding *h = &b->by[GPU];
  if (uvm_mask_test (&used->mapped, page) && uvm_mask_test (&h->remote, page))
    return;
  /* Whose threads it is that access, is not known here.  */
  uvm_access_again (m->uvm, b, page, GPU, write, 0);
  if (uvm_mask_test (&h->resident, page))
    return;
  struct uvm_mask s = uvm_granule (m->uvm, b, page);
  s = uvm_mask_and (&s, &h->remote);
  uvm_mask_add (&used->mapped, &s);
}

static void
gpu_use (struct ummgr_replay_machine_state *m, uint32_t unit, bool write)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct uvm_block *b = m->uvm->blocks[i];
  const struct uvm_mask *resident = &b->by[GPU].resident;
  struct used *used = &m->used[i];
  if (used->launch != m->launch)
    *used = (struct used) { .launch = m->launch };
  bool first = !uvm_mask_test (&used->pages, page);
  uvm_mask_set (&used->pages, page);
  const bool writes = write;
  write &= b->advice != NULL;
  if (write || !uvm_mask_test (resident, page))
    miss (m, b, page, write, used);
  if (!first)
    return;
  struct ummgr_counters *c = &m->uvm->device[0].counters;
  bool local = uvm_mask_test (resident, page);
  *(local ? &c->local_bytes : &c->remote_bytes) += PAGE;
  c->sent_bytes += !local && writes ? PAGE : 0;
}

static void
cpu_use (struct ummgr_replay_machine_state *m, uint32_t unit, bool write)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct uvm_block *b = m->uvm->blocks[i];
  write &= b->advice != NULL;
  if (write || !uvm_mask_test (&b->by[UVM_CPU].resident, page))
    uvm_access (m->uvm, b, page, UVM_CPU, write);
}

static void
freed (struct ummgr_replay_machine_state *m, uint32_t unit)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  uvm_discard (m->uvm, m->uvm->blocks[i], &one);
}

static void
launch_end (struct ummgr_replay_machine_state *m)
{
  if (m->uvm->launch_device == UVM_NOWHERE)
    return;
  if (m->told)
    {
      uvm_launch_took (m->uvm, 0, m->took);
      if (m->cache)
	ummgr_gpu_cache_settle (m->cache);
    }
  uvm_launch_end (m->uvm, 0);
  m->told = false;
}

void
ummgr_machine_events (struct ummgr_replay_machine_state *m,
		      const struct ummgr_page_event *e, size_t count)
{
  for (size_t i = 0; i < count; i++)
    switch (e[i].kind)
      {
      case UMMGR_PAGE_READ:
      case UMMGR_PAGE_WRITE:
	if (!m->told)
	  gpu_use (m, e[i].unit, ummgr_page_writes (e[i].kind));
	break;
      case UMMGR_PAGE_HOST_READ:
      case UMMGR_PAGE_HOST_WRITE:
	cpu_use (m, e[i].unit, ummgr_page_writes (e[i].kind));
	break;
      case UMMGR_PAGE_FREE:
	freed (m, e[i].unit);
	break;
      case UMMGR_PAGE_REGION_END:
	launch_end (m);
	break;
      default:
	/* What the recorded run's policy prefetched is not this one's.  */
	break;
      }
}

/* --- ranges: advice and prefetch ---------------------------------------------- */

/* Bytes from the instance's begin to UNIT.  */
static uint64_t
offset_of (const struct ummgr_replay_machine_state *m, uint32_t unit)
{
  unsigned page;
  uint64_t block = block_of (m, unit, &page);
  return ((block << m->shift) + page) * PAGE;
}

/* --- as a device ------------------------------------------------------------- */

struct ummgr_device *
ummgr_machine_device (struct ummgr_replay_machine_state *machine)
{
  return &machine->device;
}

/* The bytes of whole pages, as the driver takes them.  */
static uint64_t
page_bytes (uintptr_t address, size_t size)
{
  return ((address + size + PAGE - 1) & -(uintptr_t) PAGE)
	 - (address & -(uintptr_t) PAGE);
}

/* As the driver is advised of what stays (device/cuda.c).  */
static enum ummgr_status
keep_on_host (struct ummgr_device *device, uintptr_t address, size_t size,
	      bool on)
{
  struct ummgr_replay_machine_state *m
    = (struct ummgr_replay_machine_state *) device;
  uint64_t offset = offset_of (m, address / PAGE);
  size = page_bytes (address, size);
  if (uvm_advise (m->uvm, offset, size,
		  on ? UVM_SET_PREFERRED : UVM_UNSET_PREFERRED, UVM_HOST)
      && uvm_advise (m->uvm, offset, size,
		     on ? UVM_SET_ACCESSED_BY : UVM_UNSET_ACCESSED_BY, 0))
    return UMMGR_OK;
  m->failed = true;
  return UMMGR_ERR_NOMEM;
}

static enum ummgr_status
advise (struct ummgr_device *device, uintptr_t address, size_t size,
	enum ummgr_device_advice advice, bool on)
{
  static const enum uvm_advice set[]
    = { UVM_SET_READ_MOSTLY, UVM_SET_PREFERRED, UVM_SET_ACCESSED_BY };
  static const enum uvm_advice unset[]
    = { UVM_UNSET_READ_MOSTLY, UVM_UNSET_PREFERRED, UVM_UNSET_ACCESSED_BY };
  struct ummgr_replay_machine_state *m
    = (struct ummgr_replay_machine_state *) device;
  if (uvm_advise (m->uvm, offset_of (m, address / PAGE), page_bytes (address, size),
		  on ? set[advice] : unset[advice], 0))
    return UMMGR_OK;
  m->failed = true;
  return UMMGR_ERR_NOMEM;
}

static enum ummgr_status
prefetch (struct ummgr_device *device, uintptr_t address, size_t size,
	  bool to_host)
{
  struct ummgr_replay_machine_state *m
    = (struct ummgr_replay_machine_state *) device;
  uvm_prefetch (m->uvm, offset_of (m, address / PAGE),
		page_bytes (address, size), to_host ? UVM_HOST : 0);
  return UMMGR_OK;
}

static enum ummgr_status
discard (struct ummgr_device *device, uintptr_t address, size_t size)
{
  struct ummgr_replay_machine_state *m
    = (struct ummgr_replay_machine_state *) device;
  uintptr_t first = (address + PAGE - 1) & -(uintptr_t) PAGE, end = (address + size) & -(uintptr_t) PAGE;
  if (first < end)
    uvm_discard_range (m->uvm, offset_of (m, first / PAGE), end - first);
  return UMMGR_OK;
}

static const struct ummgr_device_ops ops
  = { .name = "replay", .prefetch = prefetch, .discard = discard, .keep_on_host = keep_on_host,
      .advise = advise };

/* --- launches ----------------------------------------------------------------- */

/* What is known of the region, in blocks.  */
static void
tell_paging (struct ummgr_replay_machine_state *m,
	     const struct ummgr_page_region *region)
{
  if (region->use_count > m->use_room)
    {
      struct ummgr_paging_use *uses
	= reallocarray (m->uses, region->use_count, sizeof *uses);
      if (!uses)
	return;
      m->uses = uses;
      m->use_room = region->use_count;
    }
  unsigned page;
  for (size_t i = 0; i < region->use_count; i++)
    {
      struct ummgr_paging_use *u = &m->uses[i];
      *u = ummgr_page_use_paging (&region->uses[i]);
      u->lo = block_of (m, u->lo, &page);
      u->hi = block_of (m, u->hi - 1, &page) + 1;
      u->object_lo = block_of (m, u->object_lo, &page);
      u->object_hi = block_of (m, u->object_hi - 1, &page) + 1;
    }
  uvm_region (m->uvm, 0, m->uses, region->use_count);
}

void
ummgr_machine_region (struct ummgr_replay_machine_state *m,
		      const struct ummgr_page_region *region)
{
  if (m->uvm->policy->region)
    tell_paging (m, region);
  m->launch++;
  m->told = false;
  uvm_launch_begin (m->uvm, 0);
}

void
ummgr_machine_taken (struct ummgr_replay_machine_state *m, uint64_t bytes)
{
  /* Where there is less than the recorded run had, the program would fail.  */
  uvm_taken (m->uvm, 0, bytes);
}

void
ummgr_machine_ran (struct ummgr_replay_machine_state *m, const struct ummgr_trace_ran *ran)
{
  /* A damaged trace may say anything.  */
  const struct uvm_ran like = {
    ran->seconds > 0 && ran->seconds < LONG ? ran->seconds : 0, ran->faults,
    ran->batches < ran->faults ? ran->batches : ran->faults
  };
  if (m->uvm->launch_device != UVM_NOWHERE && !m->told)
    uvm_launch_like (m->uvm, 0, &like);
}

/* --- launches in a GPU's order -------------------------------------------------

   As the simulated driver has them (simcuda/memory/gpu.c).  */

/* Lines of the last-level cache are numbers below this.  */
#define LINES (UINT64_C (1) << 40)

static void
count_lines (struct ummgr_replay_machine_state *m, bool remote, unsigned sectors, bool written)
{
  struct ummgr_counters *c = &m->uvm->device[0].counters;
  const uint64_t bytes = sectors * (uint64_t) UMMGR_GPU_SECTOR;
  *(remote ? &c->remote_bytes : &c->local_bytes) += bytes;
  c->sent_bytes += remote && written ? bytes : 0;
}

static void
count_back (void *data, ummgr_gpu_cache_owner owner, unsigned sectors)
{
  count_lines (data, owner & UMMGR_GPU_CACHE_REMOTE, sectors, true);
}

void
ummgr_machine_told (struct ummgr_replay_machine_state *m)
{
  if (!m->told)
    m->took = 0;
  m->told = m->uvm->launch_device != UVM_NOWHERE;
}

/* What has BLOCK.  */
static const struct extent *
extent_of_block (const struct ummgr_replay_machine_state *m, uint32_t block)
{
  uint32_t lo = 0, hi = m->extents;
  while (hi - lo > 1)
    {
      uint32_t mid = lo + (hi - lo) / 2;
      if (m->extent[mid].block <= block)
	lo = mid;
      else
	hi = mid;
    }
  return &m->extent[lo];
}

/* Pages S of B have left the GPU: so do their lines.  */
static void
lost (void *data, struct uvm_block *b, const struct uvm_mask *s, unsigned p)
{
  struct ummgr_replay_machine_state *m = data;
  if (p != GPU || !m->cache)
    return;
  struct uvm_mask *cached = &m->used[b->unit].cached, gone = uvm_mask_and (cached, s);
  const struct extent *e = extent_of_block (m, b->unit);
  uint64_t base = e->line_base + ((uint64_t) (b->unit - e->block) << m->shift) * PAGE;
  UVM_MASK_RUNS (&gone, lo, hi)
    ummgr_gpu_cache_drop (m->cache, (base + lo * PAGE) / UMMGR_GPU_LINE % LINES,
			  (base + hi * PAGE - 1) / UMMGR_GPU_LINE % LINES);
  uvm_mask_remove (cached, &gone);
}

static const struct uvm_observer observer = { .lost = lost };

static void
place (void *memory, uint64_t address, struct ummgr_gpu_place *p)
{
  struct ummgr_replay_machine_state *m = memory;
  struct ummgr_area a = ummgr_areas_find (m->areas, address);
  *p = (struct ummgr_gpu_place) {
    .base = a.base, .end = a.end, .key = a.key,
    .kind = a.kind <= UMMGR_GPU_MANAGED ? a.kind : UMMGR_GPU_NONE
  };
  if (!a.units)
    {
      /* No object's: the GPU's own, as far as is known.  */
      if (p->kind == UMMGR_GPU_MANAGED)
	p->kind = UMMGR_GPU_LOCAL;
      return;
    }
  struct extent *e = (struct extent *) extent_of (m, a.first);
  e->line_base = a.base + a.key - a.within;
  p->kind = UMMGR_GPU_MANAGED;
  p->range = m->uvm->blocks[e->block]->range;
  p->owner = (void *) (uintptr_t) e->first;
  p->within = a.within;
}

static bool
held (void *memory, const struct ummgr_gpu_place *p, uint64_t sector, bool write, unsigned gpu)
{
  const struct ummgr_replay_machine_state *m = memory;
  unsigned lo, hi;
  uint64_t line = ummgr_gpu_line_of (p, sector, &lo, &hi) % LINES;
  (void) gpu;
  return ummgr_gpu_cache_holds (m->cache, line, lo, hi,
				write ? UMMGR_GPU_CACHE_WRITE : UMMGR_GPU_CACHE_READ);
}

static uint64_t
left (void *memory, unsigned gpu)
{
  const struct ummgr_replay_machine_state *m = memory;
  (void) gpu;
  return ummgr_gpu_cache_left (m->cache);
}

/* The page of SECTOR, of those that P's range has.  */
static uint64_t
page_of (const struct ummgr_gpu_place *p, uint64_t sector)
{
  uint64_t address = sector * UMMGR_GPU_SECTOR;
  return ((address < p->base ? p->base : address) - p->base + p->within) / PAGE;
}

/* The page of SECTOR, which P has, is in the cache now.  */
static void
note_cached (struct ummgr_replay_machine_state *m, const struct ummgr_gpu_place *p,
	     uint64_t sector, bool remote)
{
  uint64_t page = page_of (p, sector);
  uint32_t unit = p->range->first + (page >> m->shift);
  uvm_mask_set (&m->used[unit].cached, page & ((1u << m->shift) - 1));
  if (m->uvm->hears && !remote)
    uvm_hit (m->uvm, 0, unit);
}

static struct ummgr_gpu_moved
use (void *memory, const struct ummgr_gpu_place *p, uint64_t sector, bool write, unsigned gpu,
     unsigned home)
{
  struct ummgr_replay_machine_state *m = memory;
  bool remote = home == UMMGR_GPU_ELSEWHERE;
  const struct ummgr_counters *c = &m->uvm->device[0].counters;
  const uint64_t *bytes = remote ? &c->remote_bytes : &c->local_bytes, before = *bytes, sent = c->sent_bytes;
  const uint64_t any = 0;
  unsigned lo, hi;
  uint64_t line = ummgr_gpu_line_of (p, sector, &lo, &hi) % LINES;
  (void) gpu;
  if (p->kind == UMMGR_GPU_MANAGED)
    note_cached (m, p, sector, remote);
  int fetched
    = ummgr_gpu_cache_touch (m->cache, line, lo, hi,
			     write ? UMMGR_GPU_CACHE_WRITE : UMMGR_GPU_CACHE_READ,
			     remote ? UMMGR_GPU_CACHE_REMOTE : 0, &any, any);
  if (fetched > 0)
    count_lines (m, remote, fetched, false);
  if (m->fetched && fetched > 0 && p->kind == UMMGR_GPU_MANAGED)
    m->fetched (m->fetched_data, (uintptr_t) p->owner + page_of (p, sector), fetched);
  return ummgr_gpu_moved_of (*bytes - before, c->sent_bytes - sent, remote);
}

bool
ummgr_machine_steps (struct ummgr_replay_machine_state *m, struct ummgr_gpu_steps *steps,
		     const struct ummgr_areas *areas)
{
  static const uint64_t never;
  struct ummgr_gpu_options o = {
    .uvm = m->uvm, .changes = &never, .memory = m, .place = place, .held = held, .use = use,
    .left = left
  };
  struct ummgr_gpu_result result;
  if (!m->told)
    return true;
  if (!m->cache
      && !(m->cache = ummgr_gpu_cache_create (m->uvm->device[0].figures.cache_bytes,
					      count_back, m)))
    return false;
  m->areas = areas;
  if (!ummgr_gpu_steps_source (steps, &o))
    return false;
  enum ummgr_gpu_end end = ummgr_gpu_run (&o, &result);
  if (end == UMMGR_GPU_STUCK)
    ummgr_warn_once ("replay: warps of a launch wait at a barrier for ever: the trace is "
		     "not whole");
  ummgr_debug ("replay: %u teams of %u warps, %.9g s, %llu batches, %llu steps, %llu misses, %llu held",
	       o.teams, o.warps, result.seconds, (unsigned long long) result.batches,
	       (unsigned long long) result.steps, (unsigned long long) result.misses,
	       (unsigned long long) result.held);
  if (result.seconds > 0 && result.seconds < LONG)
    m->took += result.seconds;
  return end != UMMGR_GPU_NO_MEMORY;
}

void
ummgr_machine_fetches (struct ummgr_replay_machine_state *m,
		       void (*fetched) (void *data, uint32_t unit, unsigned sectors),
		       void *data)
{
  m->fetched = fetched;
  m->fetched_data = data;
}

void
ummgr_machine_copied (struct ummgr_replay_machine_state *m, uint64_t bytes,
		      bool in)
{
  struct ummgr_counters *c = &m->uvm->device[0].counters;
  *(in ? &c->h2d_bytes : &c->d2h_bytes) += bytes;
  uvm_clock_move_staged (m->uvm, 0, bytes, in);
}

void
ummgr_machine_copies (struct ummgr_replay_machine_state *m, uint64_t count)
{
  uvm_clock_latency (m->uvm, 0, count);
}

struct ummgr_counters
ummgr_machine_counters (const struct ummgr_replay_machine_state *m)
{
  return uvm_counters (m->uvm, 0);
}
