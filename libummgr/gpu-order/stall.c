/* Which accesses of a launch wait for their data.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns the memory and when what is in it comes and goes.  As faults are served in
   their order, and accesses that don't fault change nothing, what a fault will do
   is known when it happens: the blocks are as they are after all faults so far,
   and each page's times say what of that is true already.  */

#include "config.h"
#include "gpu-order/stall.h"

#include "paging/paging.h"
#include "simcuda/sim.h"
#include "uvm/rules.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PAGE = 4096,
  SECTOR = 32,
  ALIGN = 512			/* Units of an object are those of its address
				   modulo this; replay/pages.c's.  */
};

struct block
{
  struct uvm_mask here;		/* After all faults so far.  */
  uint16_t first, end;		/* Pages that an object has.  */
};

struct page
{
  double comes, leaves;		/* For the last time; LEAVES counts only if it
				   is not here.  */
};

struct ummgr_stall
{
  struct sim_profile_device d;
  struct ummgr_order_clock *clock;
  const struct ummgr_paging_ops *ops;
  struct ummgr_paging *paging;
  void *objects;		/* First unit + 1 by object.  */
  uint32_t units, blocks;
  uint32_t granule, per_block;	/* Pages.  */
  struct block *block;
  struct page *page;
  uint64_t used;		/* Bytes.  */
  double begins, ends;		/* The batch that was begun last.  */
  int room;			/* Faults that it still takes.  */
  struct ummgr_stall_counts counts;
};

struct ummgr_stall *
ummgr_stall_create (const struct sim_profile_device *machine,
		    const struct ummgr_paging_ops *paging,
		    struct ummgr_order_clock *clock)
{
  struct ummgr_stall *s = calloc (1, sizeof *s);
  if (!s || !(s->paging = paging->create (0)))
    {
      free (s);
      return NULL;
    }
  s->d = *machine;
  s->clock = clock;
  s->ops = paging;
  s->granule = machine->fault_granularity / PAGE;
  s->per_block = machine->block_bytes / PAGE;
  return s;
}

void
ummgr_stall_destroy (struct ummgr_stall *s)
{
  if (!s)
    return;
  s->ops->destroy (s->paging);
  JudyLFreeArray (&s->objects, PJE0);
  free (s->block);
  free (s->page);
  free (s);
}

/* --- objects --------------------------------------------------------------- */

/* Units up to END.  */
static bool
grow (struct ummgr_stall *s, uint32_t end)
{
  uint32_t blocks = (end + s->per_block - 1) / s->per_block;
  struct block *block = reallocarray (s->block, blocks, sizeof *block);
  if (block)
    s->block = block;
  struct page *page = reallocarray (s->page, end, sizeof *page);
  if (page)
    s->page = page;
  if (!block || !page || !s->ops->grow (s->paging, blocks))
    return false;
  memset (page + s->units, 0, (end - s->units) * sizeof *page);
  for (uint32_t i = s->blocks; i < blocks; i++)
    block[i] = (struct block) { .first = (uint16_t) s->per_block };
  s->units = end;
  s->blocks = blocks;
  return true;
}

/* [FIRST, END) are an object's.  */
static void
take_units (struct ummgr_stall *s, uint32_t first, uint32_t end)
{
  for (uint32_t u = first; u < end; u++)
    {
      struct block *b = &s->block[u / s->per_block];
      uint16_t page = u % s->per_block;
      b->first = page < b->first ? page : b->first;
      b->end = page >= b->end ? page + 1 : b->end;
    }
}

/* The first unit of an object; UINT32_MAX without memory.  */
static uint32_t
first_of (struct ummgr_stall *s, uint64_t object, uint64_t base,
	  uint64_t bytes)
{
  PPvoid_t slot = JudyLIns (&s->objects, object, PJE0);
  if (!slot || slot == PPJERR)
    return UINT32_MAX;
  if (*slot)
    return (uint32_t) ((uintptr_t) *slot - 1);
  uint64_t page = base / PAGE, pages = (base + bytes - 1) / PAGE - page + 1;
  uint64_t first = s->units + (page - s->units) % ALIGN;
  if (first + pages >= UINT32_MAX || !grow (s, (uint32_t) (first + pages)))
    return UINT32_MAX;
  take_units (s, (uint32_t) first, (uint32_t) (first + pages));
  *slot = (void *) (uintptr_t) (first + 1);
  return (uint32_t) first;
}

/* --- faults ---------------------------------------------------------------- */

static uint64_t
charge_of (const struct ummgr_stall *s, const struct block *b)
{
  uint32_t granules = (b->end - b->first + s->granule - 1) / s->granule;
  return (uint64_t) granules * s->granule * PAGE;
}

static bool
is_kept (void *data, uint32_t unit)
{
  return *(const uint32_t *) data == unit;
}

/* Block I leaves at WHEN.  Bytes that it takes home.  */
static uint64_t
evict (struct ummgr_stall *s, uint32_t i, double when)
{
  struct block *b = &s->block[i];
  uint64_t pages = uvm_mask_count (&b->here);
  for (uint32_t p = b->first; p < b->end; p++)
    if (uvm_mask_test (&b->here, p))
      s->page[i * s->per_block + p].leaves = when;
  b->here = uvm_mask_range (0, 0);
  s->used -= charge_of (s, b);
  s->ops->remove (s->paging, i);
  s->counts.evictions++;
  return pages * PAGE;
}

/* Room for block I, from WHEN on.  Bytes that leave for it.  */
static uint64_t
make_room (struct ummgr_stall *s, uint32_t i, double when)
{
  uint64_t bytes = charge_of (s, &s->block[i]), out = 0;
  if (!uvm_mask_empty (&s->block[i].here))
    return 0;
  while (s->used && s->used + bytes > s->d.memory_bytes)
    {
      uint32_t victim = s->ops->victim (s->paging, is_kept, &i);
      if (victim == UMMGR_PAGING_NONE)
	break;
      out += evict (s, victim, when);
    }
  s->used += bytes;
  return out;
}

/* A fault on UNIT now.  When its service begins.  */
static double
fault (struct ummgr_stall *s, uint32_t unit)
{
  uint32_t i = unit / s->per_block, page = unit % s->per_block;
  double now = s->clock->now;
  if (!s->room || s->begins < now)
    {
      s->begins = s->ends > now ? s->ends : now;
      s->ends = s->begins + s->d.gpu_fault_cost;
      s->room = s->d.fault_batch;
    }
  s->room--;
  s->counts.faults++;
  uint64_t out = make_room (s, i, s->begins);
  struct block *b = &s->block[i];
  struct uvm_mask mine = uvm_mask_range (b->first, b->end);
  struct uvm_mask come = uvm_tree_region (&b->here, page, b->end, s->granule,
					  s->d.prefetch_threshold);
  come = uvm_mask_and (&come, &mine);
  come = uvm_mask_andnot (&come, &b->here);
  s->ops->insert (s->paging, i);
  uvm_mask_add (&b->here, &come);
  s->ends += uvm_mask_count (&come) * (double) PAGE / s->d.h2d_rate
	     + out / s->d.d2h_rate;
  for (uint32_t p = b->first; p < b->end; p++)
    if (uvm_mask_test (&come, p))
      s->page[i * s->per_block + p].comes = s->ends;
  return s->begins;
}

bool
ummgr_stall_touch (struct ummgr_stall *s, uint64_t object, uint64_t base,
		   uint64_t bytes, uint64_t offset, uint64_t size,
		   double *when_p)
{
  uint32_t first = first_of (s, object, base, bytes);
  *when_p = s->clock->now;
  if (first == UINT32_MAX)
    return false;
  uint64_t address = base + offset;
  uint32_t unit = first + (uint32_t) (address / PAGE - base / PAGE);
  uint64_t sectors = (address + size - 1) / SECTOR - address / SECTOR + 1;
  s->clock->now += sectors * SECTOR / s->d.memory_rate;
  const struct block *b = &s->block[unit / s->per_block];
  bool faults = !uvm_mask_test (&b->here, unit % s->per_block)
		&& s->page[unit].leaves <= s->clock->now;
  double begins = faults ? fault (s, unit) : 0, comes = s->page[unit].comes;
  *when_p = faults ? begins : comes > s->clock->now ? comes : s->clock->now;
  if (comes > s->clock->ready)
    s->clock->ready = comes;
  return faults;
}

struct ummgr_stall_counts
ummgr_stall_counts (const struct ummgr_stall *s)
{
  return s->counts;
}
