/* A simulated GPU with unified memory, driven by a trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances.  Each function says which one of simcuda/ it
   repeats.  */

#include "config.h"
#include "replay/machine.h"

#include "uvm/rules.h"

#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, NEAR = 512 };

/* Units of one object in one block of memory: an object begins a block of its
   own, as a managed allocation does.  Masks count from the block's first.  */
struct block
{
  struct uvm_mask cpu, gpu;	/* Who holds them; nobody: never touched.  */
  struct uvm_mask host;		/* Placed on the host.  */
  struct uvm_mask device;	/* Placed on the GPU.  */
  struct uvm_mask used;		/* By the running launch.  */
  uint16_t pages;		/* That the object has here.  */
  uint64_t launch;		/* That USED is of.  */
};

struct extent
{
  uint32_t first, end;		/* Units of an object.  */
  uint32_t block;		/* Its first.  */
};

struct ummgr_replay_machine_state
{
  struct sim_profile_device d;
  const struct ummgr_paging_ops *ops;
  struct ummgr_paging *paging;
  unsigned shift;		/* Of a unit, to its block.  */
  unsigned granule;		/* Pages.  */
  struct block *block;
  uint32_t blocks, block_room;
  struct extent *extent;	/* In the order of units.  */
  uint32_t extents, extent_room;
  uint32_t *near;		/* By unit / NEAR: the first extent that may
				   have it.  */
  uint32_t nears;
  uint64_t managed;		/* Bytes of blocks that are on the GPU.  */
  bool running;
  uint64_t launch;
  struct ummgr_counters c, before;
  struct ummgr_paging_use *uses;
  size_t use_room;
};

struct ummgr_replay_machine_state *
ummgr_machine_create (const struct sim_profile_device *device,
		      const struct ummgr_paging_ops *paging)
{
  struct ummgr_replay_machine_state *m = calloc (1, sizeof *m);
  if (!m)
    return NULL;
  m->d = *device;
  m->ops = paging;
  m->shift = __builtin_ctzll (device->block_bytes / PAGE);
  m->granule = device->fault_granularity / PAGE;
  m->paging = paging->create (0);
  if (!m->paging)
    {
      free (m);
      return NULL;
    }
  return m;
}

void
ummgr_machine_destroy (struct ummgr_replay_machine_state *m)
{
  if (!m)
    return;
  m->ops->destroy (m->paging);
  free (m->block);
  free (m->extent);
  free (m->near);
  free (m->uses);
  free (m);
}

/* Arrays have up to twice the room that they need.  */
enum { BLOCK_BYTES = 2 * (sizeof (struct block) + UMMGR_PAGING_UNIT_BYTES) };

size_t
ummgr_machine_unit_bytes (const struct ummgr_replay_machine_state *m)
{
  return (BLOCK_BYTES >> m->shift) + 1;
}

size_t
ummgr_machine_object_bytes (void)
{
  return BLOCK_BYTES + 2 * sizeof (struct extent);
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
  struct block *block = reallocarray (m->block, room, sizeof *block);
  if (!block)
    return false;
  memset (block + m->block_room, 0, (room - m->block_room) * sizeof *block);
  m->block = block;
  m->block_room = room;
  return m->ops->grow (m->paging, room);
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
  if (!grow_extents (m) || !grow_blocks (m, gap + count))
    return false;
  m->blocks += gap;
  m->extent[m->extents]
    = (struct extent) { o->first, o->first + o->units, m->blocks };
  for (uint32_t i = o->first / NEAR; i <= (o->first + o->units - 1) / NEAR; i++)
    if (m->near[i] == UINT32_MAX)
      m->near[i] = m->extents;
  m->extents++;
  for (uint32_t left = o->units; left;)
    {
      uint32_t pages = left < most ? left : most;
      m->block[m->blocks++].pages = pages;
      left -= pages;
    }
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

/* --- residency (migrate.c) ------------------------------------------------- */

static uint64_t
charge_of (const struct ummgr_replay_machine_state *m, const struct block *b)
{
  return (uint64_t) (b->pages + m->granule - 1) / m->granule * m->granule * PAGE;
}

static void
gpu_gives_up (struct ummgr_replay_machine_state *m, uint32_t i,
	      const struct uvm_mask *s)
{
  struct block *b = &m->block[i];
  struct uvm_mask had = uvm_mask_and (&b->gpu, s);
  if (uvm_mask_empty (&had))
    return;
  uvm_mask_remove (&b->gpu, &had);
  if (uvm_mask_empty (&b->gpu))
    {
      m->managed -= charge_of (m, b);
      m->ops->remove (m->paging, i);
    }
}

static void
evict (struct ummgr_replay_machine_state *m, uint32_t i)
{
  struct block *b = &m->block[i];
  struct uvm_mask all = b->gpu;
  m->c.d2h_bytes += (uint64_t) uvm_mask_count (&all) * PAGE;
  uvm_mask_add (&b->cpu, &all);
  gpu_gives_up (m, i, &all);
  m->c.evictions++;
}

static bool
is_kept (void *data, uint32_t unit)
{
  return *(const uint32_t *) data == unit;
}

/* Room for block I, and it the most recent; false if nothing can leave.  */
static bool
charge (struct ummgr_replay_machine_state *m, uint32_t i, bool fault)
{
  struct block *b = &m->block[i];
  if (uvm_mask_empty (&b->gpu))
    {
      uint64_t bytes = charge_of (m, b);
      if (bytes > m->d.memory_bytes)
	return false;
      while (m->managed + bytes > m->d.memory_bytes)
	{
	  uint32_t victim = m->ops->victim (m->paging, is_kept, &i);
	  if (victim == UMMGR_PAGING_NONE)
	    return false;
	  evict (m, victim);
	}
      m->managed += bytes;
      if (m->c.device_peak_bytes < m->managed)
	m->c.device_peak_bytes = m->managed;
    }
  if (fault)
    m->ops->insert (m->paging, i);
  else
    ummgr_paging_prefetched (m->ops, m->paging, i);
  return true;
}

static bool
to_gpu (struct ummgr_replay_machine_state *m, uint32_t i,
	const struct uvm_mask *s, bool fault)
{
  struct block *b = &m->block[i];
  if (!charge (m, i, fault))
    return false;
  struct uvm_mask moves = uvm_mask_and (s, &b->cpu);
  m->c.h2d_bytes += (uint64_t) uvm_mask_count (&moves) * PAGE;
  uvm_mask_remove (&b->cpu, &moves);
  uvm_mask_add (&b->gpu, s);
  return true;
}

static void
to_cpu (struct ummgr_replay_machine_state *m, uint32_t i,
	const struct uvm_mask *s)
{
  struct block *b = &m->block[i];
  struct uvm_mask moves = uvm_mask_and (s, &b->gpu);
  m->c.d2h_bytes += (uint64_t) uvm_mask_count (&moves) * PAGE;
  gpu_gives_up (m, i, &moves);
  uvm_mask_add (&b->cpu, s);
}

/* --- faults (fault.c) ------------------------------------------------------ */

/* What comes along with PAGE to a side that holds RESIDENT.  */
static struct uvm_mask
region_of (const struct ummgr_replay_machine_state *m, const struct block *b,
	   const struct uvm_mask *resident, unsigned page,
	   const struct uvm_mask *wanted)
{
  struct uvm_mask s;
  struct uvm_mask nowhere = uvm_mask_range (0, 0);
  uvm_mask_add (&nowhere, &b->cpu);
  uvm_mask_add (&nowhere, &b->gpu);
  if (wanted && uvm_mask_test (wanted, page) && uvm_mask_empty (&nowhere))
    s = uvm_mask_range (0, b->pages);
  else
    s = uvm_tree_region (resident, page, b->pages, m->granule,
			 m->d.prefetch_threshold);
  /* Only what is advised alike.  */
  struct uvm_mask other = b->host;
  if (uvm_mask_test (&b->host, page))
    return uvm_mask_and (&s, &b->host);
  s = uvm_mask_andnot (&s, &other);
  return uvm_mask_test (&b->device, page) ? uvm_mask_and (&s, &b->device)
	 : uvm_mask_andnot (&s, &b->device);
}

static void
gpu_use (struct ummgr_replay_machine_state *m, uint32_t unit)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct block *b = &m->block[i];
  if (b->launch != m->launch)
    {
      b->used = uvm_mask_range (0, 0);
      b->launch = m->launch;
    }
  bool first = !uvm_mask_test (&b->used, page);
  uvm_mask_set (&b->used, page);
  if (!uvm_mask_test (&b->gpu, page))
    {
      bool host = uvm_mask_test (&b->host, page);
      /* What nobody holds has to be made, by a fault.  */
      if (!host || !uvm_mask_test (&b->cpu, page))
	m->c.gpu_faults++;
      struct uvm_mask s
	= region_of (m, b, host ? &b->cpu : &b->gpu, page,
		     host ? &b->host : &b->device);
      if (!host && to_gpu (m, i, &s, true))
	m->c.local_bytes += first ? PAGE : 0;
      else
	{
	  uvm_mask_add (&b->cpu, &s);
	  m->c.remote_bytes += first ? PAGE : 0;
	}
      return;
    }
  m->c.local_bytes += first ? PAGE : 0;
}

static void
cpu_use (struct ummgr_replay_machine_state *m, uint32_t unit)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct block *b = &m->block[i];
  if (uvm_mask_test (&b->cpu, page))
    return;
  bool held = uvm_mask_test (&b->gpu, page);
  struct uvm_mask s = region_of (m, b, &b->cpu, page, &b->host);
  uint64_t before = m->c.d2h_bytes;
  to_cpu (m, i, &s);
  m->c.cpu_faults += held;
  m->c.model_seconds += (held ? m->d.cpu_fault_cost : 0)
			+ (m->c.d2h_bytes - before) / m->d.d2h_rate;
}

static void
freed (struct ummgr_replay_machine_state *m, uint32_t unit)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct uvm_mask one = uvm_mask_range (page, page + 1);
  gpu_gives_up (m, i, &one);
  uvm_mask_remove (&m->block[i].cpu, &one);
}

/* --- ranges: advice and prefetch (simcuda/memory/advise.c) ----------------------------- */

/* Call VISIT for each block of units [LO, HI), which are one object's, with their
   mask there.  */
static void
each_block (struct ummgr_replay_machine_state *m, uint32_t lo, uint32_t hi,
	    void (*visit) (struct ummgr_replay_machine_state *m, uint32_t i,
			   const struct uvm_mask *s, int what), int what)
{
  unsigned page;
  if (lo >= hi)
    return;
  for (uint32_t i = block_of (m, lo, &page); lo < hi; i++, page = 0)
    {
      uint32_t rest = m->block[i].pages - page;
      uint32_t count = hi - lo < rest ? hi - lo : rest;
      struct uvm_mask s = uvm_mask_range (page, page + count);
      visit (m, i, &s, what);
      lo += count;
    }
}

static void
advise_block (struct ummgr_replay_machine_state *m, uint32_t i,
	      const struct uvm_mask *s, int place)
{
  struct block *b = &m->block[i];
  uvm_mask_remove (&b->host, s);
  uvm_mask_remove (&b->device, s);
  if (place != UMMGR_REPLAY_ANY)
    uvm_mask_add (place == UMMGR_REPLAY_HOST ? &b->host : &b->device, s);
}

void
ummgr_machine_advise (struct ummgr_replay_machine_state *m, uint32_t lo,
		      uint32_t hi, enum ummgr_replay_place place)
{
  each_block (m, lo, hi, advise_block, place);
}

static void
prefetch_block (struct ummgr_replay_machine_state *m, uint32_t i,
		const struct uvm_mask *s, int in)
{
  struct uvm_mask missing
    = uvm_mask_andnot (s, in ? &m->block[i].gpu : &m->block[i].cpu);
  if (uvm_mask_empty (&missing))
    return;
  if (in)
    to_gpu (m, i, &missing, false);
  else
    to_cpu (m, i, &missing);
}

void
ummgr_machine_prefetch (struct ummgr_replay_machine_state *m, uint32_t lo,
			uint32_t hi, bool to_device)
{
  struct ummgr_counters before = m->c;
  each_block (m, lo, hi, prefetch_block, to_device);
  uint64_t in = m->c.h2d_bytes - before.h2d_bytes;
  uint64_t out = m->c.d2h_bytes - before.d2h_bytes;
  if (in || out)
    m->c.model_seconds += m->d.link_latency + in / m->d.h2d_rate
			  + out / m->d.d2h_rate;
}

/* --- launches (model.c) ----------------------------------------------------- */

static void
launch_end (struct ummgr_replay_machine_state *m)
{
  if (!m->running)
    return;
  m->running = false;
  uint64_t faults = m->c.gpu_faults - m->before.gpu_faults;
  uint64_t batches = (faults + m->d.fault_batch - 1) / m->d.fault_batch;
  double local = (m->c.local_bytes - m->before.local_bytes) / m->d.memory_rate;
  double remote
    = (m->c.remote_bytes - m->before.remote_bytes) / m->d.remote_rate;
  m->c.model_seconds += m->d.launch_cost + (local > remote ? local : remote)
			+ batches * m->d.gpu_fault_cost
			+ (m->c.h2d_bytes - m->before.h2d_bytes) / m->d.h2d_rate
			+ (m->c.d2h_bytes - m->before.d2h_bytes)
			    / m->d.d2h_rate;
}

void
ummgr_machine_events (struct ummgr_replay_machine_state *m,
		      const struct ummgr_page_event *e, size_t count)
{
  for (size_t i = 0; i < count; i++)
    switch (e[i].kind)
      {
      case UMMGR_PAGE_FIRST_WRITE:
      case UMMGR_PAGE_READ:
      case UMMGR_PAGE_WRITE:
	gpu_use (m, e[i].unit);
	break;
      case UMMGR_PAGE_HOST_READ:
      case UMMGR_PAGE_HOST_WRITE:
	cpu_use (m, e[i].unit);
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
  m->ops->region (m->paging, m->uses, region->use_count);
}

void
ummgr_machine_region (struct ummgr_replay_machine_state *m,
		      const struct ummgr_page_region *region)
{
  if (m->ops->region)
    tell_paging (m, region);
  m->launch++;
  m->c.launches++;
  m->running = true;
  m->before = m->c;
}

struct ummgr_counters
ummgr_machine_counters (const struct ummgr_replay_machine_state *m)
{
  return m->c;
}
