/* A simulated GPU with unified memory, driven by a trace.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns nothing but its instances: from a stream's units to the blocks of one of
   uvm/, and what each launch uses of them.  */

#include "config.h"
#include "replay/machine.h"

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
};

struct extent
{
  uint32_t first, end;		/* Units of an object.  */
  uint32_t block;		/* Its first.  */
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
  struct ummgr_paging_use *uses;
  size_t use_room;
  bool failed;			/* For want of memory.  */
};

static const struct ummgr_device_ops ops;

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
    = (struct extent) { o->first, o->first + o->units, m->blocks };
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

   Nothing is advised read-mostly: a write is as a read.  */

/* The GPU, which has no copy of PAGE of B, uses it: what a granule maps remotely does
   not trap again in the launch, unless it is lost.  */
static void
miss (struct ummgr_replay_machine_state *m, struct uvm_block *b, unsigned page,
      struct used *used)
{
  const struct uvm_holding *h = &b->by[GPU];
  if (uvm_mask_test (&used->mapped, page) && uvm_mask_test (&h->remote, page))
    return;
  /* Whose threads it is that access, is not known here.  */
  uvm_access_again (m->uvm, b, page, GPU, false, 0);
  if (uvm_mask_test (&h->resident, page))
    return;
  struct uvm_mask s = uvm_granule (m->uvm, b, page);
  s = uvm_mask_and (&s, &h->remote);
  uvm_mask_add (&used->mapped, &s);
}

static void
gpu_use (struct ummgr_replay_machine_state *m, uint32_t unit)
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
  if (!uvm_mask_test (resident, page))
    miss (m, b, page, used);
  if (!first)
    return;
  struct ummgr_counters *c = &m->uvm->device[0].counters;
  *(uvm_mask_test (resident, page) ? &c->local_bytes : &c->remote_bytes)
    += PAGE;
}

static void
cpu_use (struct ummgr_replay_machine_state *m, uint32_t unit)
{
  unsigned page;
  uint32_t i = block_of (m, unit, &page);
  struct uvm_block *b = m->uvm->blocks[i];
  if (!uvm_mask_test (&b->by[UVM_CPU].resident, page))
    uvm_access (m->uvm, b, page, UVM_CPU, false);
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
  if (m->uvm->launch_device != UVM_NOWHERE)
    uvm_launch_end (m->uvm, 0);
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
prefetch (struct ummgr_device *device, uintptr_t address, size_t size,
	  bool to_host)
{
  struct ummgr_replay_machine_state *m
    = (struct ummgr_replay_machine_state *) device;
  uvm_prefetch (m->uvm, offset_of (m, address / PAGE),
		page_bytes (address, size), to_host ? UVM_HOST : 0);
  return UMMGR_OK;
}

static const struct ummgr_device_ops ops
  = { .name = "replay", .prefetch = prefetch, .keep_on_host = keep_on_host };

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
  if (m->uvm->launch_device != UVM_NOWHERE)
    uvm_launch_like (m->uvm, 0, &like);
}

void
ummgr_machine_copied (struct ummgr_replay_machine_state *m, uint64_t bytes,
		      bool in)
{
  struct ummgr_counters *c = &m->uvm->device[0].counters;
  *(in ? &c->h2d_bytes : &c->d2h_bytes) += bytes;
  uvm_clock_move (m->uvm, 0, bytes, in);
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
