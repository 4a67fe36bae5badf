/* The fast engine of `ummgr replay --evict', which knows single pages only, counts
   something else than an instance of unified memory does with blocks of one page.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "check.h"
#include "replay/memory.h"
#include "uvm/uvm.h"

enum { PAGES = 700, STEPS = 20000, GPU = 1 };

static uint64_t state;
static struct uvm *u;
static struct ummgr_replay_memory *fast;
static struct uvm_range *range[PAGES];

static uint32_t
rnd (uint32_t n)
{
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t) (state >> 33) % n;
}

static struct uvm *
make (const struct ummgr_paging_ops *ops, uint32_t capacity)
{
  struct uvm_config c = {
    .devices = 1, .block_bytes = UVM_PAGE, .fault_granularity = UVM_PAGE,
    .paging = ops,
    .device[0] = {
      .memory_bytes = capacity * UVM_PAGE, .memory_rate = 1, .h2d_rate = 1,
      .d2h_rate = 1, .remote_rate = 1, .fault_batch = 1
    }
  };
  struct uvm *made = uvm_create (&c);
  CHECK (made);
  return made;
}

static void
event (uint32_t unit, unsigned kind)
{
  struct ummgr_page_event e = { unit, kind };
  ummgr_replay_memory_events (fast, &e, 1);
}

static void
step (uint32_t unit)
{
  static const unsigned kinds[]
    = { UMMGR_PAGE_READ, UMMGR_PAGE_READ, UMMGR_PAGE_READ, UMMGR_PAGE_WRITE,
	UMMGR_PAGE_WRITE, UMMGR_PAGE_SERVED_WRITE, UMMGR_PAGE_HOST_READ,
	UMMGR_PAGE_HOST_WRITE, UMMGR_PAGE_PREFETCH_IN, UMMGR_PAGE_PREFETCH_OUT,
	UMMGR_PAGE_FREE };
  unsigned kind = kinds[rnd (rnd (3) ? 6 : sizeof kinds / sizeof *kinds)];
  struct uvm_block *b = u->blocks[unit];
  event (unit, kind);
  switch (kind)
    {
    case UMMGR_PAGE_HOST_READ:
    case UMMGR_PAGE_HOST_WRITE:
      uvm_access (u, b, 0, UVM_CPU, false);
      break;
    case UMMGR_PAGE_PREFETCH_IN:
      /* One of what is there is not seen.  */
      if (!uvm_mask_test (&b->by[GPU].resident, 0))
	uvm_prefetch (u, unit * UVM_PAGE, UVM_PAGE, 0);
      break;
    case UMMGR_PAGE_PREFETCH_OUT:
      uvm_prefetch (u, unit * UVM_PAGE, UVM_PAGE, UVM_HOST);
      break;
    case UMMGR_PAGE_FREE:
      uvm_range_remove (u, range[unit]);
      range[unit] = uvm_range_add (u, unit, 1, 0, false);
      CHECK (range[unit]);
      break;
    default:
      uvm_access (u, b, 0, GPU, false);
    }
}

/* A region that is known to use some pages begins.  */
static void
begin (void)
{
  static uint64_t launch;
  struct ummgr_page_use use[3];
  struct ummgr_paging_use told[3];
  struct ummgr_page_region region
    = { .launch = ++launch, .region = 1 + rnd (3), .name = "r", .file = "",
	.uses = use, .use_count = 3 };
  for (uint32_t i = 0; i < 3; i++)
    {
      uint32_t lo = i * PAGES / 3, hi = (i + 1) * PAGES / 3;
      use[i] = (struct ummgr_page_use) {
	.lo = lo + rnd (20), .hi = hi, .object = i + 1,
	.region = region.region, .object_lo = lo, .object_hi = hi,
	.hint = UMMGR_HINT_UNKNOWN
      };
      use[i].hint.known = use[i].hint.read = true;
      use[i].hint.estimated = rnd (2);
      use[i].hint.locality = rnd (5000);
      use[i].hint.reuse_likely = 1 + rnd (3);
      told[i] = ummgr_page_use_paging (&use[i]);
    }
  ummgr_replay_memory_region (fast, &region);
  uvm_region (u, 0, told, 3);
}

static void
compare (void)
{
  struct ummgr_replay_counts f = ummgr_replay_memory_counts (fast);
  const struct uvm_device *d = &u->device[0];
  CHECK_EQ (f.faults, d->counters.gpu_faults);
  CHECK_EQ (f.cpu_faults, d->counters.cpu_faults);
  CHECK_EQ (f.evictions, d->counters.evictions);
  CHECK_EQ (f.pages_in * UVM_PAGE, d->ledger.in_bytes + d->ledger.born_bytes);
  CHECK_EQ (f.pages_out * UVM_PAGE, d->counters.d2h_bytes);
  CHECK_EQ (ummgr_replay_memory_used (fast) * UVM_PAGE, d->managed_bytes);
}

static void
play (const struct ummgr_paging_ops *ops, uint32_t capacity)
{
  state = capacity;
  u = make (ops, capacity);
  fast = ummgr_replay_memory_create (ops, NULL, capacity,
				     UMMGR_REPLAY_HITS_NONE, NULL);
  CHECK (fast && ummgr_replay_memory_grow (fast, PAGES));
  for (uint32_t i = 0; i < PAGES; i++)
    {
      range[i] = uvm_range_add (u, i, 1, 0, false);
      CHECK (range[i]);
    }
  uint32_t at = 0;
  for (int i = 0; i < STEPS; i++)
    {
      if (i % 500 == 0)
	begin ();
      /* Sweeps, with jumps.  */
      at = rnd (4) ? (at + 1) % PAGES : rnd (PAGES);
      step (at);
      compare ();
    }
  CHECK (ummgr_replay_memory_counts (fast).evictions > 100);
  ummgr_replay_memory_destroy (fast);
  uvm_destroy (u);
}

int
main (void)
{
  for (int i = 0; ummgr_paging_all[i]; i++)
    {
      play (ummgr_paging_all[i], 100);
      play (ummgr_paging_all[i], PAGES * 3 / 4);
    }
  return 0;
}
