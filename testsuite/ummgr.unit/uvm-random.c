/* An instance of unified memory against the slow model, as the simulated driver is
   (ummgr.sim/mem-random.c): a wrong residency, count, modelled time, or order of
   eviction.  Two instances that disturb one another; a clone that has another past
   than its original, or changes it; an observer that isn't told.
   SPDX-License-Identifier: GPL-3.0-or-later  */
/* { dg-do run } */

#include "config.h"
#include "uvm-steps.h"
#include "uvm/uvm.h"

#include <string.h>

/* The instance that is tested, one that does the same without an observer, and one
   of another shape that does anything else.  */
static struct uvm *u, *twin, *stranger;
static struct uvm_range *range[MAX_ALLOCS], *twins[MAX_ALLOCS];
static size_t taken[MAX_PLAIN];
static int taken_on[MAX_PLAIN];

enum { APART = 37 };		/* Blocks from one object to the next.  */

/* --- the observer ------------------------------------------------------------ */

/* What processors know that they have of a block.  */
struct view
{
  struct uvm_mask mapped[1 + DEVICES], writable[1 + DEVICES];
  struct uvm_mask remote[1 + DEVICES]; /* In launch ...  */
  long launch;
};

static struct view views[MAX_ALLOCS * APART];

static struct view *
view_of (const struct uvm_block *b)
{
  struct view *v = b->user;
  if (v->launch != launch)
    memset (v->remote, 0, sizeof v->remote);
  v->launch = launch;
  return v;
}

static void
lost (void *data, struct uvm_block *b, const struct uvm_mask *s, unsigned p)
{
  struct view *v = view_of (b);
  CHECK (data == &u && !uvm_mask_empty (s));
  uvm_mask_remove (&v->mapped[p], s);
  uvm_mask_remove (&v->writable[p], s);
  uvm_mask_remove (&v->remote[p], s);
}

static void
shared (void *data, struct uvm_block *b, const struct uvm_mask *s, unsigned p)
{
  CHECK (data == &u && !uvm_mask_empty (s));
  uvm_mask_remove (&view_of (b)->writable[p], s);
}

static void
owned (void *data, struct uvm_block *b, const struct uvm_mask *s, unsigned p)
{
  CHECK (data == &u && !uvm_mask_empty (s));
  uvm_mask_add (&view_of (b)->mapped[p], s);
  uvm_mask_add (&view_of (b)->writable[p], s);
}

static void
entered (void *data, struct uvm_block *b, const struct uvm_mask *s,
	 unsigned p)
{
  struct view *v = view_of (b);
  CHECK (data == &u && !uvm_mask_empty (s));
  struct uvm_mask also = uvm_held_elsewhere (u, b, s, p);
  struct uvm_mask alone = uvm_mask_andnot (s, &also);
  uvm_mask_add (&v->mapped[p], s);
  uvm_mask_add (&v->writable[p], &alone);
}

static void
remote (void *data, struct uvm_block *b, struct uvm_mask *s, unsigned p)
{
  struct view *v = view_of (b);
  CHECK (data == &u);
  uvm_mask_remove (s, &v->remote[p]);
  uvm_mask_add (&v->remote[p], s);
  u->device[p - 1].counters.remote_bytes += uvm_mask_count (s) * PAGE;
  u->device[p - 1].counters.sent_bytes += writing ? uvm_mask_count (s) * PAGE : 0;
}

static const struct uvm_observer observer = {
  .lost = lost, .shared = shared, .owned = owned, .entered = entered,
  .remote = remote
};

/* Nobody believes that he has what he hasn't.  */
static void
check_view (const struct uvm_block *b)
{
  const struct view *v = view_of (b);
  for (int p = 0; p <= u->devices; p++)
    {
      struct uvm_mask gone
	= uvm_mask_andnot (&v->mapped[p], &b->by[p].resident);
      struct uvm_mask also = uvm_held_elsewhere (u, b, &v->writable[p], p);
      CHECK (uvm_mask_empty (&gone) && uvm_mask_empty (&also));
    }
}

/* --- operations ---------------------------------------------------------------- */

static uint64_t
offset_of (const struct object *o, int page)
{
  return (uint64_t) (o - objects) * APART * u->block_bytes
	 + (uint64_t) page * PAGE;
}

static struct uvm_block *
block_of (const struct uvm *in, const struct object *o, int page)
{
  return uvm_block_at (in, offset_of (o, page) / u->block_bytes);
}

/* Something happens elsewhere in the process.  */
static void
disturb (struct uvm *other)
{
  uint32_t unit = rnd (4);
  unsigned page = rnd (other->block_bytes / PAGE);
  unsigned p = rnd (1 + other->devices);
  uint64_t offset = unit * other->block_bytes + page * PAGE;
  struct uvm_block *b = uvm_block_at (other, unit);
  switch (rnd (4))
    {
    case 0:
      uvm_prefetch (other, offset, 3 * PAGE, (int) p - 1);
      break;
    case 1:
      uvm_advise (other, offset, 5 * PAGE, 1 + rnd (6), (int) p - 1);
      break;
    default:
      if (b && page < b->pages)
	uvm_access (other, b, page, p, rnd (2));
    }
}

static void
do_alloc (struct object *o, size_t bytes)
{
  int k = o - objects;
  uint32_t first = k * APART;
  (void) bytes;
  range[k] = uvm_range_add (u, first, o->pages, o->home, false);
  twins[k] = uvm_range_add (twin, first, o->pages, o->home, false);
  CHECK (range[k] && twins[k]);
  for (uint32_t i = 0; i < range[k]->count; i++)
    {
      views[first + i] = (struct view) { .launch = launch };
      uvm_range_block (u, range[k], i)->user = &views[first + i];
    }
}

static void
do_free (struct object *o)
{
  int k = o - objects;
  uvm_range_remove (u, range[k]);
  uvm_range_remove (twin, twins[k]);
  CHECK (!uvm_block_at (u, k * APART));
}

static int
do_take (int slot, int d, size_t bytes)
{
  bytes = (bytes + 511) / 512 * 512;
  bool got = uvm_take (u, d, bytes);
  CHECK_EQ (uvm_take (twin, d, bytes), got);
  taken[slot] = bytes;
  taken_on[slot] = d;
  return got;
}

static void
do_give (int slot)
{
  uvm_give (u, taken_on[slot], taken[slot]);
  uvm_give (twin, taken_on[slot], taken[slot]);
}

static void
do_touch (struct object *o, int page, int d, int write)
{
  struct uvm_block *b = block_of (u, o, page);
  unsigned i = page % block_pages, p = 1 + d;
  disturb (stranger);
  writing = write;
  if (!uvm_mask_test (&b->by[p].resident, i)
      && uvm_mask_test (&view_of (b)->remote[p], i))
    return;
  bool fault = uvm_access (u, b, i, p, write);
  CHECK_EQ (uvm_access (twin, block_of (twin, o, page), i, p, write), fault);
  /* An access that is served is served once; but access counters may have brought a copy, which
     a write makes its own.  */
  struct uvm_mask one = uvm_mask_range (i, i + 1), also = uvm_held_elsewhere (u, b, &one, p);
  CHECK (uvm_mask_test (&view_of (b)->remote[p], i)
	 || (write && u->regions && !uvm_mask_empty (&also))
	 || !uvm_access (u, b, i, p, write));
}

static int
do_prefetch (struct object *o, int lo, int hi, int d)
{
  uint64_t offset = offset_of (o, lo), size = (uint64_t) (hi - lo) * PAGE;
  bool all = uvm_prefetch (u, offset, size, d);
  CHECK_EQ (uvm_prefetch (twin, offset, size, d), all);
  return all;
}

static void
do_discard (struct object *o, int lo, int hi)
{
  uint64_t offset = offset_of (o, lo), size = (uint64_t) (hi - lo) * PAGE;
  uvm_discard_range (u, offset, size);
  uvm_discard_range (twin, offset, size);
}

static void
do_advise (struct object *o, int lo, int hi, int advice, int d)
{
  uint64_t offset = offset_of (o, lo), size = (uint64_t) (hi - lo) * PAGE;
  CHECK (uvm_advise (u, offset, size, advice, d)
	 && uvm_advise (twin, offset, size, advice, d));
  const struct page *g = &o->page[lo];
  struct uvm_common c = uvm_common (u, offset, PAGE);
  CHECK (c.read_mostly == g->read_mostly && c.preferred == g->preferred
	 && c.accessed_by == g->accessed_by);
}

/* One of the uses that a policy is told of.  */
static struct ummgr_paging_use
a_use (int k)
{
  uint32_t lo = k * APART, hi = lo + range[k]->count;
  return (struct ummgr_paging_use) {
    .lo = lo, .hi = hi, .object_lo = lo, .object_hi = hi, .region = rnd (4),
    .sweeps = rnd (3), .density = -1, .next_use = 1 + rnd (3), .read = true
  };
}

static void
do_launch (int d, int begin)
{
  if (!begin)
    {
      /* What is used remotely, the observer alone counted.  */
      twin->device[d].counters.remote_bytes
	= u->device[d].counters.remote_bytes;
      twin->device[d].counters.sent_bytes = u->device[d].counters.sent_bytes;
      uvm_launch_end (u, d);
      uvm_launch_end (twin, d);
      return;
    }
  struct ummgr_paging_use uses[MAX_ALLOCS];
  size_t n = 0;
  for (int k = 0; k < MAX_ALLOCS; k++)
    if (objects[k].page && rnd (3))
      uses[n++] = a_use (k);
  uvm_region (u, d, uses, n);
  uvm_region (twin, d, uses, n);
  uvm_launch_begin (u, d);
  uvm_launch_begin (twin, d);
}

static struct ummgr_counters
do_counters (int d)
{
  struct ummgr_counters a = uvm_counters (u, d), b = uvm_counters (twin, d);
  CHECK (memcmp (&a, &b, sizeof a) == 0);
  if (modelled && u->device[d].managed_bytes != managed_used (d))
    differs ("resident", u->device[d].managed_bytes, managed_used (d));
  return a;
}

static unsigned
holders_in (const struct uvm *in, const struct object *o, int page)
{
  const struct uvm_block *b = block_of (in, o, page);
  unsigned holders = 0;
  for (int p = 0; p <= devices; p++)
    holders
      |= (unsigned) uvm_mask_test (&b->by[p].resident, page % block_pages) << p;
  return holders | (unsigned) uvm_mask_test (&b->on_cpu, page % block_pages) << 16;
}

static unsigned
do_holders (const struct object *o, int page)
{
  unsigned holders = holders_in (u, o, page);
  CHECK_EQ (holders_in (twin, o, page), holders);
  check_view (block_of (u, o, page));
  return holders;
}

static void
complain (void *data, const char *text)
{
  (void) data;
  fprintf (stderr, "seed %u step %ld: %s\n", seed, step, text);
}

/* A clone goes its own way; another one takes the twin's place.  */
static void
do_check (void)
{
  struct uvm *c = uvm_clone (u);
  CHECK (c && uvm_check (c, complain, NULL) && uvm_check (u, complain, NULL));
  for (int i = 0; i < 50; i++)
    disturb (c);
  CHECK (uvm_check (c, complain, NULL));
  uvm_destroy (c);
  if (rnd (3))
    return;
  c = uvm_clone (u);
  CHECK (c);
  uvm_destroy (twin);
  twin = c;
  for (int k = 0; k < MAX_ALLOCS; k++)
    if (objects[k].page)
      twins[k] = uvm_block_at (twin, k * APART)->range;
}

static struct batch
do_serve (const struct fault *f, int count, int d)
{
  struct uvm_fault ours[64], its[64];
  for (int i = 0; i < count; i++)
    {
      unsigned page = f[i].page % block_pages;
      ours[i] = (struct uvm_fault) { block_of (u, f[i].object, f[i].page), page, f[i].write };
      its[i] = (struct uvm_fault) { block_of (twin, f[i].object, f[i].page), page, f[i].write };
    }
  disturb (stranger);
  struct uvm_batch b = uvm_serve (u, d, ours, count), c = uvm_serve (twin, d, its, count);
  CHECK (b.pages == c.pages && b.duplicates == c.duplicates && b.blocks == c.blocks
	 && b.seconds == c.seconds && b.pages + b.duplicates <= (unsigned) count);
  return (struct batch) { .pages = b.pages, .same = b.duplicates, .blocks = b.blocks, .seconds = b.seconds };
}

static const struct real instance = {
  do_alloc, do_free, do_take, do_give, do_touch, do_prefetch, do_advise, NULL,
  NULL, do_launch, do_counters, do_holders, do_check, do_serve, do_discard
};

/* --- machines ------------------------------------------------------------------- */

struct shape
{
  unsigned pages, granule;
  int threshold, blocks, devices;
  unsigned region;		/* Pages of it have an access counter.  */
  int counted;			/* Which notifies at so many; 0: off.  */
};

static struct uvm_config
configure (const struct shape *s, const struct ummgr_paging_ops *paging)
{
  struct uvm_config c = {
    .devices = s->devices, .block_bytes = s->pages * PAGE,
    .fault_granularity = s->granule * PAGE, .paging = paging,
    .peer_rate = { { 0, 3e10 }, { 3e10 } }
  };
  for (int d = 0; d < s->devices; d++)
    c.device[d] = (struct ummgr_figures) {
      .memory_bytes = (s->blocks + d) * c.block_bytes, .memory_rate = 7e11,
      .h2d_rate = 1.2e10 + d, .d2h_rate = 1.1e10, .both_rate = 1.5e10 + 1e9 * d, .remote_rate = 9e9,
      .link_latency = 1e-5, .launch_cost = 5e-6, .gpu_fault_cost = 2e-5, .gpu_block_cost = 7e-6, .host_page_cost = 5e-7,
      .cpu_fault_cost = 3e-5, .fault_batch = 3,
      .prefetch_threshold = s->threshold, .access_counter_granularity = s->region * PAGE,
      .access_counter_threshold = s->counted
    };
  return c;
}

static void
play (const struct shape *s, const struct ummgr_paging_ops *paging, long steps,
      unsigned first)
{
  static const struct shape other = { 8, 2, 51, 3, 2 };
  struct uvm_config c = configure (s, paging), b = configure (&other, paging);
  devices = s->devices;
  block_pages = s->pages;
  granule = s->granule;
  threshold = s->threshold;
  region_pages = s->region;
  for (int d = 0; d < devices; d++)
    {
      const struct ummgr_figures *f = &c.device[d];
      capacity[d] = f->memory_bytes;
      counts_to[d] = s->counted;
      costs[d] = (struct costs) {
	f->h2d_rate, f->d2h_rate, c.peer_rate[0][1], f->memory_rate,
	f->remote_rate, f->link_latency, f->launch_cost, f->gpu_fault_cost, f->gpu_block_cost,
	f->host_page_cost,
	f->cpu_fault_cost, ummgr_figures_stream (f), f->both_rate
      };
    }
  u = uvm_create (&c);
  twin = uvm_create (&c);
  stranger = uvm_create (&b);
  CHECK (u && twin && stranger && uvm_range_add (stranger, 0, 29, 0, true));
  uvm_observe (u, &observer, &u);
  if (devices > 1)
    {
      uvm_peer (u, 0, 1, true);
      uvm_peer (twin, 0, 1, true);
    }
  model_begin ();
  run_steps (&instance, steps, first);
  CHECK (u->device[0].counters.evictions && u->device[0].counters.gpu_faults);
  CHECK (!s->counted == !u->device[0].counters.notifications);
  CHECK (!s->counted == !u->device[0].counters.notified_pages);
  uvm_destroy (u);
  uvm_destroy (twin);
  uvm_destroy (stranger);
}

/* Pages may be advised in 4095 ways; one more is an error.  More than all memory is not
   to be had.  */
static void
limits (void)
{
  static const struct shape many = { 4, 1, 51, 20, 14 };
  struct uvm_config c = configure (&many, ummgr_paging_find ("lru"));
  u = uvm_create (&c);
  CHECK (u && uvm_range_add (u, 0, 4, 0, false));
  int ways = 0;
  for (bool good = true; good; ways += good)
    {
      /* One bit after the other changes.  */
      int device = __builtin_ctz (ways + 1);
      bool on = uvm_common (u, 0, PAGE).accessed_by >> (1 + device) & 1;
      good = uvm_advise (u, 0, PAGE,
			 on ? UVM_UNSET_ACCESSED_BY : UVM_SET_ACCESSED_BY,
			 device);
    }
  CHECK_EQ (ways, 4095);
  CHECK (uvm_take (u, 0, PAGE) && !uvm_take (u, 0, UINT64_MAX - PAGE / 2));
  CHECK (!uvm_take (u, 0, c.device[0].memory_bytes - PAGE + 1));
  CHECK (uvm_take (u, 0, c.device[0].memory_bytes - PAGE));
  CHECK (uvm_check (u, complain, NULL));
  uvm_destroy (u);
}

int
main (void)
{
  limits ();
  static const struct shape shapes[]
    = { { 1, 1, 0, 40, 1 }, { 4, 1, 51, 20, 2 }, { 8, 4, 51, 9, 1 },
	{ 16, 2, 51, 9, 2 }, { 64, 16, 51, 6, 2 }, { 64, 16, 0, 6, 1 },
	{ 512, 16, 51, 3, 2 }, { 32, 4, 90, 5, 1 }, { 64, 16, 51, 6, 1, 64, 5000 },
	{ 16, 2, 51, 9, 2, 16, 256 }, { 16, 2, 0, 9, 2, 4, 1 }, { 512, 16, 51, 3, 2, 512, 60000 } };
  unsigned n = sizeof shapes / sizeof *shapes;
  for (unsigned i = 0; i < n; i++)
    play (&shapes[i], ummgr_paging_find ("lru"), 12000, 1 + i);
  /* Of the others is known only that a clone does what its original does.  */
  modelled = false;
  for (int k = 0; ummgr_paging_all[k]; k++)
    play (&shapes[3], ummgr_paging_all[k], 3000, 20 + k);
  return 0;
}
