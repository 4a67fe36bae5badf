/* Which accesses of a launch wait for their data.
   SPDX-License-Identifier: GPL-3.0-or-later WITH GCC-exception-3.1

   Owns when what is in memory comes and goes; what comes and goes is an instance's of
   uvm/.  As faults are served in their order, and accesses that don't fault change
   nothing, what a fault will do is known when it happens: the instance is as it is
   after all faults so far, and each page's times say what of that is true already.  */

#include "config.h"
#include "gpu-order/stall.h"

#include "uvm/uvm.h"

#include <Judy.h>
#include <stdlib.h>
#include <string.h>

enum
{
  PAGE = 4096,
  SECTOR = 32,
  GPU = 1,
  ALIGN = 512			/* Pages of an object are those of its address
				   modulo this; replay/pages.c's.  */
};

struct page
{
  double comes, leaves;		/* For the last time; LEAVES counts only if it
				   is not here.  */
};

struct ummgr_stall
{
  struct uvm *uvm;
  struct ummgr_order_clock *clock;
  void *objects;		/* The range by object.  */
  uint32_t blocks;
  struct page *page;		/* Those of each block.  */
  double begins, ends;		/* The batch that was begun last.  */
  int room;			/* Faults that it still takes.  */
};

static const struct ummgr_figures *
figures (const struct ummgr_stall *s)
{
  return &s->uvm->device[0].figures;
}

static struct page *
page_at (const struct ummgr_stall *s, const struct uvm_block *b, unsigned page)
{
  return &s->page[b->unit * (s->uvm->block_bytes / PAGE) + page];
}

/* Pages of B leave for the fault that is being served, when that begins.  */
static void
lost (void *data, struct uvm_block *b, const struct uvm_mask *pages, unsigned p)
{
  const struct ummgr_stall *s = data;
  if (p == GPU)
    UVM_MASK_RUNS (pages, lo, hi)
      for (unsigned i = lo; i < hi; i++)
	page_at (s, b, i)->leaves = s->begins;
}

static const struct uvm_observer observer = { .lost = lost };

struct ummgr_stall *
ummgr_stall_create (const struct uvm_config *machine,
		    struct ummgr_order_clock *clock)
{
  struct uvm_config config = *machine;
  struct ummgr_stall *s = calloc (1, sizeof *s);
  /* What a warp uses has to come somewhere.  */
  if (config.device[0].memory_bytes < config.block_bytes)
    config.device[0].memory_bytes = config.block_bytes;
  if (!s || !(s->uvm = uvm_create (&config)))
    {
      free (s);
      return NULL;
    }
  uvm_observe (s->uvm, &observer, s);
  s->clock = clock;
  return s;
}

void
ummgr_stall_destroy (struct ummgr_stall *s)
{
  if (!s)
    return;
  uvm_destroy (s->uvm);
  JudyLFreeArray (&s->objects, PJE0);
  free (s->page);
  free (s);
}

void
ummgr_stall_taken (struct ummgr_stall *s, uint64_t bytes)
{
  /* A block is left to warps, whatever else there is.  */
  if (bytes + s->uvm->block_bytes <= s->uvm->device[0].figures.memory_bytes)
    uvm_taken (s->uvm, 0, bytes);
}

/* --- objects --------------------------------------------------------------- */

/* BLOCKS in all.  */
static bool
grow (struct ummgr_stall *s, uint32_t blocks)
{
  size_t each = s->uvm->block_bytes / PAGE * sizeof *s->page;
  struct page *page = reallocarray (s->page, blocks, each);
  if (!page)
    return false;
  memset ((char *) page + s->blocks * each, 0, (blocks - s->blocks) * each);
  s->page = page;
  s->blocks = blocks;
  return true;
}

/* All is the CPU's at first.  */
static struct uvm_range *
add (struct ummgr_stall *s, uint64_t base, uint64_t bytes)
{
  uint64_t most = s->uvm->block_bytes / PAGE, page = base / PAGE;
  uint64_t pages = (base + bytes - 1) / PAGE - page + 1;
  uint64_t first = s->blocks + (page / most - s->blocks) % (ALIGN / most);
  uint64_t end = first + (pages + most - 1) / most;
  if (end * most >= UINT32_MAX || !grow (s, (uint32_t) end))
    return NULL;
  return uvm_range_add (s->uvm, (uint32_t) first, pages, 0, true);
}

/* The range of an object; NULL without memory.  */
static struct uvm_range *
range_of (struct ummgr_stall *s, uint64_t object, uint64_t base, uint64_t bytes)
{
  PPvoid_t slot = JudyLIns (&s->objects, object, PJE0);
  if (!slot || slot == PPJERR)
    return NULL;
  if (!*slot)
    *slot = add (s, base, bytes);
  return *slot;
}

/* --- faults ---------------------------------------------------------------- */

/* A fault on PAGE of B now.  When its service begins.  */
static double
fault (struct ummgr_stall *s, struct uvm_block *b, unsigned page)
{
  double now = s->clock->now;
  if (!s->room || s->begins < now)
    {
      s->begins = s->ends > now ? s->ends : now;
      s->ends = s->begins + figures (s)->gpu_fault_cost;
      s->room = figures (s)->fault_batch;
    }
  s->room--;
  struct ummgr_counters before = uvm_counters (s->uvm, 0);
  struct uvm_mask had = b->by[GPU].resident;
  uvm_access (s->uvm, b, page, GPU, false);
  struct ummgr_counters after = uvm_counters (s->uvm, 0);
  struct uvm_mask come = uvm_mask_andnot (&b->by[GPU].resident, &had);
  s->ends += (after.h2d_bytes - before.h2d_bytes) / figures (s)->h2d_rate
	     + (after.d2h_bytes - before.d2h_bytes) / figures (s)->d2h_rate;
  UVM_MASK_RUNS (&come, lo, hi)
    for (unsigned i = lo; i < hi; i++)
      page_at (s, b, i)->comes = s->ends;
  return s->begins;
}

bool
ummgr_stall_touch (struct ummgr_stall *s, uint64_t object, uint64_t base,
		   uint64_t bytes, uint64_t offset, uint64_t size,
		   double *when_p)
{
  struct uvm_range *r = range_of (s, object, base, bytes);
  *when_p = s->clock->now;
  if (!r)
    return false;
  uint64_t address = base + offset, most = s->uvm->block_bytes / PAGE;
  uint64_t at = address / PAGE - base / PAGE;
  uint64_t sectors = (address + size - 1) / SECTOR - address / SECTOR + 1;
  s->clock->now += sectors * SECTOR / figures (s)->memory_rate;
  struct uvm_block *b = uvm_range_block (s->uvm, r, (uint32_t) (at / most));
  unsigned page = at % most;
  bool faults = !uvm_mask_test (&b->by[GPU].resident, page)
		&& page_at (s, b, page)->leaves <= s->clock->now;
  double begins = faults ? fault (s, b, page) : 0;
  double comes = page_at (s, b, page)->comes;
  *when_p = faults ? begins : comes > s->clock->now ? comes : s->clock->now;
  if (comes > s->clock->ready)
    s->clock->ready = comes;
  return faults;
}

struct ummgr_stall_counts
ummgr_stall_counts (const struct ummgr_stall *s)
{
  struct ummgr_counters c = uvm_counters (s->uvm, 0);
  return (struct ummgr_stall_counts) { c.gpu_faults, c.evictions };
}
